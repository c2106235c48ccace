"""Enumeration of all resamples, if they are few.

With replacement, a resample of size m from n rows is a multiset; there are C(n + m - 1, m) of them,
and one with counts c has the probability m! / (c_1! ... c_n!) / n^m. Without replacement it is one
of C(n, m) equally likely subsets.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import gammaln

from nonet._base.aliases import Codes, Floats


def count_resamples(n_rows: int, size: int, replace: bool = True) -> int:
    """Return the number of different resamples."""
    return comb(n_rows + size - 1 if replace else n_rows, size)


def are_at_most(limit: int, n_rows: int, size: int, replace: bool = True) -> bool:
    """Return whether there are at most ``limit`` resamples, without a number of many digits."""
    n = n_rows + size - 1 if replace else n_rows
    log_count = gammaln(n + 1) - gammaln(size + 1) - gammaln(n - size + 1)
    return bool(log_count < np.log(limit) + 1) and count_resamples(n_rows, size, replace) <= limit


def all_resamples(n_rows: int, size: int, replace: bool = True) -> tuple[Codes, Floats]:
    """Return the rows of every resample, (n_resamples, size), and their probabilities."""
    if not replace:
        subsets = np.array(list(combinations(range(n_rows), size)))
        return subsets, np.full(len(subsets), 1 / len(subsets))
    rows = np.array(list(combinations_with_replacement(range(n_rows), size)))
    counts = (rows[:, :, None] == np.arange(n_rows)).sum(axis=1)
    log_ways = gammaln(size + 1) - gammaln(counts + 1).sum(axis=1)
    probabilities = np.exp(log_ways - size * np.log(n_rows))
    return rows, probabilities / probabilities.sum()
