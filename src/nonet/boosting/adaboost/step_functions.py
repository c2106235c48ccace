"""Represent a sum of stumps as one step function per column.

A sum of stumps is a sum of functions of single columns: one step function per column. A row then
costs one binary search among the thresholds of each column, however many stumps there are.
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
    """The sum of all stumps of one column, as a function of the column's value.

    Attributes
    ----------
    column : int
    thresholds : ndarray of shape (n_steps,)
        Sorted thresholds.
    values : ndarray of shape (n_steps + 1, n_outputs)
        Entry k is the value above exactly k of the thresholds.
    missing : ndarray of shape (n_outputs,)
        The value for NaN.
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
            out[absent] += self.missing - self.values[-1]  # the search puts NaN last


class StumpSum:
    """The sum of trees of at most one split."""

    def __init__(self, stumps: Sequence[Tree]) -> None:
        nodes = [stump.arrays() for stump in stumps]
        values = [facts["values"].reshape(len(facts["left"]), -1) for facts in nodes]
        constants = [value[0] for value in values if len(value) == 1]
        splits = [position for position, value in enumerate(values) if len(value) == 3]
        columns = np.array([nodes[position]["column"][0] for position in splits], dtype=np.int64)
        thresholds = np.array([nodes[position]["threshold"][0] for position in splits])
        to_left = np.array([nodes[position]["missing_left"][0] for position in splits], dtype=bool)
        left = np.array([values[position][nodes[position]["left"][0]] for position in splits])
        right = np.array([values[position][nodes[position]["right"][0]] for position in splits])
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
