"""Ties of votes: one rule for all diagnostics.

A tie goes to the first of its classes, as under the arg max of the ensembles: an error of some
members is that of the ensemble they would make. What an ensemble itself predicts on a tie is in
its record (``MemberPredictions.prediction``), and its error is always that of the record. Where an
expectation over ties is wanted (the gain from more members, bias and variance), each leading
class gets an equal fraction of the row.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Codes, Floats

_ROUNDING = 1e-9  # sums of weights that should be equal differ by less than this


def find_leaders(votes: Floats) -> Array:
    """Return which classes have the most votes in each row: bool of shape (n_rows, n_classes)."""
    return np.asarray(votes >= votes.max(axis=1, keepdims=True) - _ROUNDING)


def first_leader(votes: Floats) -> Codes:
    """Return the first of the classes with the most votes in each row."""
    return np.asarray(find_leaders(votes).argmax(axis=1))


def split_ties(votes: Floats) -> Floats:
    """Return the fraction of a row that each class gets: equal for the leading ones, else 0."""
    leading = find_leaders(votes)
    return np.asarray(leading / leading.sum(axis=1, keepdims=True))


def shared_credit(votes: Floats, truth: Codes) -> Floats:
    """Return 1 where the true class alone has most votes, a fraction where it ties, else 0."""
    return np.asarray(split_ties(votes)[np.arange(len(truth)), truth])
