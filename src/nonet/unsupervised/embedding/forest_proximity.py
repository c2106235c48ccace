"""Forest proximities: the fraction of trees in which two rows fall into the same leaf.

A forest is an ensemble of partitions: the leaves of a tree are clusters. Proximities are the
co-association of these partitions, computed from the sparse matrix of rows and leaves.

References
----------
L. Breiman, "Random forests", *Machine Learning* 45, 2001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack
from sklearn.exceptions import NotFittedError

from nonet._base.aliases import Floats
from nonet._base.errors import show
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import explain_refusal
from nonet._base.params import Boolean, Integer, Real, Rule, bad_parameter
from nonet.unsupervised.clustering.partitions import Partitions

_ROWS_PER_BLOCK = 1024


def forest_proximity(
    forest: Any,
    X: Any,
    Y: Any = None,
    *,
    min_proximity: float = 0.0,
    rows_per_block: int = _ROWS_PER_BLOCK,
) -> csr_array:
    """Return the proximities of rows in a forest, as a sparse matrix.

    The proximity of two rows is the fraction of trees in which they fall into the same leaf.

    Parameters
    ----------
    forest : fitted forest
        Anything with ``apply``, which returns the leaf of each row in each tree: forests,
        embeddings and isolation forests of this library, forests and gradient boosting of
        scikit-learn.
    X : array-like of shape (n_rows, n_features)
        Rows.
    Y : array-like of shape (n_others, n_features), default=None
        The rows to compare with; None compares X with itself.
    min_proximity : float, default=0.0
        Smaller proximities are left out. A forest of large leaves has few proximities of 0.
    rows_per_block : int, default=1024
        Rows of X that are compared with all rows of Y at once. What is computed beside the result
        takes at most ``rows_per_block`` x ``n_others`` entries.

    Returns
    -------
    proximities : csr_array of shape (n_rows, n_others)

    See Also
    --------
    forest_proximity_blocks : Dense blocks of rows, one after another.
    forest_distance : Distances for clusterers that take precomputed ones.

    Notes
    -----
    Training rows are near to rows of their class, because the trees have seen the labels. A forest
    without a target, such as :class:`RandomTreesEmbedding`, has no such bias.

    References
    ----------
    L. Breiman, "Random forests", *Machine Learning* 45, 2001.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import RandomTreesEmbedding, forest_proximity
    >>> X = np.array([[0.0], [0.1], [5.0]])
    >>> forest = RandomTreesEmbedding(50, max_depth=1, random_state=0).fit(X)
    >>> near = forest_proximity(forest, X)
    >>> bool(near[0, 1] > 0.9), bool(near[0, 2] < 0.1)
    (True, True)
    """
    _check("forest_proximity", "min_proximity", Real(0, 1), min_proximity)
    blocks = _blocks("forest_proximity", forest, X, Y, rows_per_block)
    kept = [_keep(block, min_proximity) for _, block in blocks]
    return csr_array(vstack(kept, format="csr"))


def forest_proximity_blocks(
    forest: Any,
    X: Any,
    Y: Any = None,
    *,
    rows_per_block: int = _ROWS_PER_BLOCK,
    distance: bool = False,
) -> Iterator[tuple[slice, Floats]]:
    """Yield the proximities of rows in a forest, in dense blocks of rows.

    For computations that need all pairs but not at once, such as nearest neighbours.

    Parameters
    ----------
    forest : fitted forest
        As in :func:`forest_proximity`.
    X : array-like of shape (n_rows, n_features)
        Rows.
    Y : array-like of shape (n_others, n_features), default=None
        The rows to compare with; None compares X with itself.
    rows_per_block : int, default=1024
        Rows per block.
    distance : bool, default=False
        Whether to yield distances, sqrt(1 - proximity).

    Yields
    ------
    rows : slice
        The rows of X.
    block : ndarray of shape (n_rows_of_block, n_others)
        Their proximities or distances.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet import RandomTreesEmbedding, forest_proximity_blocks
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> forest = RandomTreesEmbedding(5, random_state=0).fit(X)
    >>> [block.shape for _, block in forest_proximity_blocks(forest, X, rows_per_block=4)]
    [(4, 10), (4, 10), (2, 10)]
    """
    _check("forest_proximity_blocks", "distance", Boolean(), distance)
    for rows, block in _blocks("forest_proximity_blocks", forest, X, Y, rows_per_block):
        dense = block.toarray()
        yield rows, _as_distance(dense) if distance else dense


def forest_distance(forest: Any, X: Any, Y: Any = None) -> Floats:
    """Return the distances of rows in a forest, sqrt(1 - proximity), for ``metric='precomputed'``.

    Parameters
    ----------
    forest : fitted forest
        As in :func:`forest_proximity`.
    X : array-like of shape (n_rows, n_features)
        Rows.
    Y : array-like of shape (n_others, n_features), default=None
        The rows to compare with; None compares X with itself.

    Returns
    -------
    distances : ndarray of shape (n_rows, n_others)
        All pairs, as the clusterers need them: 8 bytes each.

    Notes
    -----
    Half the squared distance between the scaled 0/1 vectors of leaves is 1 - proximity, so that its
    root is a Euclidean distance: it satisfies the triangle inequality.

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from sklearn.datasets import load_iris
    >>> from nonet import RandomTreesEmbedding, forest_distance
    >>> X = load_iris().data
    >>> forest = RandomTreesEmbedding(100, random_state=0).fit(X)
    >>> model = AgglomerativeClustering(3, metric="precomputed", linkage="average")
    >>> model.fit(forest_distance(forest, X)).n_clusters_
    3
    """
    blocks = _blocks("forest_distance", forest, X, Y, _ROWS_PER_BLOCK)
    return np.vstack([_as_distance(block.toarray()) for _, block in blocks])


def _check(function: str, name: str, rule: Rule, value: Any) -> None:
    if not rule.allows(value):
        raise bad_parameter(function, name, rule.describe(), value)


def _blocks(
    function: str, forest: Any, X: Any, Y: Any, rows_per_block: Any
) -> Iterator[tuple[slice, csr_array]]:
    """Yield the proximities of blocks of rows as sparse matrices."""
    _check(function, "rows_per_block", Integer(1), rows_per_block)
    own = _find_leaves(function, forest, X)
    others = own if Y is None else _find_leaves(function, forest, Y)
    n_leaves = 1 + np.maximum(own.max(axis=0, initial=0), others.max(axis=0, initial=0))
    columns = Partitions(others, n_leaves).incidence().T.tocsr()
    rows = Partitions(own, n_leaves)
    for first in range(0, rows.n_rows, rows_per_block):
        some = slice(first, min(first + int(rows_per_block), rows.n_rows))
        yield some, csr_array(rows.incidence(some) @ columns) / own.shape[1]


def _find_leaves(function: str, forest: Any, X: Any) -> Any:
    """Return the leaf of each row in each tree, as 32-bit numbers."""
    if not callable(getattr(forest, "apply", None)):
        raise TypeError(
            f"{function}: forest must be a fitted ensemble of trees with apply, but got "
            f"{show(forest)}."
        )
    check_is_table(forest, X)
    try:
        leaves = np.asarray(forest.apply(X))
    except NotFittedError:
        raise
    except (TypeError, ValueError) as why:
        raise explain_refusal(why, forest, X) from why
    return leaves.reshape(len(leaves), -1).astype(np.int32)


def _keep(block: csr_array, min_proximity: float) -> csr_array:
    block.data[block.data < min_proximity] = 0
    block.eliminate_zeros()
    return block


def _as_distance(proximities: Floats) -> Floats:
    # A sum of fractions may be above 1 by a rounding error.
    return np.asarray(np.sqrt(np.maximum(1 - proximities, 0)))
