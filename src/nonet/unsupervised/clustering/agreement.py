"""Agreement of partitions: the mean adjusted Rand index to the others."""

from __future__ import annotations

import numpy as np
from sklearn.metrics import adjusted_rand_score

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet.unsupervised.clustering.partitions import Partitions

_MAX_ROWS = 5_000  # evenly spaced rows are enough to compare whole partitions


def most_central(partitions: Partitions, candidates: Array) -> int:
    """Return the position of the candidate that agrees most with all partitions.

    Parameters
    ----------
    partitions : Partitions
    candidates : ndarray of int
        Positions of partitions.

    Returns
    -------
    position : int
    """
    some = partitions.take(np.linspace(0, partitions.n_rows - 1, _MAX_ROWS).astype(np.intp))
    if partitions.n_rows <= _MAX_ROWS:
        some = partitions
    scores = [mean_agreement(some, some.codes[:, candidate]) for candidate in candidates]
    return int(candidates[int(np.argmax(scores))])


def mean_agreement(partitions: Partitions, labels: Codes) -> float:
    """Return the mean adjusted Rand index of labels with the partitions."""
    return float(np.average(agreements(partitions, labels), weights=partitions.weights))


def agreements(partitions: Partitions, labels: Codes) -> Floats:
    """Return the adjusted Rand index of labels with each partition, without rows of noise."""
    return np.array([rand_index(labels, codes) for codes in partitions.codes.T])


def rand_index(one: Codes, other: Codes) -> float:
    """Return the adjusted Rand index over the rows that both partitions label."""
    both = (one != ABSTAINED) & (other != ABSTAINED)
    return float(adjusted_rand_score(one[both], other[both])) if both.any() else 0.0
