"""Ridge to uniform: least squares with a penalty towards equal weights.

    min_w  sum_n (sum_m w_m f_m(x_n) - y_n)^2 + lambda sum_m (w_m - 1/M)^2,   w >= 0

Members with equal predictions leave plain least squares free to move weight between them at no
cost, so another sample gives other weights. With the penalty, such members get equal weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice, Integer, Real, Rule
from nonet._base.streams import stream
from nonet.combine.held_out import HeldOut
from nonet.combine.least_squares import error_gram, non_negative_weights, small_design
from nonet.combine.weight_finder import WeightFinder, uniform_weights

# From practically no penalty to practically equal weights, in half decades of the Gram trace.
_RELATIVE_PENALTIES = np.append(np.logspace(-10, 1, 23), np.inf)


class Infinity(Rule):
    """Positive infinity is allowed."""

    def allows(self, value: Any) -> bool:
        """Return whether the value is positive infinity."""
        return isinstance(value, (float, np.floating)) and bool(value == np.inf)

    def describe(self) -> str:
        """Describe what is allowed."""
        return "infinity"


def ridge_to_uniform_weights(design: Floats, wanted: Floats, penalty: float) -> Floats:
    """Minimise ||design w - wanted||^2 + penalty ||w - 1/k||^2 with weights of at least 0.

    Parameters
    ----------
    design : ndarray of shape (m, k)
        The predictions of the members, one row per equation and one column per member.
    wanted : ndarray of shape (m,)
        The true values.
    penalty : float
        At least 0; infinity gives 1/k exactly.

    Returns
    -------
    weights : ndarray of shape (k,)

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.combine.ridge_to_uniform import ridge_to_uniform_weights
    >>> design, wanted = np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([1.0, 2.0])
    >>> ridge_to_uniform_weights(design, wanted, penalty=0.1).round(6)
    array([0.5, 0.5])
    """
    n_members = design.shape[1]
    if np.isinf(penalty):
        return uniform_weights(n_members)
    root = np.sqrt(penalty)
    pull = root * np.eye(n_members)
    return non_negative_weights(
        np.vstack([design, pull]), np.append(wanted, root * uniform_weights(n_members))
    )


def choose_penalty(held_out: HeldOut, n_folds: int) -> float:
    """Choose the penalty with the minimum squared error in cross-validation over the rows.

    Parameters
    ----------
    held_out : HeldOut
        The predictions of k members.
    n_folds : int
        The number of folds; fewer if there are fewer different rows.

    Returns
    -------
    penalty : float
        One of 23 values from 1e-10 to 10 times the trace of the members' Gram matrix, or
        infinity; the maximum of those that are equally good. Each fit on the training folds
        scales the penalty by the weight of its rows, because its sum of squared errors is
        smaller too. Infinity if there are fewer than two different rows.

    Examples
    --------
    >>> from nonet.combine.held_out import check_held_out
    >>> from nonet.combine.ridge_to_uniform import choose_penalty
    >>> choose_penalty(check_held_out([[1.0, 2.0]], [1.5]), n_folds=5)
    inf
    """
    folds = deal_folds(held_out, n_folds)
    if folds.max() == 0:
        return np.inf
    n_folds = folds.max() + 1
    # Only one fold is copied at a time; only its Gram matrix is kept.
    grams = np.array([error_gram(held_out.take(folds == fold)) for fold in range(n_folds)])
    masses = np.bincount(folds, weights=held_out.row_weights)
    penalties = _RELATIVE_PENALTIES * np.sum(small_design(grams.sum(axis=0))[0] ** 2)
    errors = sum(
        _errors_on_fold(grams, fold, penalties * (1 - masses[fold] / masses.sum()))
        for fold in range(n_folds)
    )
    return float(penalties[_last_smallest(np.asarray(errors))])


def _errors_on_fold(grams: Floats, fold: int, penalties: Floats) -> Floats:
    """Return the squared error on one fold of the weights fitted on the others, per penalty."""
    design, wanted = small_design(np.delete(grams, fold, axis=0).sum(axis=0))
    weights = np.array([ridge_to_uniform_weights(design, wanted, p) for p in penalties])
    unseen_design, unseen_wanted = small_design(grams[fold])
    misses: Floats = unseen_design @ weights.T - unseen_wanted[:, np.newaxis]
    errors: Floats = np.sum(misses**2, axis=0)
    return errors


def _last_smallest(errors: Floats) -> int:
    # Errors equal up to rounding are tied, or equal members would get a random penalty.
    return int(np.flatnonzero(errors <= errors.min() * (1 + 1e-12))[-1])


def deal_folds(held_out: HeldOut, n_folds: int) -> Array:
    """Assign the rows to folds by their content, not by their position.

    Parameters
    ----------
    held_out : HeldOut
        The predictions of the members and the target.
    n_folds : int
        The number of folds.

    Returns
    -------
    folds : ndarray of shape (n,)
        Equal rows are in the same fold, so that a row of weight 2 equals two rows and no copy
        of a test row is used in fitting. The order of rows and of members has no effect.

    Examples
    --------
    >>> from nonet.combine.held_out import check_held_out
    >>> from nonet.combine.ridge_to_uniform import deal_folds
    >>> held_out = check_held_out([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]], [1.0, 3.0, 1.0])
    >>> folds = deal_folds(held_out, n_folds=2)
    >>> bool(folds[0] == folds[2] != folds[1])
    True
    """
    salts = stream(0).integers(2**63, size=(2, held_out.n_targets), dtype=np.uint64)
    keys = np.concatenate([_row_keys(held_out, rows, salts) for rows in held_out.blocks()])
    folds: Array = np.unique(keys, return_inverse=True)[1] % n_folds
    return folds


def _row_keys(held_out: HeldOut, rows: slice, salts: Array) -> Array:
    predictions = _scramble(_bits(held_out.supports(rows)) ^ salts[0]).sum(axis=2)
    truth = _scramble(_bits(held_out.wanted(rows)) ^ salts[1]).sum(axis=1)
    keys: Array = _scramble(_scramble(predictions).sum(axis=1) ^ truth)
    return keys


def _bits(values: Floats) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)


def _scramble(words: Array) -> Array:
    """Spread the bits of 64-bit words (the finaliser of the MurmurHash3 generator)."""
    words = (words ^ (words >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    words = (words ^ (words >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    spread: Array = words ^ (words >> np.uint64(33))
    return spread


class RidgeToUniform(WeightFinder):
    """Non-negative least squares with a penalty towards equal weights.

    Minimises sum_n (sum_m w_m f_m(x_n) - y_n)^2 + penalty * sum_m (w_m - 1/M)^2 with w >= 0,
    the first sum over rows, and over targets or classes. The weights are not scaled to sum to
    one. If all come out as 0, all get the same weight.

    Parameters
    ----------
    penalty : 'cv' or float, default='cv'
        The factor lambda of the formula. The first sum grows with the number of
        rows (and the sum of ``sample_weight``), so the same effect on twice the rows needs twice
        the penalty. 0 is plain non-negative least squares, infinity gives 1/M exactly. 'cv'
        takes the best of a grid in cross-validation over the rows.
    cv : int, default=5
        Number of folds, used if ``penalty='cv'``. Rows are assigned to folds by their content,
        not at random: equal rows are in the same fold and the order of the rows does not matter.

    Attributes
    ----------
    penalty_ : float
        The penalty used by the last ``find``.

    Examples
    --------
    Two members with equal predictions get equal weights:

    >>> from nonet.combine.weights import RidgeToUniform
    >>> RidgeToUniform(penalty=0.1).find([[1, 1], [2, 2], [3, 3]], [1, 2, 3]).round(6)
    array([0.5, 0.5])
    """

    finds_factors = True
    _rules: Mapping[str, Rule] = {
        "penalty": Choice("cv") | Real(0) | Infinity(),
        "cv": Integer(2),
    }

    def __init__(self, penalty: Literal["cv"] | float = "cv", *, cv: int = 5) -> None:
        self.penalty = penalty
        self.cv = cv

    def _find(self, held_out: HeldOut) -> Floats:
        given = self.penalty
        self.penalty_ = choose_penalty(held_out, self.cv) if given == "cv" else float(given)
        return ridge_to_uniform_weights(*small_design(error_gram(held_out)), self.penalty_)
