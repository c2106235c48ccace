"""The median partition: the partition with the fewest disagreements with all members.

Two partitions disagree on a pair of rows that one puts together and the other apart (Mirkin's
distance). The sum of disagreements with all members falls most if a row x moves to the cluster j
with the smallest mean of |c xor j| over the clusters c that the members put x into. Finding the
minimum is NP-hard. The search starts from the best of three partitions (evidence, votes, the member
that agrees most with the others). It moves all rows that gain at once, or a random half of them
while that does not help, until none gains.

References
----------
B. Mirkin, *Mathematical Classification and Clustering*, Kluwer, 1996.
"""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import ABSTAINED, Codes
from nonet._base.streams import stream
from nonet.unsupervised.clustering.agreement import most_central
from nonet.unsupervised.clustering.aligned_votes import vote_on_clusters
from nonet.unsupervised.clustering.cluster_tables import ClusterTables
from nonet.unsupervised.clustering.evidence import accumulate_evidence
from nonet.unsupervised.clustering.partitions import Partitions

_MAX_MOVES = 100
_MAX_HALVINGS = 6


def find_median_partition(partitions: Partitions, n_clusters: int, seed: int) -> ClusterTables:
    """Return the F of the median partition.

    Parameters
    ----------
    partitions : Partitions
    n_clusters : int
        The largest number of clusters of the median.
    seed : int
        The seed of the random halves.

    Returns
    -------
    tables : ClusterTables
    """
    labels = _starting_labels(partitions, n_clusters, seed)
    random, best = stream(seed, 2), count_disagreements(partitions, labels, n_clusters)
    for _ in range(_MAX_MOVES):
        moved, found = _move(partitions, labels, n_clusters, best, random)
        if found >= best:
            break
        labels, best = moved, found
    return difference_tables(partitions, labels, n_clusters)


def _starting_labels(partitions: Partitions, n_clusters: int, seed: int) -> Codes:
    """Return the best of the evidence, of the votes and of the most central member."""
    fitting = np.flatnonzero(partitions.n_clusters <= n_clusters)
    rule = accumulate_evidence(partitions, n_clusters, seed)
    starts = [rule.memberships(partitions).argmax(axis=1)]
    if fitting.size:
        votes = vote_on_clusters(partitions, n_clusters, seed)
        starts.append(votes.memberships(partitions).argmax(axis=1))
        starts.append(partitions.codes[:, most_central(partitions, fitting)])
    starts = [np.where(partitions.unlabelled(), ABSTAINED, labels) for labels in starts]
    return min(starts, key=lambda one: count_disagreements(partitions, one, n_clusters))


def _move(
    partitions: Partitions,
    labels: Codes,
    n_clusters: int,
    best: float,
    random: np.random.Generator,
) -> tuple[Codes, float]:
    """Return better labels and their disagreements, or what was tried last."""
    distances = partitions.mean_of(difference_tables(partitions, labels, n_clusters).tables)
    targets = np.where(partitions.unlabelled(), ABSTAINED, distances.argmin(axis=1))
    rows = np.flatnonzero(targets != labels)
    moved, found = labels, best
    for _ in range(_MAX_HALVINGS):
        moved = labels.copy()
        moved[rows] = targets[rows]
        found = count_disagreements(partitions, moved, n_clusters)
        if found < best or rows.size <= 1:
            break
        rows = rows[random.random(rows.size) < 0.5]
    return moved, found


def difference_tables(partitions: Partitions, labels: Codes, n_clusters: int) -> ClusterTables:
    """Return the F with |c xor j| / n for each member cluster c and each label j."""
    overlaps = partitions.overlaps(labels, n_clusters)
    # |j| counts the rows that the member labels: a member that abstains disagrees with nothing.
    sizes = np.add.reduceat(overlaps, partitions.starts, axis=0)
    sizes = np.repeat(sizes, partitions.n_clusters, axis=0)
    differences = overlaps.sum(axis=1, keepdims=True) + sizes - 2 * overlaps
    # A cluster that lost all its rows would be the nearest one to small clusters.
    differences[sizes == 0] = partitions.n_rows
    fractions = differences / partitions.n_rows
    return ClusterTables(fractions, partitions.n_clusters, are_distances=True)


def count_disagreements(partitions: Partitions, labels: Codes, n_clusters: int) -> float:
    """Return the number of pairs of rows on which labels and members disagree, over all members.

    Pairs with a row that a member calls noise are not counted for that member.
    """
    overlaps = partitions.overlaps(labels, n_clusters)
    starts = partitions.starts
    # Per cluster: twice the pairs that both put together, plus the rows.
    together = (overlaps**2).sum(axis=1)
    member_pairs = overlaps.sum(axis=1) ** 2
    label_pairs = (np.add.reduceat(overlaps, starts, axis=0) ** 2).sum(axis=1)
    differences = np.add.reduceat(member_pairs - 2 * together, starts) + label_pairs
    weights = np.ones(len(differences)) if partitions.weights is None else partitions.weights
    return float(weights @ differences) / 2
