"""Decision stumps as members: columns are binned once, and each round sums weights per bin.

With at most ``max_bins`` distinct values in a column the stumps are those of
:class:`nonet.DecisionStump`, ties included.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from nonet._base.aliases import Array, Floats
from nonet._base.number_tables import read_numbers
from nonet._base.params import check_params
from nonet._native.data import BinnedDataset
from nonet.boosting.adaboost.learners.learners import AnyLearner, LearnerTask, shallow_copy
from nonet.members.member import Member
from nonet.trees.stump import TIED_THRESHOLD


class StumpLearner(AnyLearner):
    """Decision stumps from signed weights summed by bin."""

    def __init__(self, task: LearnerTask) -> None:
        super().__init__(task)
        rows = task.rows
        model = clone(task.prototype)
        check_params(model, model._rules)
        X, y = read_numbers(model, rows.table, rows.target, dtype=(np.float64, np.float32))
        self._model, self._signs = model, model._encode_labels(y)
        dataset = BinnedDataset(X, max_bins=task.max_bins)
        columns = range(dataset.n_columns)
        self._bins = [dataset.bins(j).astype(np.intp) for j in columns]  # as bincount reads them
        self._edges = [_open_edges(dataset.edges(j), X[:, j]) for j in columns]
        n_thresholds = np.array([len(edges) for edges in self._edges])
        self._max_n_bins = int(n_thresholds.max(initial=0)) + 1
        self._no_threshold = np.arange(self._max_n_bins) >= n_thresholds[:, np.newaxis]

    def fit(self, position: int, weights: Floats, target: Floats | None = None) -> Member:
        """Find the stump of a round."""
        drawn = self.draw(weights)
        weights = weights if drawn is None else drawn.astype(np.float64)
        signed = weights * self._signs
        total, negative = float(weights.sum()), float(weights[self._signs < 0].sum())
        sums = [np.bincount(bins, signed, self._max_n_bins) for bins in self._bins]
        # With s = +1, the prediction below the threshold is -1: wrong where the label is +1.
        upright = negative + np.cumsum(sums, axis=1)
        upright[self._no_threshold] = np.inf
        # Sums of n terms are off by at most n roundings of the total: closer errors count as ties.
        equal = len(weights) * np.finfo(np.float64).eps * total
        model = shallow_copy(self._model)
        self._take_best(model, upright, total, negative, equal)
        return Member(f"{type(model).__name__}[{position}]", model)

    def _take_best(
        self, model: Any, upright: Floats, total: float, negative: float, equal: float
    ) -> None:
        """Break ties between equal errors: lowest column, then ``tie``, then sign +1."""
        errors = np.where(np.isinf(upright), np.inf, np.minimum(upright, total - upright))
        minimum, constant = float(errors.min()), min(negative, total - negative)
        if constant < minimum - equal:
            model.column_, self._threshold_bin, model.threshold_ = 0, -1, -np.inf
            model.sign_, minimum = (1 if negative <= total - negative else -1), constant
        else:
            column, self._threshold_bin = _first_row(
                errors <= minimum + equal, TIED_THRESHOLD[model.tie]
            )
            error = upright[column, self._threshold_bin]
            model.column_, model.threshold_ = (
                column,
                float(self._edges[column][self._threshold_bin]),
            )
            model.sign_ = 1 if error <= total - error + equal else -1
        model.error_ = max(minimum, 0.0) / total

    def predict_training(self, member: Member) -> Array:
        """Compare the bins of the stump's column with its threshold."""
        stump = member.estimator
        above = self._bins[stump.column_] > self._threshold_bin
        positive = above if stump.sign_ > 0 else ~above
        # A stump of one class predicts that class, whatever its sign.
        return positive.view(np.int8) if self._rows.n_classes > 1 else np.zeros(len(above), np.int8)


def _first_row(marked: Array, position: int) -> tuple[int, int]:
    """Return the first row with marks, and the column of the mark at this position in it."""
    row = int(np.argmax(marked.any(axis=1)))
    return row, int(np.flatnonzero(marked[row])[position])


def _open_edges(edges: Floats, x: Floats) -> Floats:
    """Turn x <= edge into x < edge: move an edge that equals a value of the column up slightly."""
    return np.where(np.isin(edges, x), np.nextafter(edges, np.inf), edges)
