"""F of a consensus clustering: each cluster of a member supports the consensus clusters.

A consensus is a table with a row for each cluster of each member and a column for each consensus
cluster. F averages the rows of the table over the clusters that the members put a row of X into,
and scales the result to memberships. The methods differ in the table:

- ``vote``: 1 for the consensus cluster that the member's cluster is aligned to, else 0;
- ``evidence``: |c and j| / |j|, so that the mean is the mean co-association of the row with the
  rows of consensus cluster j;
- ``median``: |c xor j| / n, the fraction of rows on which the member's cluster c and the consensus
  cluster j disagree. Its inverse is the membership, as in fuzzy c-means.

Members that abstain on a row are left out of its mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import Codes, Floats, Kind
from nonet.unsupervised.clustering.partitions import Partitions


@dataclass(frozen=True)
class ClusterTables:
    """F of a fitted consensus clustering.

    Attributes
    ----------
    tables : ndarray of shape (n_all_clusters, n_clusters)
        The support of each member's cluster for each consensus cluster.
    n_member_clusters : ndarray of int of shape (n_members,)
        Number of clusters of each member.
    are_distances : bool
        Whether the table holds distances, whose inverse is the support.
    reads : 'labels'
        The kind of member outputs that F reads: cluster codes, -1 for noise.
    member_weights : ndarray of shape (n_members,) or None
        How much each member counts; None means all the same.
    """

    tables: Floats
    n_member_clusters: Codes
    are_distances: bool = False
    reads: Kind = "labels"
    member_weights: Floats | None = None

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"consensus of cluster {self.reads}"

    def __call__(self, outputs: Codes, X: Any = None) -> Floats:
        """Return the memberships (n, n_clusters) of rows from the cluster codes of the members.

        They sum to one; they are zeros where all members abstain.
        """
        codes = np.asarray(outputs)
        return self.memberships(Partitions(codes, self.n_member_clusters, self.member_weights))

    def memberships(self, partitions: Partitions) -> Floats:
        """Return the memberships of rows from the partitions of the members."""
        support = partitions.mean_of(self.tables)
        if self.are_distances:
            # A distance of zero is a membership of one: no other term counts beside it.
            support = 1 / np.maximum(support, np.finfo(np.float64).tiny ** 0.5)
            support[partitions.unlabelled()] = 0
        total = support.sum(axis=1, keepdims=True)
        np.divide(support, total, out=support, where=total > 0)
        return support

    def in_order(self, order: Codes) -> ClusterTables:
        """Return the same F with the consensus clusters in another order."""
        tables = np.ascontiguousarray(self.tables[:, order])
        return replace(self, tables=tables)
