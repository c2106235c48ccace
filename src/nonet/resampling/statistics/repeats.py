"""Weights as repetition: rows repeated in proportion to their weights.

A statistic that takes no weights can still be computed of a weighted sample if the weights are in
proportion to small whole numbers: of the rows, each repeated so often.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats
from nonet.resampling.statistics.samples import Sample

# The maximum multiple of the smallest weight that is tried.
_MAX_MULTIPLE = 1000
# The maximum number of rows of a repeated table.
_MAX_ROWS = 10**6


def repeat_counts(weights: Floats) -> Codes | None:
    """Return the smallest whole numbers in proportion to the weights; None if there are none."""
    ratios = weights / weights[weights > 0].min()
    multiple = 1
    for ratio in np.unique(ratios):
        multiple = lcm(multiple, Fraction(ratio).limit_denominator(_MAX_MULTIPLE).denominator)
        if multiple > _MAX_MULTIPLE:
            return None
    exact = multiple * ratios
    counts = np.rint(exact)
    if counts.sum() > _MAX_ROWS or not np.allclose(exact, counts, rtol=1e-12, atol=1e-9):
        return None
    return np.asarray(counts, dtype=np.intp)


def repeat_rows(sample: Sample, weights: Floats) -> tuple[Any, ...]:
    """Return the tables with their rows repeated; weights of unpaired parts follow each other."""
    counts = repeat_counts(weights)
    if counts is None:
        raise ValueError(
            "rows cannot be repeated in proportion to their weights, which are not in proportion "
            "to small whole numbers: give a statistic that takes weights as a keyword argument."
        )
    of_parts = np.split(counts, np.cumsum(sample.sizes)[:-1])
    return sample.take([np.repeat(np.arange(len(own)), own) for own in of_parts])
