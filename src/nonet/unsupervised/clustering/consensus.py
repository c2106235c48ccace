"""One partition from several: the methods by name, and the function on label arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from nonet._base.aliases import ABSTAINED, Codes, Floats
from nonet._base.errors import show
from nonet._base.names import look_up
from nonet._base.params import Integer, bad_parameter
from nonet._base.results import Result
from nonet._base.streams import root_seed
from nonet._base.warn import warn_caller
from nonet.unsupervised.clustering.agreement import agreements
from nonet.unsupervised.clustering.aligned_votes import vote_on_clusters
from nonet.unsupervised.clustering.cluster_tables import ClusterTables
from nonet.unsupervised.clustering.evidence import accumulate_evidence
from nonet.unsupervised.clustering.median_partition import find_median_partition
from nonet.unsupervised.clustering.partitions import Partitions, check_partitions

Method = Callable[[Partitions, int, int], ClusterTables]

METHODS: dict[str, Method] = {
    "evidence": accumulate_evidence,
    "vote": vote_on_clusters,
    "median": find_median_partition,
}


@dataclass(frozen=True)
class ConsensusPartition(Result):
    """The consensus of several partitions.

    Attributes
    ----------
    labels : ndarray of int of shape (n_rows,)
        The cluster of each row, 0 for the largest; -1 where all partitions have noise.
    memberships : ndarray of shape (n_rows, n_clusters)
        The support of each cluster, scaled to sum to one.
    stability : ndarray of shape (n_rows,)
        The largest membership minus the second largest: 0 for a row between two clusters.
    agreement : ndarray of shape (n_partitions,)
        The adjusted Rand index of the consensus with each partition.
    method : str
        How it was found.

    Examples
    --------
    >>> from nonet import combine_partitions
    >>> found = combine_partitions([[0, 0, 1, 1], [1, 1, 0, 0]], n_clusters=2)
    >>> found.agreement
    array([1., 1.])
    """

    labels: Codes
    memberships: Floats
    stability: Floats
    agreement: Floats
    method: str
    _shown: ClassVar[tuple[str, ...]] = ("method", "labels", "agreement")


def combine_partitions(
    partitions: Any,
    n_clusters: int,
    *,
    method: str = "evidence",
    random_state: Any = None,
) -> ConsensusPartition:
    """Combine partitions of the same rows into one.

    For label arrays that were computed elsewhere; :class:`ConsensusClustering` fits the partitions
    itself, and predicts new rows.

    Parameters
    ----------
    partitions : list or mapping of array-like, or ndarray of shape (n_partitions, n_rows)
        The labels of each partition, in a data frame one column for each. The names and the number
        of the clusters may differ from partition to partition; negative numbers are noise, on which
        the partition abstains.
    n_clusters : int
        Number of clusters of the consensus.
    method : {'evidence', 'vote', 'median'}, default='evidence'
        'evidence' divides the graph of rows that often have a cluster in common (evidence
        accumulation). 'vote' renames clusters to those of a reference (Hungarian method) and
        counts votes; one partition at least must have no more than ``n_clusters`` clusters.
        'median' searches for the partition with the fewest disagreements about pairs of rows.
    random_state : int, RandomState, Generator or None, default=None
        The seed of k-means in 'evidence' and of the search in 'median'.

    Returns
    -------
    consensus : ConsensusPartition

    See Also
    --------
    ConsensusClustering : The same with members that are fitted, as an estimator.

    Notes
    -----
    No matrix of rows x rows is formed. The memory is that of the labels as 32-bit numbers, of the
    memberships, and of a matrix with a row and a column for each cluster of each partition.

    Examples
    --------
    >>> from nonet import combine_partitions
    >>> partitions = [[0, 0, 0, 1, 1], ["b", "b", "a", "a", "a"], [7, 7, 7, 5, -1]]
    >>> combine_partitions(partitions, n_clusters=2, random_state=0).labels
    array([0, 0, 0, 1, 1])
    """
    checked = check_partitions(partitions)
    check_n_clusters("combine_partitions", n_clusters, checked.n_rows)
    rule = find_consensus(checked, int(n_clusters), method, root_seed(random_state))
    memberships = rule.memberships(checked)
    labels = np.where(memberships.any(axis=1), memberships.argmax(axis=1), ABSTAINED)
    warn_of_missing_clusters("combine_partitions", labels, int(n_clusters))
    margin = margins_of(memberships)
    return ConsensusPartition(labels, memberships, margin, agreements(checked, labels), method)


def find_consensus(
    partitions: Partitions, n_clusters: int, method: str, seed: int
) -> ClusterTables:
    """Return the F of a method, with the clusters in descending order of size."""
    rule = look_up(METHODS, method, "method of consensus")(partitions, n_clusters, seed)
    memberships = rule.memberships(partitions)
    labels = memberships.argmax(axis=1)[memberships.any(axis=1)]
    sizes = np.bincount(labels, minlength=n_clusters)
    ordered = rule.in_order(np.argsort(-sizes, kind="stable"))
    return replace(ordered, member_weights=partitions.weights)


def check_n_clusters(owner: Any, n_clusters: Any, n_rows: int) -> None:
    """Raise unless ``n_clusters`` is a number of clusters that so many rows can have."""
    if not Integer(1).allows(n_clusters):
        raise bad_parameter(owner, "n_clusters", Integer(1).describe(), n_clusters)
    if n_clusters > n_rows:
        name = owner if isinstance(owner, str) else type(owner).__name__
        raise ValueError(
            f"{name}: n_clusters={show(n_clusters)} must be at most the number of rows, but "
            f"n_samples={n_rows}."
        )


def warn_of_missing_clusters(name: str, labels: Codes, n_clusters: int) -> None:
    """Warn if a consensus has fewer clusters than requested, as k-means does."""
    n_found = len(np.unique(labels[labels >= 0]))
    if n_found < n_clusters:
        warn_caller(
            f"{name}: the consensus has {n_found} clusters where n_clusters={n_clusters} were "
            "requested, because the partitions do not agree on more; give other partitions, or "
            "lower n_clusters.",
            ConvergenceWarning,
        )


def margins_of(memberships: Floats) -> Floats:
    """Return the largest minus the second largest membership of each row."""
    if memberships.shape[1] == 1:
        return memberships[:, 0].copy()
    top = np.partition(memberships, -2, axis=1)[:, -2:]
    return np.asarray(top[:, 1] - top[:, 0])
