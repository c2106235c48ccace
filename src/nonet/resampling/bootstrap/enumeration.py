"""Enumeration of all resamples, if they are few.

A resample of size m from n rows is a multiset; there are C(n + m - 1, m) of them, and one with
counts c has the probability m! / (c_1! ... c_n!) / n^m.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
from scipy.special import gammaln

from nonet._base.aliases import Codes, Floats


def count_resamples(n_rows: int, size: int) -> int:
    """Return the number of different resamples."""
    return comb(n_rows + size - 1, size)


def are_at_most(limit: int, n_rows: int, size: int) -> bool:
    """Return whether there are at most ``limit`` resamples, without a number of many digits."""
    log_count = gammaln(n_rows + size) - gammaln(size + 1) - gammaln(n_rows)
    return bool(log_count < np.log(limit) + 1) and count_resamples(n_rows, size) <= limit


def all_resamples(n_rows: int, size: int) -> tuple[Codes, Floats]:
    """Return the rows of every resample, (n_resamples, size), and their probabilities."""
    rows = np.array(list(combinations_with_replacement(range(n_rows), size)))
    counts = (rows[:, :, None] == np.arange(n_rows)).sum(axis=1)
    log_ways = gammaln(size + 1) - gammaln(counts + 1).sum(axis=1)
    probabilities = np.exp(log_ways - size * np.log(n_rows))
    return rows, probabilities / probabilities.sum()
