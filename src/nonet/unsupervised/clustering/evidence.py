"""Evidence accumulation: rows that share clusters often belong together.

The co-association of two rows is the fraction of partitions that put them into one cluster. Its
graph is divided by spectral clustering. This needs the first eigenvectors of the co-association
matrix, which are those of the bipartite graph of rows and clusters. They are found on the side of
the clusters, where the matrix has a row for each cluster of each partition; the vector of a row is
the mean of the vectors of its clusters. k-means divides these vectors, and each row joins the
cluster with which its mean co-association is the highest.

References
----------
A. L. N. Fred and A. K. Jain, "Combining multiple clusterings using evidence accumulation", *IEEE
Transactions on Pattern Analysis and Machine Intelligence* 27, 2005.
X. Z. Fern and C. E. Brodley, "Solving cluster ensemble problems by bipartite graph partitioning",
*ICML* 2004.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.streams import member_seed, stream
from nonet.unsupervised.clustering.cluster_tables import ClusterTables
from nonet.unsupervised.clustering.partitions import Partitions, positive_or_one
from nonet.unsupervised.clustering.small_fits import limit_small_fits

_MAX_DENSE = 2_000  # clusters of all partitions whose matrix is decomposed as a dense one
_MAX_KMEANS_ROWS = 20_000  # k-means is fitted on so many rows at most


def accumulate_evidence(partitions: Partitions, n_clusters: int, seed: int) -> ClusterTables:
    """Return the F of evidence accumulation.

    Parameters
    ----------
    partitions : Partitions
    n_clusters : int
    seed : int
        The seed of k-means.

    Returns
    -------
    tables : ClusterTables
    """
    labels = _cluster_vectors(_row_vectors(partitions, n_clusters), n_clusters, seed)
    labels[partitions.unlabelled()] = -1
    return coassociation_tables(partitions, labels, n_clusters)


def coassociation_tables(partitions: Partitions, labels: Codes, n_clusters: int) -> ClusterTables:
    """Return the F whose support is the mean co-association with the rows of each label."""
    overlaps = partitions.overlaps(labels, n_clusters)
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters)
    return ClusterTables(overlaps / np.maximum(sizes, 1), partitions.n_clusters)


def _row_vectors(partitions: Partitions, n_vectors: int) -> Floats:
    """Return the leading eigenvectors of the co-association graph, each row of length one."""
    scale, affinity = _cluster_affinity(partitions)
    vectors = _leading_eigenvectors(affinity, min(n_vectors, affinity.shape[0]))
    rows = partitions.mean_of(scale[:, np.newaxis] * vectors)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=rows, where=lengths > 0)
    return rows


def _cluster_affinity(partitions: Partitions) -> tuple[Floats, csr_array]:
    """Return D^-1/2 and D^-1/2 H' R^-1 H D^-1/2, with D the sizes and R the labels per row.

    Weights multiply the columns of H, which has the effect of partitions given several times.
    """
    total = partitions.n_all_clusters
    affinity, sizes = csr_array((total, total)), np.zeros(total)
    for _, incidence in partitions.blocks():
        totals = positive_or_one(incidence.sum(axis=1))
        affinity = affinity + incidence.T @ (diags_array(1 / totals) @ incidence)
        sizes += incidence.sum(axis=0)
    scale = 1 / np.sqrt(positive_or_one(sizes))
    return scale, csr_array(diags_array(scale) @ affinity @ diags_array(scale))


def _leading_eigenvectors(affinity: csr_array, n_vectors: int) -> Floats:
    total = affinity.shape[0]
    if total <= max(_MAX_DENSE, 2 * n_vectors):
        wanted = (total - n_vectors, total - 1)
        return np.asarray(eigh(affinity.toarray(), subset_by_index=wanted)[1])
    # A fixed start: the same bits in every run.
    start = stream(0, total).uniform(0.5, 1.0, size=total)
    return np.asarray(eigsh(affinity, n_vectors, v0=start)[1])


def _cluster_vectors(vectors: Floats, n_clusters: int, seed: int) -> Codes:
    """Divide row vectors by k-means."""
    model = KMeans(n_clusters, n_init=10, random_state=member_seed(seed, 0))
    with limit_small_fits(vectors), warnings.catch_warnings():
        # Fewer distinct vectors than clusters are reported once, by the caller.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(vectors[_sampled_rows(len(vectors), seed)])
        return np.asarray(model.predict(vectors), dtype=np.int32)


def _sampled_rows(n_rows: int, seed: int) -> Array:
    if n_rows <= _MAX_KMEANS_ROWS:
        return np.arange(n_rows)
    return np.sort(stream(seed, 1).choice(n_rows, _MAX_KMEANS_ROWS, replace=False))
