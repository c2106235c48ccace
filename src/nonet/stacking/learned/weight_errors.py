"""Standard errors of found weights, by the jackknife over folds or by the bootstrap.

References
----------
B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 6 and 11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.streams import root_seed, stream

_MAX_FOLDS = 20  # with more folds, such as leave-one-out, neighbouring folds are merged
_N_DRAWS = 50

FindWeights = Callable[[Array], Floats]
"""A function that maps row positions to the weights found on these rows."""


def jackknife_errors(find: FindWeights, n_rows: int, folds: Sequence[Array]) -> Floats:
    """Return the standard errors of weights by leaving out one fold at a time.

    Parameters
    ----------
    find : callable
    n_rows : int
    folds : sequence of ndarray
        The held-out rows of each fold; at least two.

    Returns
    -------
    errors : ndarray of shape (k,)
        sqrt((K - 1) / K sum_j (w_(j) - mean w)^2).
    """
    parts = [np.concatenate(list(part)) for part in _gather(folds)]
    every = np.arange(n_rows)
    found = np.array([find(np.setdiff1d(every, part)) for part in parts])
    n_parts = len(parts)
    errors: Floats = np.sqrt((n_parts - 1) * found.var(axis=0))
    return errors


def bootstrap_errors(find: FindWeights, n_rows: int, random_state: Any = None) -> Floats:
    """Return the standard deviations of weights over bootstrap samples of the rows.

    Parameters
    ----------
    find : callable
    n_rows : int
    random_state : int, RandomState, Generator or None

    Returns
    -------
    errors : ndarray of shape (k,)
    """
    root = root_seed(random_state)
    found = [find(stream(root, draw).integers(n_rows, size=n_rows)) for draw in range(_N_DRAWS)]
    errors: Floats = np.std(found, axis=0, ddof=1)
    return errors


def _gather(folds: Sequence[Array]) -> list[Sequence[Array]]:
    """Merge neighbouring folds until there are few enough."""
    n_parts = min(len(folds), _MAX_FOLDS)
    ends = np.linspace(0, len(folds), n_parts + 1).astype(int)
    return [folds[a:b] for a, b in pairwise(ends)]
