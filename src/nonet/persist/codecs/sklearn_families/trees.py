"""Single trees: the columns and outputs of the estimator must be those of its tree."""

from __future__ import annotations

from typing import Any

from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from sklearn.tree._tree import Tree

from nonet.persist.codecs.instances import ClassRule, need


def check_tree(model: Any) -> None:
    """Raise unless a fitted tree reads as many columns as its estimator checks."""
    if "tree_" not in vars(model):  # not fitted
        return
    need(type(model.tree_) is Tree, "there is no tree")
    need(model.tree_.n_features == model.n_features_in_, "the tree has other columns")
    need(model.tree_.n_outputs == model.n_outputs_, "the tree has other outputs")


_RULE = ClassRule(restore=check_tree)
RULES = {
    DecisionTreeClassifier: _RULE,
    DecisionTreeRegressor: _RULE,
    ExtraTreeClassifier: _RULE,
    ExtraTreeRegressor: _RULE,
}
