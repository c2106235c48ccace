"""Rules on real values: combine (n, k) member predictions into (n,) predictions.

Several targets work too: (n, k, t) predictions give (n, t), each target on its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats, Kind, Task
from nonet._base.arrays import check_member_weights, check_real_outputs
from nonet._base.params import Real, bad_parameter
from nonet._native import vote as vote_kernels
from nonet.combine.rule import CombinationRule


def mean(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Average the members: sum of w_m f_m over sum of w_m.

    The same rule applies to values and to probabilities (where it is called the linear pool).

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.
    weights : array-like of shape (k,), optional
        One non-negative weight per member; a weight of 2 counts a member twice.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import mean
    >>> mean([[1.0, 2.0, 6.0]])
    array([3.])
    >>> mean([[1.0, 2.0, 6.0]], weights=[1, 1, 0])
    array([1.5])
    """
    outputs, weights = _check(outputs, weights)
    return vote_kernels.weighted_mean(outputs, weights)


def total(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Add the members up: sum of w_m f_m.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.
    weights : array-like of shape (k,), optional
        One non-negative weight per member; a weight of 2 counts a member twice.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import total
    >>> total([[1.0, 2.0, 6.0]])
    array([9.])
    """
    outputs, weights = _check(outputs, weights)
    return vote_kernels.weighted_sum(outputs, weights)


def median(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Take the (weighted) median of the members.

    Of two middle values the midpoint is taken. Integer weights mean repetition:
    ``weights=[2, 1]`` is the median of the first member twice and the second once.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.
    weights : array-like of shape (k,), optional
        One non-negative weight per member.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import median
    >>> median([[1.0, 2.0, 60.0], [1.0, 3.0, 2.0]])
    array([2., 2.])
    >>> median([[1.0, 2.0, 60.0]], weights=[1, 1, 2])
    array([31.])
    """
    outputs, weights = _check(outputs, weights)
    if weights is not None:
        return vote_kernels.weighted_quantile(outputs, weights, 0.5, midpoint=True)
    n_members = outputs.shape[1]
    return vote_kernels.order_mean(outputs, (n_members - 1) // 2, n_members // 2 + 1)


def minimum(outputs: ArrayLike) -> Floats:
    """Take the minimum prediction of each row.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import minimum
    >>> minimum([[1.0, 2.0, 6.0]])
    array([1.])
    """
    outputs, _ = _check(outputs, None)
    return vote_kernels.order_mean(outputs, 0, 1)


def maximum(outputs: ArrayLike) -> Floats:
    """Take the maximum prediction of each row.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import maximum
    >>> maximum([[1.0, 2.0, 6.0]])
    array([6.])
    """
    outputs, _ = _check(outputs, None)
    return vote_kernels.order_mean(outputs, outputs.shape[1] - 1, outputs.shape[1])


def trimmed_mean(outputs: ArrayLike, proportion: float = 0.1) -> Floats:
    """Average the members after dropping the lowest and the highest predictions of each row.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows.
    proportion : float in [0, 0.5), default=0.1
        The fraction dropped at each end: ``floor(proportion * k)`` predictions on either side.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import trimmed_mean
    >>> trimmed_mean([[0.0, 1.0, 2.0, 3.0, 1000.0]], proportion=0.2)
    array([2.])
    """
    allowed = Real(0, 0.5, open_high=True)
    if not allowed.allows(proportion):
        raise bad_parameter("trimmed_mean", "proportion", allowed.describe(), proportion)
    outputs, _ = _check(outputs, None)
    n_members = outputs.shape[1]
    # 0.2 * 5 is 1, but 0.29 * 100 is 28.999999999999996: the product is rounded first.
    n_trimmed = min(int(np.floor(round(proportion * n_members, 9))), (n_members - 1) // 2)
    return vote_kernels.order_mean(outputs, n_trimmed, n_members - n_trimmed)


def geometric_mean(outputs: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Take the (weighted) geometric mean of non-negative predictions, computed in logarithms.

    Parameters
    ----------
    outputs : array-like of shape (n, k) or (n, k, c)
        Predictions of the k members on n rows; none may be negative. A zero gives zero.
    weights : array-like of shape (k,), optional
        One non-negative weight per member.

    Returns
    -------
    combined : ndarray of shape (n,) or (n, c)

    Examples
    --------
    >>> from nonet.combine import geometric_mean
    >>> geometric_mean([[1.0, 4.0, 16.0]]).round(6)
    array([4.])
    """
    outputs, weights = _check(outputs, weights)
    if outputs.size and outputs.min() < 0:
        raise ValueError(
            f"geometric_mean needs predictions of at least 0, but the minimum is {outputs.min()}; "
            "use 'mean' or 'median' for predictions of either sign."
        )
    total_weight = outputs.shape[1] if weights is None else weights.sum()
    logs = vote_kernels.weighted_log_sum(outputs, weights) / total_weight
    combined: Floats = np.exp(logs).astype(outputs.dtype, copy=False)
    return combined


class TrimmedMean(CombinationRule):
    """The trimmed mean as a rule: of values in regression, of probabilities in classification.

    Parameters
    ----------
    proportion : float in [0, 0.5), default=0.1
        The fraction of members dropped at each end of every row.

    Examples
    --------
    >>> from nonet.combine import TrimmedMean
    >>> TrimmedMean(0.25).support([[0.0, 1.0, 3.0, 1000.0]])
    array([2.])
    """

    reads: dict[Task, Kind] = {"regression": "values", "classification": "probabilities"}
    takes_weights = False
    _rules = {"proportion": Real(0, 0.5, open_high=True)}

    def __init__(self, proportion: float = 0.1) -> None:
        self.proportion = proportion

    def support(
        self,
        outputs: ArrayLike,
        weights: ArrayLike | None = None,
        classes: ArrayLike | None = None,
    ) -> Floats:
        """Trim and average; probabilities are scaled to sum to one again."""
        trimmed = trimmed_mean(outputs, self.proportion)
        return trimmed if classes is None else normalize_rows(trimmed)


def normalize_rows(support: Floats) -> Floats:
    """Scale each row to sum to one, in place; a row of zeros becomes uniform."""
    refuse_negative_rows(support)
    sums = support.sum(axis=1, keepdims=True)
    refuse_infinite_rows(sums[:, 0])
    empty = sums[:, 0] == 0
    if empty.any():
        support[empty] = 1
        sums[empty] = support.shape[1]
    support /= sums
    return support


def refuse_negative_rows(support: Floats) -> None:
    """Raise if a row has a negative entry, since it cannot become probabilities."""
    if support.size and support.min() < 0:
        row = int(support.min(axis=1).argmin())
        raise ValueError(
            f"outputs must be at least 0 to become probabilities, but row {row} is not; "
            "the rule 'borda' takes scores of any scale."
        )


def refuse_infinite_rows(totals: Floats) -> None:
    """Raise if the total of a row is not finite, since it cannot become probabilities."""
    rows = np.flatnonzero(~np.isfinite(totals))
    if rows.size:
        raise ValueError(
            f"outputs must be finite to become probabilities, but row {rows[0]} is not; "
            "replace infinities first."
        )


def _check(outputs: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats | None]:
    checked = check_real_outputs(outputs, n_axes=(2, 3))
    return checked, check_member_weights(weights, checked.shape[1])
