"""Many stumps as one step function for each column.

A sum of stumps depends on each column by itself: it is a sum of step functions, one a column. A row
then costs one search among the thresholds of each column, however many stumps there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree

_BLOCK = 8192  # rows whose columns fit in the cache while they are searched


@dataclass(frozen=True)
class StepFunction:
    """What the stumps of one column add, by the value of the column.

    Attributes
    ----------
    column : int
    thresholds : ndarray of shape (n_steps,)
        Sorted.
    values : ndarray of shape (n_steps + 1, n_outputs)
        Entry k is for values above k of the thresholds.
    missing : ndarray of shape (n_outputs,)
        For NaN.
    """

    column: int
    thresholds: Floats
    values: Floats
    missing: Floats

    def add(self, x: Floats, out: Floats) -> None:
        """Add the values of a column to the sums of its rows."""
        steps = np.searchsorted(self.thresholds, x)
        out += self.values.take(steps, axis=0)
        absent = np.isnan(x)
        if absent.any():
            out[absent] += self.missing - self.values[-1]  # NaN is searched as the largest


class StumpSum:
    """The sum of trees of at most one split."""

    def __init__(self, stumps: Sequence[Tree]) -> None:
        nodes = [stump.arrays() for stump in stumps]
        values = [facts["values"].reshape(len(facts["left"]), -1) for facts in nodes]
        constants = [value[0] for value in values if len(value) == 1]
        splits = [place for place, value in enumerate(values) if len(value) == 3]
        columns = np.array([nodes[place]["column"][0] for place in splits], dtype=np.int64)
        thresholds = np.array([nodes[place]["threshold"][0] for place in splits])
        to_left = np.array([nodes[place]["missing_left"][0] for place in splits], dtype=bool)
        left = np.array([values[place][nodes[place]["left"][0]] for place in splits])
        right = np.array([values[place][nodes[place]["right"][0]] for place in splits])
        self._constant = np.sum(constants, axis=0) if constants else np.zeros(stumps[0].n_outputs)
        self._functions = [
            _step_function(column, thresholds[own], left[own], right[own], to_left[own])
            for column in np.unique(columns)
            for own in [columns == column]
        ]

    def predict(self, X: Floats) -> Floats:
        """Return the sums for the rows of X, shape (n, n_outputs)."""
        out = np.tile(self._constant, (len(X), 1))
        for start in range(0, len(X), _BLOCK):
            columns = np.ascontiguousarray(X[start : start + _BLOCK].T)
            for function in self._functions:
                function.add(columns[function.column], out[start : start + _BLOCK])
        return out


def _step_function(
    column: int, thresholds: Floats, left: Floats, right: Floats, to_left: Array
) -> StepFunction:
    order = np.argsort(thresholds, kind="stable")
    left, right, to_left = left[order], right[order], to_left[order]
    none = np.zeros((1, left.shape[1]))
    # Above k thresholds: the first k stumps go right, the others left.
    rights = np.concatenate([none, np.cumsum(right, axis=0)])
    lefts = np.concatenate([np.cumsum(left[::-1], axis=0)[::-1], none])
    missing = np.where(to_left[:, np.newaxis], left, right).sum(axis=0)
    return StepFunction(int(column), thresholds[order], rights + lefts, missing)
