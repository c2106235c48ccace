"""Votes of aligned partitions: clusters are renamed to those of a reference, then counted.

The reference is first the partition that agrees most with the others, then the outcome of the
votes, until it stays the same.

References
----------
S. Dudoit and J. Fridlyand, "Bagging to improve the accuracy of a clustering procedure",
*Bioinformatics* 19, 2003.
H. W. Kuhn, "The Hungarian method for the assignment problem", *Naval Research Logistics* 2, 1955.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from nonet._base.aliases import Array, Codes, Floats
from nonet.unsupervised.clustering.agreement import most_central
from nonet.unsupervised.clustering.cluster_tables import ClusterTables
from nonet.unsupervised.clustering.partitions import Partitions

_MAX_ALIGNMENTS = 20


def vote_on_clusters(partitions: Partitions, n_clusters: int, seed: int) -> ClusterTables:
    """Return the F of aligned votes.

    Parameters
    ----------
    partitions : Partitions
        At least one has ``n_clusters`` clusters or fewer.
    n_clusters : int
    seed : int
        Not used: nothing is random here.

    Returns
    -------
    tables : ClusterTables
    """
    reference = partitions.codes[:, most_central(partitions, _candidates(partitions, n_clusters))]
    for _ in range(_MAX_ALIGNMENTS):
        rule = ClusterTables(_align(partitions, reference, n_clusters), partitions.n_clusters)
        labels = _plurality(rule.memberships(partitions))
        if np.array_equal(labels, reference):
            break
        reference = labels
    return rule


def _candidates(partitions: Partitions, n_clusters: int) -> Array:
    """Return the partitions with ``n_clusters`` clusters, or else with the most below."""
    own = partitions.n_clusters
    if own.min() > n_clusters:
        raise ValueError(
            f"the method 'vote' needs a partition with n_clusters={n_clusters} clusters to align "
            f"the others to, but the numbers of clusters are {sorted(set(own.tolist()))}; use the "
            "method 'evidence', or partitions with that number."
        )
    return np.flatnonzero(own == own[own <= n_clusters].max())


def _plurality(memberships: Floats) -> Codes:
    return np.where(memberships.any(axis=1), memberships.argmax(axis=1), -1)


def _align(partitions: Partitions, reference: Codes, n_clusters: int) -> Floats:
    """Return a table with a 1 for the reference cluster that each cluster is renamed to."""
    overlaps = partitions.overlaps(reference, n_clusters)
    names = [align_clusters(part) for part in np.split(overlaps, partitions.starts[1:])]
    return np.asarray(np.eye(n_clusters)[np.concatenate(names)])


def align_clusters(overlaps: Array) -> Codes:
    """Return the reference cluster of each cluster: the assignment with the most common rows.

    Clusters beyond the number of the reference's join the one that they overlap most.

    Parameters
    ----------
    overlaps : ndarray of shape (n_clusters, n_reference_clusters)
        Numbers of common rows.

    Returns
    -------
    names : ndarray of int of shape (n_clusters,)
    """
    names = overlaps.argmax(axis=1)
    clusters, references = linear_sum_assignment(overlaps, maximize=True)
    names[clusters] = references
    return np.asarray(names)
