"""Choose the learner for an estimator: a native one on binned columns, or a generic one."""

from __future__ import annotations

from typing import Any

from scipy.sparse import issparse

from nonet.boosting.adaboost.learners.learners import AnyLearner, LearnerTask, RoundLearner
from nonet.boosting.adaboost.learners.one_vs_rest_learner import OneVsRestLearner
from nonet.boosting.adaboost.learners.stump_learner import StumpLearner
from nonet.boosting.adaboost.learners.tree_learner import TreeLearner
from nonet.boosting.adaboost.methods.multiclass_methods import OneVsRestMember
from nonet.trees.category_columns import category_columns
from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.stump import DecisionStump


def make_learner(task: LearnerTask) -> RoundLearner:
    """Return the fastest learner that fits clones of this estimator."""
    kind = type(task.prototype)
    if issparse(task.rows.table):
        return AnyLearner(task)
    if _is_plain_tree(task.prototype, task.rows.table):
        return TreeLearner(task)
    if kind is OneVsRestMember and _uses_trees(task):
        return OneVsRestLearner(task)
    if kind is DecisionStump and task.kind == "labels":
        return StumpLearner(task)
    return AnyLearner(task)


def _is_plain_tree(learner: Any, table: Any) -> bool:
    """Return whether a learner is a tree that is grown in one call, on numeric columns."""
    if type(learner) not in (DecisionTreeClassifier, DecisionTreeRegressor):
        return False
    return learner.ccp_alpha == 0 and not category_columns(table, learner.categorical_features)


def _uses_trees(task: LearnerTask) -> bool:
    """Return whether trees can learn all one-vs-rest targets: both labels occur in each."""
    return (
        task.rows.n_classes > 1
        and not task.resample
        and _is_plain_tree(task.prototype.estimator, task.rows.table)
    )
