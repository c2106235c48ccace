"""Edges of rows that come in blocks, and bins that lie in memory of others."""

import numpy as np
import pytest

from nonet._native.bin_edges import BinEdges, EdgeSample
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_tree


def _table(n_rows, rng):
    columns = [
        rng.normal(size=n_rows),
        rng.integers(0, 50, n_rows),
        rng.normal(size=n_rows).round(1),
        np.where(rng.random(n_rows) < 0.1, np.nan, rng.exponential(size=n_rows)),
        np.full(n_rows, -0.0),
    ]
    table = np.column_stack(columns)
    table[n_rows // 2, 1] = 77  # a value that a sample misses
    return table


def _edges_of_blocks(X, weights, sizes, **options):
    sample = EdgeSample(X.shape[1], **options)
    first = 0
    while first < len(X):
        size = next(sizes)
        some = slice(first, first + size)
        sample.add(X[some], None if weights is None else weights[some])
        first += size
    return sample.find()


@pytest.mark.parametrize("n_rows", [1, 700, 200_000, 230_000])
@pytest.mark.parametrize("has_weights", [False, True])
def test_edges_of_blocks_against_those_of_the_whole_table(n_rows, has_weights):
    rng = np.random.default_rng(n_rows)
    X = _table(n_rows, rng)
    weights = np.where(rng.random(n_rows) < 0.1, 0.0, rng.random(n_rows)) if has_weights else None
    if weights is not None:
        weights[0] = 1
    for dtype in (np.float64, np.float32):
        table = X.astype(dtype)
        sizes = iter(rng.integers(1, 90_000, 1000).tolist())
        found = _edges_of_blocks(table, weights, sizes, seed=3)
        whole = BinnedDataset(table, weights=weights, seed=3).all_edges()
        for one, other in zip(found.arrays, whole.arrays, strict=True):
            np.testing.assert_array_equal(one, other)


def test_sample_holds_each_row_with_the_same_probability():
    # Of 400,000 rows, half are sampled. Column j has distinct values in its quarter of the rows
    # alone: the fraction of that quarter in the sample is the fraction of weight outside bin 0.
    n = 400_000
    X = np.zeros((n, 4))
    for j in range(4):
        X[j * n // 4 : (j + 1) * n // 4, j] = np.arange(1, n // 4 + 1)
    edges = BinnedDataset(X, max_bins=255).all_edges()
    firsts = [edges.column(j).edges[1] for j in range(4)]
    # Bins of n / 4 rows hold n / 4 / 254 of them; sampling moves that by a few percent.
    np.testing.assert_allclose(firsts, 2 * n / 4 / 254, rtol=0.6)


def test_lent_bins_grow_the_same_tree_and_are_never_listed():
    rng = np.random.default_rng(0)
    X = _table(5000, rng)
    X = np.column_stack([X, (rng.random((5000, 12)) < 0.02).astype(float)])  # mostly one bin
    y = X[:, 0] + 3 * X[:, 8]
    own = BinnedDataset(X)
    arrays = own.column_bytes().copy(), own.row_bytes().copy()
    lent = BinnedDataset.lent(own.all_edges(), 5000, *arrays, "")
    assert lent.find_bad_row() is None
    for params in (
        GrowParams(),
        GrowParams(columns=[0, 3, 8, 11]),
        GrowParams(columns_per_split=3),
    ):
        trees = [grow_tree(d, y, params, criterion="squared_error") for d in (own, lent)]
        for name, array in trees[0].arrays().items():
            np.testing.assert_array_equal(array, trees[1].arrays()[name])


def test_bad_bins_are_found():
    rng = np.random.default_rng(0)
    own = BinnedDataset(rng.integers(0, 5, (40_000, 3)).astype(float))
    edges = own.all_edges()
    for where, row in (("columns", 17_123), ("rows", 39_999)):
        columns, rows = own.column_bytes().copy(), own.row_bytes().copy()
        if where == "columns":
            columns[40_000 + row] = 5  # the bin of missing values, of which there are none
        else:
            rows[8 * row + 2] ^= 1
        assert BinnedDataset.lent(edges, 40_000, columns, rows, "").find_bad_row() == row


def test_rows_that_are_taken_are_binned_as_rows_of_their_own():
    rng = np.random.default_rng(0)
    X = _table(3000, rng)
    X[:, 1] = np.minimum(X[:, 1], 49)
    X[7, 1] = np.nan
    whole = BinnedDataset(X, categories=[1])
    lent = BinnedDataset.lent(whole.all_edges(), 3000, whole.column_bytes(), whole.row_bytes(), "")
    rows = rng.permutation(np.flatnonzero(X[:, 1] < 30))
    taken = lent.take(rows)
    expected = BinnedDataset(X[rows], categories=[1], reference=whole)
    assert taken.find_bad_row() is None
    np.testing.assert_array_equal(taken.row_bytes(), expected.row_bytes())
    for one, other in zip(taken.all_edges().arrays, expected.all_edges().arrays, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["n_bins", "edges", "minimum", "is_category"])
def test_edges_that_do_not_fit_together_are_rejected(name):
    edges = BinnedDataset(np.arange(12.0).reshape(6, 2)).all_edges()
    arrays = dict(zip(BinEdges.__dataclass_fields__, edges.arrays, strict=True))
    arrays[name] = arrays[name][:-1]
    with pytest.raises(ValueError, match="column"):
        BinnedDataset.on_edges(np.ones((1, 2)), BinEdges(**arrays))


def test_codes_without_a_bin_are_rejected():
    edges = BinEdges.of_codes(3, has_missing=False)
    with pytest.raises(ValueError, match=r"has 3 bins, but a row has the code 3"):
        BinnedDataset.on_edges(np.array([[0.0], [3.0]]), edges)
