"""Speed of finished trees, beside LightGBM, XGBoost and scikit-learn.

LightGBM's and scikit-learn's trees are carried over node by node, so that both sides walk the very
same trees and give the same sums; XGBoost grows its own of the same size. 100,000 rows x 28 columns
in float32; 100 boosted trees of 31 leaves, deep trees of LightGBM, a fully grown forest of
scikit-learn, and a single row through the boosted trees.

    python benchmarks/bench_tree_predict.py            about two minutes
    python benchmarks/bench_tree_predict.py --quick    a smoke test
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import RandomForestRegressor

from harness import Contender, Timing, machine, markdown_table, race
from nonet._native import get_num_threads
from nonet._native_tree import Tree, predict_values, tree_from_arrays

N_COLUMNS = 28
LATENCY_CALLS = 1000


@dataclass(frozen=True)
class Sizes:
    """How many rows and trees, and how often each contender runs."""

    n_rows: int
    n_training_rows: int
    n_trees: int
    n_deep_trees: int
    n_repeats: int


FULL = Sizes(100_000, 30_000, 100, 20, 5)
QUICK = Sizes(2_000, 1_000, 5, 2, 1)


def make_data(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_COLUMNS)).astype(np.float32)
    signal = X[:, :4].sum(axis=1) + X[:, 4] * X[:, 5] + 1.5 * rng.normal(size=n_rows)
    return X, (signal > 0).astype(np.float64)


# ---- Trees of others ---------------------------------------------------------------------------


def from_lightgbm(booster: lightgbm.Booster) -> list[Tree]:
    return [_lightgbm_tree(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]


def _lightgbm_tree(root: dict[str, Any]) -> Tree:
    nodes = [root]
    left, right = [], []
    for node in nodes:  # grows while it is read
        is_leaf = "split_feature" not in node
        left.append(-1 if is_leaf else len(nodes))
        right.append(-1 if is_leaf else len(nodes) + 1)
        if not is_leaf:
            nodes += [node["left_child"], node["right_child"]]
    columns = [node.get("split_feature", -2) for node in nodes]
    thresholds = [node.get("threshold", -2.0) for node in nodes]
    values = [[node.get("leaf_value", 0.0)] for node in nodes]
    return tree_from_arrays(N_COLUMNS, left, right, columns, thresholds, values)


def from_sklearn(forest: RandomForestRegressor) -> list[Tree]:
    trees = [member.tree_ for member in forest.estimators_]
    return [
        tree_from_arrays(
            tree.n_features,
            tree.children_left,
            tree.children_right,
            tree.feature,
            tree.threshold,
            tree.value[:, 0],
        )
        for tree in trees
    ]


def boost_lightgbm(X: np.ndarray, y: np.ndarray, n_trees: int) -> lightgbm.Booster:
    params = {"objective": "binary", "num_leaves": 31, "verbose": -1}
    return lightgbm.train(params, lightgbm.Dataset(X, y), n_trees)


def boost_xgboost(X: np.ndarray, y: np.ndarray, n_trees: int) -> xgboost.Booster:
    params = {
        "objective": "binary:logistic",
        "max_leaves": 31,
        "max_depth": 0,
        "grow_policy": "lossguide",
        "tree_method": "hist",
        "nthread": get_num_threads(),
    }
    return xgboost.train(params, xgboost.DMatrix(X, y), n_trees)


def deep_lightgbm(X: np.ndarray, y: np.ndarray, n_trees: int) -> lightgbm.Booster:
    params = {
        "objective": "regression",
        "boosting": "rf",
        "bagging_fraction": 0.63,
        "bagging_freq": 1,
        "feature_fraction_bynode": 0.2,
        "num_leaves": 5000,
        "min_data_in_leaf": 1,
        "verbose": -1,
    }
    return lightgbm.train(params, lightgbm.Dataset(X, y), n_trees)


# ---- Races -------------------------------------------------------------------------------------


def race_boosted(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> dict[str, list[Timing]]:
    booster = boost_lightgbm(X, y, sizes.n_trees)
    rival = boost_xgboost(X, y, sizes.n_trees)
    trees = from_lightgbm(booster)
    np.testing.assert_allclose(
        predict_values(trees, X)[:, 0], booster.predict(X, raw_score=True), rtol=1e-9
    )
    batch = [
        Contender("nonet", lambda: predict_values(trees, X)),
        Contender("LightGBM", lambda: booster.predict(X, raw_score=True)),
        Contender("XGBoost", lambda: rival.inplace_predict(X, predict_type="margin")),
    ]
    row = X[:1]
    single = [
        Contender("nonet", lambda: _repeat(lambda: predict_values(trees, row))),
        Contender("LightGBM", lambda: _repeat(lambda: booster.predict(row, num_threads=1))),
        Contender("XGBoost", lambda: _repeat(lambda: rival.inplace_predict(row))),
    ]
    return {
        f"{sizes.n_trees} trees of 31 leaves, {len(X):,} rows": race(batch, sizes.n_repeats),
        f"{sizes.n_trees} trees of 31 leaves, one row, {LATENCY_CALLS} times": race(
            single, sizes.n_repeats
        ),
    }


def _repeat(ask: Any) -> None:
    for _ in range(LATENCY_CALLS):
        ask()


def race_deep(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> dict[str, list[Timing]]:
    part = slice(sizes.n_training_rows)
    deep = deep_lightgbm(X[part], y[part], sizes.n_deep_trees)
    forest = RandomForestRegressor(
        sizes.n_trees, n_jobs=get_num_threads(), random_state=0, max_features=5
    ).fit(X[part], y[part])
    deep_trees, forest_trees = from_lightgbm(deep), from_sklearn(forest)
    against_lightgbm = [
        Contender("nonet", lambda: predict_values(deep_trees, X)),
        Contender("LightGBM", lambda: deep.predict(X)),
    ]
    against_sklearn = [
        Contender("nonet", lambda: predict_values(forest_trees, X)),
        Contender("scikit-learn", lambda: forest.predict(X)),
    ]
    nodes = [trees[0].n_nodes for trees in (deep_trees, forest_trees)]
    return {
        f"{sizes.n_deep_trees} trees of {nodes[0]:,} nodes": race(
            against_lightgbm, sizes.n_repeats
        ),
        f"{sizes.n_trees} trees of {nodes[1]:,} nodes": race(against_sklearn, sizes.n_repeats),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test on few rows")
    sizes = QUICK if parser.parse_args().quick else FULL
    X, y = make_data(sizes.n_rows)
    print(machine(["numpy", "lightgbm", "xgboost", "scikit-learn"]), end="\n\n")
    races = {**race_boosted(sizes, X, y), **race_deep(sizes, X, y)}
    rows = [
        (
            title,
            timing.name,
            f"{1e3 * timing.wall:.1f}",
            f"{1e3 * timing.processor:.1f}",
            f"{timing.processor / timings[0].processor:.1f}",
        )
        for title, timings in races.items()
        for timing in timings
    ]
    header = ("what", "who", "wall ms", "processor ms", "times nonet's processor time")
    print(markdown_table(header, rows, n_labels=2))


if __name__ == "__main__":
    main()
