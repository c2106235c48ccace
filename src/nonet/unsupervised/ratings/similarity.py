"""Similarities of items by the ratings of common users: the most similar ones, block by block."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from nonet._base.aliases import Codes, Floats

_CELLS_PER_BLOCK = 1 << 23


def nearest_items(
    residuals: sparse.csr_array, n_neighbors: int, shrinkage: float
) -> sparse.csr_array:
    """Return the similarities of each item to its nearest ones, a sparse (items, items) matrix.

    The similarity is the cosine of the columns of the (users, items) residuals, times ``n / (n +
    shrinkage)`` with n common users: a cosine of few users is mostly noise. Only positive
    similarities are kept. Memory: a block of dense rows, and ``n_neighbors`` entries per item.
    """
    columns = residuals.T.tocsr()
    rated = columns.copy()
    rated.data = np.ones_like(rated.data)
    lengths = np.sqrt(np.asarray(columns.multiply(columns).sum(axis=1)).ravel())
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    n_items = columns.shape[0]
    size = max(1, _CELLS_PER_BLOCK // n_items)
    blocks = [
        _nearest_of(
            columns,
            rated,
            inverse,
            np.arange(start, min(start + size, n_items)),
            n_neighbors,
            shrinkage,
        )
        for start in range(0, n_items, size)
    ]
    return sparse.vstack(blocks, format="csr")


def _nearest_of(
    columns: sparse.csr_array,
    rated: sparse.csr_array,
    inverse: Floats,
    rows: Codes,
    n_neighbors: int,
    shrinkage: float,
) -> sparse.csr_array:
    similarity = (columns[rows] @ columns.T).toarray()
    similarity *= inverse[rows][:, np.newaxis]
    similarity *= inverse
    common = (rated[rows] @ rated.T).toarray()
    similarity *= common / (common + shrinkage)
    similarity[np.arange(len(rows)), rows] = 0.0
    kept = min(n_neighbors, similarity.shape[1])
    nearest = np.argpartition(-similarity, kept - 1, axis=1)[:, :kept]
    values = np.maximum(np.take_along_axis(similarity, nearest, axis=1), 0.0)
    ends = np.arange(len(rows) + 1) * kept
    block = sparse.csr_array(
        (values.ravel(), nearest.ravel(), ends), shape=(len(rows), similarity.shape[1])
    )
    block.eliminate_zeros()
    block.sort_indices()
    return block
