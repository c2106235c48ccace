"""Contents of a bag: rows sampled with replacement, columns sampled for a split.

References: B. Efron & R. Tibshirani (1993), An introduction to the bootstrap; L. Breiman (1996),
Bagging predictors, Machine Learning 24, 123-140; L. Breiman (2001), Random forests, Machine
Learning 45, 5-32.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.params import Boolean, Choice, bad_parameter
from nonet.theory.arguments import (
    COUNT,
    Prediction,
    as_requested,
    check_choice,
    check_numbers,
    for_each,
)

# From here on N!/N^N is below the smallest float.
_VANISHING = 800


def left_out_probability(n_rows: ArrayLike, n_draws: ArrayLike | None = None) -> Prediction:
    """Return the probability that a row is not in a bag: out of bag.

    Parameters
    ----------
    n_rows : int or array-like of int
        The number n of rows.
    n_draws : int or array-like of int, default=None
        The size of the bag, drawn with replacement; None is n.

    Returns
    -------
    probability : float or ndarray
        (1 - 1/n)^n_draws, which tends to exp(-1) = 0.368 for bags of n draws.

    Examples
    --------
    >>> from nonet.theory import left_out_probability
    >>> left_out_probability([3, 10, 100, 10_000]).round(4)
    array([0.2963, 0.3487, 0.366 , 0.3679])
    """
    return as_requested(_left_out("left_out_probability", n_rows, n_draws))


def distinct_fraction(n_rows: ArrayLike, n_draws: ArrayLike | None = None) -> Prediction:
    """Return the expected fraction of the rows that are in a bag.

    Parameters
    ----------
    n_rows : int or array-like of int
        The number n of rows.
    n_draws : int or array-like of int, default=None
        The size of the bag, drawn with replacement; None is n.

    Returns
    -------
    fraction : float or ndarray
        1 - (1 - 1/n)^n_draws, which tends to 0.632 for bags of n draws.

    Examples
    --------
    >>> from nonet.theory import distinct_fraction
    >>> print(f"{distinct_fraction(1_000_000):.4f} {distinct_fraction(1000, 500):.4f}")
    0.6321 0.3936
    """
    return as_requested(1 - _left_out("distinct_fraction", n_rows, n_draws))


def never_left_out_probability(
    n_rows: ArrayLike, n_bags: ArrayLike, n_draws: ArrayLike | None = None
) -> Prediction:
    """Return the probability that a row is in every bag, so that no member can be tested on it.

    Parameters
    ----------
    n_rows : int or array-like of int
        The number n of rows.
    n_bags : int or array-like of int
        The number of bags, drawn independently.
    n_draws : int or array-like of int, default=None
        The size of a bag, drawn with replacement; None is n.

    Returns
    -------
    probability : float or ndarray
        Times n, it is the expected number of rows without an out-of-bag prediction.

    Examples
    --------
    >>> from nonet.theory import never_left_out_probability
    >>> never_left_out_probability(1000, [5, 10, 50]).round(4)
    array([0.1011, 0.0102, 0.    ])
    """
    owner = "never_left_out_probability"
    bags = check_numbers(owner, "n_bags", n_bags, COUNT)
    return as_requested((1 - _left_out(owner, n_rows, n_draws)) ** bags)


def original_sample_probability(n_rows: ArrayLike) -> Prediction:
    """Return the probability that a bag of n draws holds every row exactly once.

    Parameters
    ----------
    n_rows : int or array-like of int
        The number n of rows, all different.

    Returns
    -------
    probability : float or ndarray
        n! / n^n, the bag being the data set in any order; one given order has 1 / n^n.

    Examples
    --------
    >>> from nonet.theory import original_sample_probability
    >>> original_sample_probability([3, 4, 10]).round(6)
    array([0.222222, 0.09375 , 0.000363])
    """
    n = check_numbers("original_sample_probability", "n_rows", n_rows, COUNT)
    return for_each(_original, n)


def _original(n: float) -> float:
    # A quotient of whole numbers is rounded once, however long they are.
    return math.factorial(int(n)) / int(n) ** int(n) if n < _VANISHING else 0.0


def count_bootstrap_samples(
    n_rows: int, n_draws: int | None = None, *, ordered: bool = True
) -> int:
    """Count all bootstrap samples, as an exact integer.

    Parameters
    ----------
    n_rows : int
        The number n of rows, all different.
    n_draws : int, default=None
        The size m of the bag, drawn with replacement; None is n.
    ordered : bool, default=True
        Whether samples with the same rows in another order are different.

    Returns
    -------
    count : int
        n^m in order; C(n + m - 1, m) different bags regardless of it.

    Examples
    --------
    >>> from nonet.theory import count_bootstrap_samples
    >>> count_bootstrap_samples(12), count_bootstrap_samples(12, ordered=False)
    (8916100448256, 1352078)
    """
    owner = "count_bootstrap_samples"
    n = _check_count(owner, "n_rows", n_rows)
    m = n if n_draws is None else _check_count(owner, "n_draws", n_draws)
    if not Boolean().allows(ordered):
        raise bad_parameter(owner, "ordered", Boolean().describe(), ordered)
    return n**m if ordered else math.comb(n + m - 1, m)


def forest_columns(n_columns: ArrayLike, task: str = "classification") -> Prediction:
    """Return the number of columns per split of a random forest by Breiman's rule of thumb.

    Parameters
    ----------
    n_columns : int or array-like of int
        The number p of columns.
    task : {'classification', 'regression'}, default='classification'
        What the forest is for.

    Returns
    -------
    n_candidates : int or ndarray of int
        floor(sqrt(p)) for classification, floor(p / 3) for regression, and at least 1.

    Examples
    --------
    >>> from nonet.theory import forest_columns
    >>> forest_columns([2, 10, 16]), forest_columns([2, 10, 16], "regression")
    (array([1, 3, 4]), array([1, 3, 5]))
    """
    owner = "forest_columns"
    p = check_numbers(owner, "n_columns", n_columns, COUNT)
    check_choice(owner, "task", task, Choice("classification", "regression"))
    columns = np.sqrt(p) if task == "classification" else p / 3
    return as_requested(np.maximum(np.floor(columns), 1).astype(np.int64))


def _left_out(owner: str, n_rows: ArrayLike, n_draws: ArrayLike | None) -> Floats:
    n = check_numbers(owner, "n_rows", n_rows, COUNT)
    m = n if n_draws is None else check_numbers(owner, "n_draws", n_draws, COUNT)
    with np.errstate(divide="ignore"):  # one row: it is always in the bag
        return np.asarray(np.exp(m * np.log1p(-1 / n)))


def _check_count(owner: str, name: str, value: Any) -> int:
    if not COUNT.allows(value):
        raise bad_parameter(owner, name, COUNT.describe(), value)
    return int(value)
