"""Which learner serves a prototype: ours on binned columns where it can, any learner otherwise."""

from __future__ import annotations

from typing import Any

from scipy.sparse import issparse

from nonet._base.aliases import Kind
from nonet.boosting.learners import AnyLearner, Learner
from nonet.boosting.method import TrainingRows
from nonet.boosting.stump_learner import StumpLearner
from nonet.boosting.tree_learner import TreeLearner
from nonet.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from nonet.trees.stump import DecisionStump


def make_learner(
    prototype: Any, rows: TrainingRows, kind: Kind, seed: int, *, resample: bool, max_bins: int
) -> Learner:
    """Return the fastest learner that makes members of this prototype."""
    if issparse(rows.table):
        return AnyLearner(prototype, rows, kind, seed, resample=resample)
    if type(prototype) in (DecisionTreeClassifier, DecisionTreeRegressor):
        if prototype.ccp_alpha == 0:
            return TreeLearner(prototype, rows, kind, seed, resample, max_bins)
    elif type(prototype) is DecisionStump and kind == "labels":
        return StumpLearner(prototype, rows, kind, seed, resample, max_bins)
    return AnyLearner(prototype, rows, kind, seed, resample=resample)
