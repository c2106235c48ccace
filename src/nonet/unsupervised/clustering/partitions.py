"""Several partitions of the same rows, and the sparse incidence matrix of rows and clusters.

A partition gives each row the code of a cluster, or -1 where it abstains (noise). The clusters of
all partitions are numbered one after another. The incidence matrix H has a row for each row and a
column for each cluster; H H' counts how often two rows share a cluster. It is the co-association
matrix of n x n numbers, which is never formed: everything is computed from blocks of H.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.errors import show
from nonet._base.frames import column_names, find_missing

_ROWS_PER_BLOCK = 32_768  # a block of H takes 20 MB for 50 partitions


@dataclass(frozen=True)
class Partitions:
    """Cluster codes of several partitions.

    Attributes
    ----------
    codes : ndarray of int of shape (n_rows, n_partitions)
        Position of the cluster in its partition; -1 where the partition abstains.
    n_clusters : ndarray of int of shape (n_partitions,)
        Number of clusters of each partition.
    weights : ndarray of shape (n_partitions,) or None
        How much each partition counts; None means all the same.
    """

    codes: Codes
    n_clusters: Codes
    weights: Floats | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.codes)

    @property
    def starts(self) -> Codes:
        """The number of the first cluster of each partition."""
        return np.concatenate([[0], np.cumsum(self.n_clusters)[:-1]])

    @property
    def n_all_clusters(self) -> int:
        """Number of clusters of all partitions together."""
        return int(self.n_clusters.sum())

    def take(self, rows: Array) -> Partitions:
        """Return the same partitions of some of the rows."""
        return Partitions(self.codes[rows], self.n_clusters, self.weights)

    def blocks(self) -> Iterator[tuple[slice, csr_array]]:
        """Yield slices of rows and their part of the incidence matrix."""
        for first in range(0, self.n_rows, _ROWS_PER_BLOCK):
            rows = slice(first, min(first + _ROWS_PER_BLOCK, self.n_rows))
            yield rows, self.incidence(rows)

    def incidence(self, rows: slice = slice(None)) -> csr_array:
        """Return the rows of the incidence matrix, with the weights of partitions as entries."""
        codes = self.codes[rows]
        labelled = codes != ABSTAINED
        clusters = (codes + self.starts.astype(np.int32))[labelled].astype(np.int32)
        ends = np.concatenate([[0], labelled.sum(axis=1).cumsum()])
        shape = (len(codes), self.n_all_clusters)
        entries = np.ones(len(clusters))
        if self.weights is not None:
            entries = np.broadcast_to(self.weights, codes.shape)[labelled]
        return csr_array((entries, clusters, ends), shape=shape)

    def mean_of(self, tables: Floats) -> Floats:
        """Return the weighted mean of the rows of a table over the clusters of each row.

        Parameters
        ----------
        tables : ndarray of shape (n_all_clusters, n_columns)

        Returns
        -------
        means : ndarray of shape (n_rows, n_columns)
            Zeros where all partitions abstain.
        """
        means = np.empty((self.n_rows, tables.shape[1]))
        for rows, incidence in self.blocks():
            totals = positive_or_one(incidence.sum(axis=1))
            means[rows] = (incidence @ tables) / totals[:, np.newaxis]
        return means

    def overlaps(self, labels: Codes, n_labels: int) -> Floats:
        """Return how many rows each cluster and each of ``n_labels`` other clusters have in common.

        Parameters
        ----------
        labels : ndarray of int of shape (n_rows,)
            Codes of the other clusters; -1 belongs to none.
        n_labels : int

        Returns
        -------
        counts : ndarray of shape (n_all_clusters, n_labels)
        """
        tables = []
        for codes, n_clusters in zip(self.codes.T, self.n_clusters, strict=True):
            both = (codes != ABSTAINED) & (labels != ABSTAINED)
            pairs = codes[both].astype(np.intp) * n_labels + labels[both]
            counts = np.bincount(pairs, minlength=n_clusters * n_labels)
            tables.append(counts.reshape(n_clusters, n_labels))
        return np.vstack(tables).astype(np.float64)

    def unlabelled(self) -> Array:
        """Return which rows have no label in any partition."""
        return np.asarray((self.codes == ABSTAINED).all(axis=1))


def positive_or_one(totals: Floats) -> Floats:
    """Return totals to divide by: 1 in place of 0, where the sum is 0 as well."""
    return np.asarray(np.where(totals > 0, totals, 1.0))


def encode_partition(labels: Any, clusters: Array | None = None) -> tuple[Codes, Array]:
    """Return the code of each label, -1 for noise, and the labels of the clusters.

    Parameters
    ----------
    labels : array-like of shape (n_rows,)
        Negative whole numbers are noise.
    clusters : ndarray, default=None
        The sorted labels of the clusters; None finds them. Other labels get the code -1.

    Returns
    -------
    codes : ndarray of int32 of shape (n_rows,)
    clusters : ndarray
    """
    labels = np.asarray(labels)
    is_noise = labels < 0 if labels.dtype.kind in "iuf" else np.zeros(len(labels), dtype=bool)
    if clusters is None:
        clusters = np.unique(labels[~is_noise])
    codes = np.minimum(np.searchsorted(clusters, labels), max(len(clusters) - 1, 0))
    known = ~is_noise & (clusters[codes] == labels) if len(clusters) else ~is_noise
    return np.where(known, codes, ABSTAINED).astype(np.int32), clusters


def check_partitions(partitions: Any) -> Partitions:
    """Return partitions given as label arrays, or raise an error of one sentence.

    Parameters
    ----------
    partitions : list of array-like, mapping, frame, or ndarray of shape (n_partitions, n_rows)

    Returns
    -------
    partitions : Partitions
    """
    partitions = _as_sequence(partitions)
    if isinstance(partitions, str | bytes) or not hasattr(partitions, "__len__"):
        raise TypeError(
            f"partitions must be a list of label arrays, one for each partition, but got "
            f"{show(partitions)}."
        )
    if len(partitions) == 0:
        raise ValueError("partitions must hold at least one partition, but is empty.")
    labels = [_check_labels(one, position) for position, one in enumerate(partitions)]
    _check_lengths(labels)
    coded = [_encode_or_refuse(one, position) for position, one in enumerate(labels)]
    # Stored partition by partition: the loops over partitions read contiguous memory.
    codes = np.array([codes for codes, _ in coded]).T
    return Partitions(codes, np.array([len(clusters) for _, clusters in coded]))


def _as_sequence(partitions: Any) -> Any:
    """Return the columns of a frame or the values of a mapping; others as they are."""
    if isinstance(partitions, Mapping):
        return list(partitions.values())
    names = column_names(partitions)
    return partitions if names is None else [partitions[name] for name in names]


def _check_labels(labels: Any, position: int) -> Array:
    try:
        values = np.asarray(labels)
    except ValueError as why:  # rows of several lengths
        raise ValueError(
            f"each partition must be one label for each row, but partition {position} is "
            f"{show(labels)}."
        ) from why
    if values.ndim != 1 or values.size == 0:
        raise ValueError(
            f"each partition must be one label for each row, but partition {position} has shape "
            f"{values.shape}."
        )
    missing = np.flatnonzero(find_missing(values))
    if missing.size:
        raise ValueError(
            f"partition {position} has a missing label in row {missing[0]}; noise is labelled -1."
        )
    if values.dtype.kind == "O":  # such as nullable whole numbers of pandas
        values = np.array(values.tolist())
    return values if values.ndim == 1 and values.dtype.kind in "biufU" else values.astype(str)


def _check_lengths(labels: Sequence[Array]) -> None:
    lengths = [len(one) for one in labels]
    for position, length in enumerate(lengths):
        if length != lengths[0]:
            raise ValueError(
                f"partitions must label the same rows, but partition 0 has {lengths[0]} labels and "
                f"partition {position} has {length}."
            )


def _encode_or_refuse(labels: Array, position: int) -> tuple[Codes, Array]:
    codes, clusters = encode_partition(labels)
    if len(clusters) == 0:
        raise ValueError(
            f"partition {position} labels every row as noise (-1), so it has no cluster to "
            "combine; leave it out."
        )
    return codes, clusters
