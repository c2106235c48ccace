"""The weighted vote of native trees, summed in the compiled core for all members at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.number_tables import read_numbers
from nonet._native.tree import Tree, predict_values, tree_from_arrays
from nonet.boosting.adaboost.step_functions import StumpSum
from nonet.members.member import Member
from nonet.trees.decision_tree import DecisionTreeClassifier
from nonet.trees.stump import DecisionStump

_STUMPS_PER_COLUMN = 8  # from so many on, a search among thresholds is faster than the stumps


def can_sum_votes(members: Sequence[Member]) -> bool:
    """Return whether all members are native stumps, or native trees on numeric columns."""
    return all(_is_summable(member.estimator) for member in members)


def _is_summable(model: Any) -> bool:
    is_tree = type(model) is DecisionTreeClassifier
    return type(model) is DecisionStump or (is_tree and not model._category_codes.known)


class VoteSum:
    """Trees whose leaves hold the weight of the vote they cast."""

    def __init__(self, members: Sequence[Member], weights: Floats, n_classes: int) -> None:
        self._models = [member.estimator for member in members]
        self._weights = weights
        self._n_classes = n_classes

    def fractions(self, X: Any) -> Floats:
        """Return each class's fraction of the votes, shape (n, n_classes)."""
        votes = self._sum(self._check(X)) / self._weights.sum()
        if self._n_classes == 2:  # the trees sum the votes for the second minus those for the first
            return np.column_stack([(1 - votes[:, 0]) / 2, (1 + votes[:, 0]) / 2])
        return np.asarray(votes)

    def _sum(self, X: Floats) -> Floats:
        if self._steps is not None:
            return self._steps.predict(X)
        return predict_values(self._trees, X)

    @cached_property
    def _steps(self) -> StumpSum | None:
        """Step functions, if all trees are stumps and there are several per column."""
        are_stumps = all(tree.max_depth <= 1 for tree in self._trees)
        pays = len(self._trees) >= _STUMPS_PER_COLUMN * self._trees[0].n_columns
        return StumpSum(self._trees) if are_stumps and pays else None

    def _check(self, X: Any) -> Floats:
        stumps = any(isinstance(model, DecisionStump) for model in self._models)
        checked: Floats = read_numbers(
            self._models[0],
            X,
            reset=False,
            dtype=(np.float64, np.float32),
            ensure_all_finite=True if stumps else "allow-nan",
        )
        return checked

    @cached_property
    def _trees(self) -> list[Tree]:
        pairs = zip(self._models, self._weights, strict=True)
        return [self._vote_tree(model, weight) for model, weight in pairs]

    def _vote_tree(self, model: Any, weight: float) -> Tree:
        if isinstance(model, DecisionStump):
            return self._stump_tree(model, weight)
        arrays = model.tree_._native.arrays()
        codes = np.argmax(arrays["values"].reshape(len(arrays["left"]), -1), axis=1)
        return tree_from_arrays(
            model.n_features_in_,
            arrays["left"],
            arrays["right"],
            arrays["column"],
            arrays["threshold"],
            self._votes(codes, weight),
            missing_left=arrays["missing_left"],
        )

    def _stump_tree(self, stump: DecisionStump, weight: float) -> Tree:
        below, above = (0, 1) if stump.sign_ > 0 else (1, 0)
        columns = stump.n_features_in_
        if np.isneginf(stump.threshold_):
            return tree_from_arrays(columns, [-1], [-1], [0], [0], self._votes([above], weight))
        # The stump tests x >= threshold, the tree x > threshold.
        threshold = np.nextafter(stump.threshold_, -np.inf)
        votes = self._votes([0, below, above], weight)
        return tree_from_arrays(
            columns, [1, -1, -1], [2, -1, -1], [stump.column_, 0, 0], [threshold, 0, 0], votes
        )

    def _votes(self, codes: Any, weight: float) -> Floats:
        if self._n_classes == 2:
            return np.where(np.asarray(codes) == 1, weight, -weight)[:, np.newaxis]
        return np.asarray(weight * np.eye(self._n_classes)[np.minimum(codes, self._n_classes - 1)])
