"""Which learner serves a prototype: ours on binned columns where it can, any learner otherwise."""

from __future__ import annotations

from typing import Any

from scipy.sparse import issparse

from nonet.boosting.learners import AnyLearner, Learner, LearnerTask
from nonet.boosting.stump_learner import StumpLearner
from nonet.boosting.tree_learner import TreeLearner
from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.stump import DecisionStump


def make_learner(task: LearnerTask) -> Learner:
    """Return the fastest learner that makes members of this prototype."""
    kind = type(task.prototype)
    if issparse(task.rows.table):
        return AnyLearner(task)
    if kind in (DecisionTreeClassifier, DecisionTreeRegressor) and _is_plain(task.prototype):
        return TreeLearner(task)
    if kind is DecisionStump and task.kind == "labels":
        return StumpLearner(task)
    return AnyLearner(task)


def _is_plain(tree: Any) -> bool:
    """Tell whether a tree is grown in one go, on columns of numbers."""
    return bool(tree.ccp_alpha == 0 and tree.categorical_features is None)
