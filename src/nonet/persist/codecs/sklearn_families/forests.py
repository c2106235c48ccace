"""Forests: their trees skip the checks of X, so that all must have the columns of the forest."""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    IsolationForest,
    RandomForestClassifier,
    RandomForestRegressor,
)

from nonet.persist.codecs.instances import ClassRule, need
from nonet.persist.codecs.sklearn_families import trees


def check_members(model: Any, members: list[Any]) -> None:
    """Raise unless members are fitted trees on the columns of their ensemble."""
    need(all(type(member) in trees.RULES for member in members), "a member is not a tree")
    need(all("tree_" in vars(member) for member in members), "a tree is not fitted")
    n_columns = model.n_features_in_
    need(all(member.n_features_in_ == n_columns for member in members), "a tree has other columns")


def _check_forest(forest: Any) -> None:
    if "estimators_" not in vars(forest):
        return
    need(type(forest.estimators_) is list, "there are no trees")
    check_members(forest, forest.estimators_)


_RULE = ClassRule(restore=_check_forest)
RULES = {
    ExtraTreesClassifier: _RULE,
    ExtraTreesRegressor: _RULE,
    IsolationForest: _RULE,
    RandomForestClassifier: _RULE,
    RandomForestRegressor: _RULE,
}
