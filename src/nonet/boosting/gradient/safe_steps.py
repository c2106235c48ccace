"""Find and shorten Newton steps that would raise the loss.

All rows of a leaf take the same step. For a loss with |L'''| <= L'', the sum over these rows,
phi(v), changes by at most phi'(0) v + phi''(0) (exp|v| - |v| - 1). With the Newton step
s = -phi'(0) / phi''(0) and a learning rate r, the step v = r s therefore lowers the loss as long as
(exp|v| - |v| - 1) / v^2 <= 1 / r. A longer step may lower it as well, as in a leaf whose rows are
all of one rare class, and then it is unchanged. If it would raise the loss, s is shortened to
the minimiser of the bound, ln(1 + |s|) with the sign of s. Where Newton steps are long because the
mean of a Poisson loss is too low, or that of a gamma loss too high, this is the exact minimiser.

References
----------
F. Bach, "Self-concordant analysis for logistic regression", *Electronic Journal of Statistics* 4,
384-414, 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq

from nonet._base.aliases import Array, Floats
from nonet._native.sums import sums_by_group

# Shorter safe lengths count as 0. Beyond the maximum the exponential would overflow.
_MIN_LENGTH, _MAX_LENGTH = 1e-3, 700.0
_MAX_STEP = float(np.finfo(np.float64).max)


@lru_cache
def safe_length(rate: float) -> float:
    """Return the length up to which a step, the learning rate included, lowers the loss.

    Parameters
    ----------
    rate : float
        The learning rate, above 0.

    Returns
    -------
    float
        0 for rates of 2 and more.

    Examples
    --------
    >>> print(f"{safe_length(0.1):.2f} {safe_length(1):.2f} {safe_length(2):.2f}")
    5.86 1.79 0.00
    """

    def excess(length: float) -> float:
        with np.errstate(over="ignore"):  # at a rate close to 0 every step is safe
            return float(np.expm1(length) - length - length**2 / rate)

    if excess(_MIN_LENGTH) >= 0:
        return 0.0
    if excess(_MAX_LENGTH) <= 0:
        return _MAX_LENGTH
    return float(brentq(excess, _MIN_LENGTH, _MAX_LENGTH))


def shorten_unsafe_steps(
    steps: Floats, rate: float, leaves: Array, rise: Callable[[Array, Floats], Floats]
) -> None:
    """Shorten, in place, the steps of a tree if one of them would raise the loss of its leaf.

    All steps of such a tree are shortened by the same function, which keeps their order and with
    it monotonic constraints.

    Parameters
    ----------
    steps : array of shape (n_scores, n_nodes)
        Newton steps of the nodes, without the learning rate; a vector for each node.
    rate : float
        The learning rate.
    leaves : int array of shape (n_rows,)
        Leaf of each row, negative for rows to ignore.
    rise : callable
        ``rise(rows, moves)`` returns the increase of the losses of some rows if their scores are
        moved by `moves`, of shape (n_scores, len(rows)).

    Examples
    --------
    Three rows of the class 1 and one of the class 0, all of the probability 0.001. The Newton step
    of 749 is divided by 10, and would still make the last row very wrong:

    >>> import numpy as np
    >>> def rise(rows, moves):
    ...     return np.log1p(0.001 * np.expm1(moves[0])) - np.array([1, 1, 1, 0])[rows] * moves[0]
    >>> steps = np.array([[749.0]])
    >>> shorten_unsafe_steps(steps, 0.1, np.zeros(4, dtype=int), rise)
    >>> steps.round(2)
    array([[6.62]])
    """
    is_long = are_long(steps, rate)
    if not is_long.any():
        return
    rows = np.flatnonzero((leaves >= 0) & is_long[leaves])
    if not len(rows):
        return  # only inner nodes
    rises = rise(rows, rate * steps[:, leaves[rows]])
    total = sums_by_group(rises, leaves[rows], steps.shape[1])
    shorten_if_unsafe(steps, rate, is_long, total)


def are_long(steps: Floats, rate: float) -> Array:
    """Return which steps may raise the loss of their leaf.

    Parameters
    ----------
    steps : array of shape (n_scores, n_nodes)
        Newton steps without the learning rate.
    rate : float
        The learning rate.
    """
    is_long: Array = rate * np.abs(steps).max(axis=0) > safe_length(rate)
    return is_long


def shorten_if_unsafe(steps: Floats, rate: float, is_long: Array, rises: Floats) -> None:
    """Shorten all steps, in place, if a long one raises the loss.

    Parameters
    ----------
    steps, rate
        As in `are_long`.
    is_long : array of shape (n_nodes,)
        Which steps are long.
    rises : array of shape (n_nodes,)
        By how much they raise the loss of their rows; 0 for nodes without rows.
    """
    is_safe = (rises <= 0) & np.isfinite(np.abs(steps).max(axis=0))
    if (is_long & ~is_safe).any():
        finite = np.clip(steps, -_MAX_STEP, _MAX_STEP)
        steps[...] = np.sign(finite) * np.log1p(np.abs(finite)) * min(1.0, 1 / rate)
