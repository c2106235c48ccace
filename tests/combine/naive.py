"""The combination rules in a few lines of NumPy each, loops and all, and arrays to try them on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Prediction = Callable[..., Any]


def each_cell(rule: Prediction, outputs: np.ndarray, *arguments: Any) -> np.ndarray:
    """Apply ``rule`` to the k outputs of every row, or of every row and class, one by one."""
    outputs = np.asarray(outputs, dtype=np.float64)
    cells = outputs[:, :, np.newaxis] if outputs.ndim == 2 else outputs
    combined = np.empty((cells.shape[0], cells.shape[2]))
    for row in range(cells.shape[0]):
        for position in range(cells.shape[2]):
            combined[row, position] = rule(cells[row, :, position].tolist(), *arguments)
    return combined[:, 0] if outputs.ndim == 2 else combined


def plain_total(predictions: list[float], weights: list[float] | None = None) -> float:
    return sum(w * a for w, a in zip(weights or [1.0] * len(predictions), predictions, strict=True))


def plain_mean(predictions: list[float], weights: list[float] | None = None) -> float:
    return plain_total(predictions, weights) / sum(weights or [1.0] * len(predictions))


def plain_geometric_mean(predictions: list[float], weights: list[float] | None = None) -> float:
    weights = weights or [1.0] * len(predictions)
    fraction = sum(weights)
    return float(np.prod([a ** (w / fraction) for w, a in zip(weights, predictions, strict=True)]))


def plain_trimmed_mean(predictions: list[float], threshold: int) -> float:
    return plain_mean(sorted(predictions)[threshold : len(predictions) - threshold])


def plain_weighted_median(predictions: list[float], weights: list[int]) -> float:
    return float(np.median(np.repeat(predictions, weights)))


def plain_votes(
    codes: np.ndarray, n_classes: int, weights: list[float] | None = None
) -> np.ndarray:
    """Count in two loops; a negative code is nobody's vote."""
    n_rows, n_members = codes.shape
    votes = np.zeros((n_rows, n_classes))
    for row in range(n_rows):
        for member in range(n_members):
            if codes[row, member] >= 0:
                votes[row, codes[row, member]] += 1 if weights is None else weights[member]
    return votes


def plain_borda(
    scores: np.ndarray, weights: list[float] | None = None, tie: float = 0.5
) -> np.ndarray:
    """Compare every class with every other class in the eyes of every member."""
    n_rows, n_members, n_classes = scores.shape
    points = np.zeros((n_rows, n_classes))
    for row, member, this, other in np.ndindex(n_rows, n_members, n_classes, n_classes):
        if this != other:
            mine, theirs = scores[row, member, this], scores[row, member, other]
            gain = 1.0 if mine > theirs else tie if mine == theirs else 0.0
            points[row, this] += gain * (1 if weights is None else weights[member])
    return points


def normalised(support: np.ndarray) -> np.ndarray:
    return support / support.sum(axis=1, keepdims=True)


def stacked(outputs: np.ndarray) -> np.ndarray:
    """Return equal outputs stored member by member, as a stack of members' outputs is."""
    return np.moveaxis(np.stack([outputs[:, m] for m in range(outputs.shape[1])]), 0, 1)


def sliced(outputs: np.ndarray) -> np.ndarray:
    """Return equal outputs as every other row and member of a larger array."""
    spread = np.full((2 * outputs.shape[0], 2 * outputs.shape[1], *outputs.shape[2:]), 99)
    spread = spread.astype(outputs.dtype)
    spread[::2, ::2] = outputs
    return spread[::2, ::2]


def fortran(outputs: np.ndarray) -> np.ndarray:
    """Return equal outputs stored column by column."""
    return np.asfortranarray(outputs)


def backwards(outputs: np.ndarray) -> np.ndarray:
    """Return equal outputs with negative strides."""
    return np.ascontiguousarray(outputs[::-1, ::-1])[::-1, ::-1]


LAYOUTS = (stacked, sliced, fortran, backwards)
