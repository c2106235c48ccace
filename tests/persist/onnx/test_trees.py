"""Trees in a graph: every row reaches the same leaf."""

from __future__ import annotations

import numpy as np
import pytest

import nonet
from nonet._native.tree import find_leaves, tree_from_arrays
from nonet.persist.onnx.category_codes import coded_matrix, numbers_of_codes
from nonet.persist.onnx.category_splits import bisect_codes
from nonet.persist.onnx.graph import Graph
from nonet.persist.onnx.tables import Table
from nonet.persist.onnx.trees import leaf_numbers, sum_of_groups, sum_of_values
from nonet.trees.category_codes import CategoryCodes
from persist.onnx_sessions import export_and_run, hard_rows, run_tensor

# The graphs of two models are tried on as many rows in every run, the others by `make slow`.
N_ROWS = 100_000
FEWER_ROWS = 20_000


def leaves_in_graph(trees, X, codes):
    graph = Graph("Trees", double=False)
    table = Table(graph, None, graph.cast("X", "double"), X.shape[1])
    matrix = coded_matrix(table, codes)
    leaves = leaf_numbers(graph, matrix, trees, numbers_of_codes(codes))
    return run_tensor(graph, leaves, X, np.int64)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3000, 5)).astype(np.float32)
    X[:, 0] = rng.integers(0, 40, 3000)
    X[:, 1] = rng.integers(-5, 5, 3000) * 3
    X[:, 2] = np.round(X[:, 2], 1)
    X[rng.random(X.shape) < 0.1] = np.nan
    known = np.nan_to_num(X)
    score = known[:, 2] ** 2 + np.sin(known[:, 0]) * 2 + (known[:, 1] > 0) + known[:, 3]
    return X, score


MODELS = {
    "boosted": lambda: nonet.BoostedTreesRegressor(
        n_estimators=30, categorical_features=[0, 1], random_state=0
    ),
    "random thresholds": lambda: nonet.BoostedTreesRegressor(
        n_estimators=30, extra_trees=True, categorical_features=[0], random_state=0
    ),
    "histogram": lambda: nonet.HistGradientBoostingRegressor(
        max_iter=30, categorical_features=[0, 1], random_state=0
    ),
    "forest": lambda: nonet.RandomForestRegressor(
        n_estimators=10, categorical_features=[1], random_state=0
    ),
    "extra trees": lambda: nonet.ExtraTreesRegressor(n_estimators=10, random_state=0),
    "classic": lambda: nonet.GradientBoostingRegressor(n_estimators=30, random_state=0),
}
ACCEPTS_INFINITY = ("boosted", "random thresholds", "histogram")


def check_leaves_and_values(name, rows, n_rows):
    X, y = rows
    model = MODELS[name]().fit(X, y)
    trees = model._score_trees().trees
    columns = tuple(getattr(model, "categorical_features", None) or ())
    hard = hard_rows(trees, X, n_rows, columns, inf=name in ACCEPTS_INFINITY)
    codes = getattr(model, "_codes", getattr(model, "_category_codes", CategoryCodes()))
    expected = find_leaves(trees, model._check_rows(hard))
    assert np.array_equal(leaves_in_graph(trees, hard, codes), expected)
    values = model.predict(hard)
    single = export_and_run(model, hard)["variable"][:, 0]
    double = export_and_run(model, hard, double=True)["variable"][:, 0]
    assert single.dtype == np.float32
    assert double.dtype == np.float64
    np.testing.assert_allclose(single, values, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(double, values, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_hard_rows_reach_the_same_leaves_and_values(name, rows):
    check_leaves_and_values(name, rows, N_ROWS if name in ("histogram", "classic") else FEWER_ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_many_hard_rows_reach_the_same_leaves_and_values(name, rows):
    check_leaves_and_values(name, rows, N_ROWS)


@pytest.mark.parametrize("n_codes", [1, 2, 3, 5, 40, 1000, 20_000])
@pytest.mark.parametrize("missing_left", [False, True])
def test_sets_of_any_size_split_as_here(n_codes, missing_left):
    """Membership nodes of onnxruntime fail from 40 members on."""
    rng = np.random.default_rng(n_codes)
    goes_left = rng.random(n_codes) < 0.5
    tree = tree_from_arrays(
        2,
        [1, 2, -1, -1, 5, -1, -1],
        [4, 3, -1, -1, 6, -1, -1],
        [0, 1, 0, 0, 1, 0, 0],
        [0, 0.5, 0, 0, -0.5, 0, 0],
        np.arange(7.0)[:, np.newaxis],
        missing_left=[missing_left, 1, 0, 0, 0, 0, 0],
        category_set=[0, -1, -1, -1, -1, -1, -1],
        category_sets=[goes_left.tolist()],
    )
    codes = CategoryCodes({0: np.arange(n_codes)})
    x = np.append(rng.permutation(n_codes), [np.nan, -1, 1e6, 0.5])
    X = np.column_stack([x, rng.normal(size=len(x))]).astype(np.float32)
    expected = find_leaves([tree], codes.encode(X))
    assert np.array_equal(leaves_in_graph([tree], X, codes), expected)


def test_bisection_meets_each_false_once():
    """onnxruntime refuses a node that is reached by 'false' after another way."""
    sides = np.random.default_rng(0).random(300) < 0.5
    split = bisect_codes(sides, True, 0, (1, 2), iter(range(3, 10_000)))
    reached = [one.false for one in split.comparisons]
    assert len(set(reached)) == len(reached)
    depth = {0: 1}
    for one in split.comparisons:
        for child in (one.true, one.false):
            depth[child] = max(depth.get(child, 0), depth[one.number] + 1)
    assert max(depth.values()) <= 12  # not 150, as a chain of equalities


def test_sums_are_as_precise_as_doubles():
    rng = np.random.default_rng(0)
    values = 10.0 ** rng.uniform(-8, 8, size=(400, 3)) * rng.choice([-1, 1], size=(400, 3))
    trees = [
        tree_from_arrays(1, [1, -1, -1], [2, -1, -1], [0, 0, 0], [0, 0, 0], row[:, np.newaxis])
        for row in values
    ]
    graph = Graph("Trees", double=False)
    total = sum_of_groups(graph, graph.cast("X", "double"), [trees], {})
    found = run_tensor(graph, total, np.array([[-1.0], [1.0]], np.float32))[:, 0]
    np.testing.assert_allclose(found, values[:, 1:].sum(axis=0), rtol=0, atol=1e-12 * 4e9)


def test_a_tree_without_splits_is_a_constant():
    tree = tree_from_arrays(1, [-1], [-1], [0], [0], [[2.5]])
    graph = Graph("Trees", double=False)
    total = sum_of_values(graph, graph.cast("X", "double"), [tree], [np.array([[2.5, -1.0]])], {})
    found = run_tensor(graph, total, np.array([[0.0], [np.nan]], np.float32))
    assert found.tolist() == [[2.5, -1.0]] * 2


def test_doubles_reach_the_same_leaves_beyond_single_precision():
    X = 1 + np.arange(64)[:, np.newaxis] * 2.0**-40
    y = np.arange(64.0)
    model = nonet.DecisionTreeRegressor().fit(X, y)
    assert np.array_equal(export_and_run(model, X, double=True)["variable"][:, 0], y)
