"""Speed of finished trees, beside LightGBM, XGBoost, CatBoost, YDF and scikit-learn.

LightGBM's and scikit-learn's trees are carried over node by node, so that both sides walk the very
same trees and give the same sums; the others grow their own of the same size. CatBoost has two
entries: trees of 31 leaves like all others, and its own symmetric ones of 32. YDF predicts from its
own dataset, made beforehand, which is its fastest way. 100,000 rows x 28 columns in float32; 100
boosted trees of 31 leaves, deep trees of LightGBM, fully grown forests, a single row through the
boosted trees, and bytes per node.

    python benchmarks/bench_tree_predict.py            about five minutes
    python benchmarks/bench_tree_predict.py --quick    a smoke test
    python benchmarks/bench_tree_predict.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import catboost
import lightgbm
import numpy as np
import xgboost
import ydf
from sklearn.ensemble import RandomForestRegressor

from command_line import make_parser, publish
from drawn_tables import N_COLUMNS, draw_table
from harness import Contender, Timing, machine, markdown_table, race, timing_rows
from nonet._native.runtime import get_num_threads
from nonet._native.tree import Tree, predict_values, tree_from_arrays


@dataclass(frozen=True)
class Sizes:
    """How many rows and trees, and how often each contender runs."""

    n_rows: int
    n_training_rows: int
    n_trees: int
    n_deep_trees: int
    n_repeats: int
    n_calls: int  # of a single row


FULL = Sizes(100_000, 30_000, 100, 20, 5, 1000)
QUICK = Sizes(200, 200, 2, 1, 1, 2)


def make_data(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    X, signal = draw_table(n_rows)
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


def boost_catboost(
    X: np.ndarray, y: np.ndarray, n_trees: int, **shape: Any
) -> catboost.CatBoostClassifier:
    model = catboost.CatBoostClassifier(
        iterations=n_trees,
        verbose=False,
        allow_writing_files=False,
        thread_count=get_num_threads(),
        **shape,
    )
    return model.fit(X, y)


def as_ydf(X: np.ndarray, y: np.ndarray | None = None) -> dict[str, np.ndarray]:
    return {"x": X} if y is None else {"x": X, "y": y}


def boost_ydf(X: np.ndarray, y: np.ndarray, n_trees: int) -> Any:
    learner = ydf.GradientBoostedTreesLearner(
        label="y",
        num_trees=n_trees,
        growing_strategy="BEST_FIRST_GLOBAL",
        max_num_nodes=31,
        max_depth=-1,
        validation_ratio=0.0,
        early_stopping="NONE",
        num_threads=get_num_threads(),
    )
    return learner.train(as_ydf(X, y.astype(np.int32)), verbose=0)


def forest_ydf(X: np.ndarray, y: np.ndarray, n_trees: int) -> Any:
    learner = ydf.RandomForestLearner(
        label="y",
        task=ydf.Task.REGRESSION,
        num_trees=n_trees,
        max_depth=-1,
        min_examples=1,
        num_candidate_attributes=5,
        compute_oob_performances=False,
        num_threads=get_num_threads(),
    )
    return learner.train(as_ydf(X, y.astype(np.float32)), verbose=0)


def forest_xgboost(X: np.ndarray, y: np.ndarray, n_trees: int) -> xgboost.Booster:
    params = {
        "objective": "reg:squarederror",
        "tree_method": "hist",
        "grow_policy": "lossguide",
        "max_depth": 0,
        "min_child_weight": 0,
        "learning_rate": 1,
        "subsample": 0.63,
        "colsample_bynode": 0.18,
        "num_parallel_tree": n_trees,
        "nthread": get_num_threads(),
    }
    return xgboost.train(params, xgboost.DMatrix(X, y), 1)


# ---- Races -------------------------------------------------------------------------------------


def predict_ydf(model: Any, X: np.ndarray, n_threads: int) -> Callable[[], Any]:
    ready = ydf.create_vertical_dataset(
        as_ydf(X), data_spec=model.data_spec(), required_columns=model.input_feature_names()
    )
    return lambda: model.predict(ready, num_threads=n_threads)


def race_boosted(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> dict[str, list[Timing]]:
    part = slice(sizes.n_training_rows)
    booster = boost_lightgbm(X[part], y[part], sizes.n_trees)
    rival = boost_xgboost(X[part], y[part], sizes.n_trees)
    same = boost_catboost(X[part], y[part], sizes.n_trees, grow_policy="Lossguide", max_leaves=31)
    symmetric = boost_catboost(X[part], y[part], sizes.n_trees, depth=5)
    from_google = boost_ydf(X[part], y[part], sizes.n_trees)
    rival_alone = rival.copy()
    rival_alone.set_param({"nthread": 1})
    trees = from_lightgbm(booster)
    np.testing.assert_allclose(
        predict_values(trees, X)[:, 0], booster.predict(X, raw_score=True), rtol=1e-9
    )
    raw = {"prediction_type": "RawFormulaVal", "thread_count": get_num_threads()}
    batch = [
        Contender("nonet", lambda: predict_values(trees, X)),
        Contender("LightGBM", lambda: booster.predict(X, raw_score=True)),
        Contender("XGBoost", lambda: rival.inplace_predict(X, predict_type="margin")),
        Contender("CatBoost", lambda: same.predict(X, **raw)),
        Contender("CatBoost, symmetric", lambda: symmetric.predict(X, **raw)),
        Contender("YDF", predict_ydf(from_google, X, get_num_threads())),
    ]
    return {
        f"{sizes.n_trees} trees of 31 leaves, {len(X):,} rows": race(batch, sizes.n_repeats),
        f"{sizes.n_trees} trees of 31 leaves, one row, {sizes.n_calls} times": race(
            [
                Contender(name, lambda predict=predict: [predict() for _ in range(sizes.n_calls)])
                for name, predict in {
                    "nonet": lambda: predict_values(trees, X[:1]),
                    "LightGBM": lambda: booster.predict(X[:1], raw_score=True, num_threads=1),
                    "XGBoost": lambda: rival_alone.inplace_predict(X[:1], predict_type="margin"),
                    "CatBoost": lambda: same.predict(X[:1], **(raw | {"thread_count": 1})),
                    "CatBoost, symmetric": lambda: symmetric.predict(
                        X[:1], **(raw | {"thread_count": 1})
                    ),
                    "YDF": predict_ydf(from_google, X[:1], n_threads=1),
                }.items()
            ],
            sizes.n_repeats,
        ),
    }


def race_deep(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> dict[str, list[Timing]]:
    part = slice(sizes.n_training_rows)
    deep = deep_lightgbm(X[part], y[part], sizes.n_deep_trees)
    forest = RandomForestRegressor(
        sizes.n_trees, n_jobs=get_num_threads(), random_state=0, max_features=5
    ).fit(X[part], y[part])
    rival = forest_xgboost(X[part], y[part], sizes.n_trees)
    from_google = forest_ydf(X[part], y[part], sizes.n_trees)
    deep_trees, forest_trees = from_lightgbm(deep), from_sklearn(forest)
    against_lightgbm = [
        Contender("nonet", lambda: predict_values(deep_trees, X)),
        Contender("LightGBM", lambda: deep.predict(X)),
    ]
    against_forests = [
        Contender("nonet", lambda: predict_values(forest_trees, X)),
        Contender("scikit-learn", lambda: forest.predict(X)),
        Contender("XGBoost", lambda: rival.inplace_predict(X)),
        Contender("YDF", predict_ydf(from_google, X, get_num_threads())),
    ]
    nodes = [trees[0].n_nodes for trees in (deep_trees, forest_trees)]
    return {
        f"{sizes.n_deep_trees} trees of {nodes[0]:,} nodes": race(
            against_lightgbm, sizes.n_repeats
        ),
        f"{sizes.n_trees} trees of {nodes[1]:,} nodes": race(against_forests, sizes.n_repeats),
    }


# ---- Size --------------------------------------------------------------------------------------


def bytes_per_node(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> list[tuple[str, str]]:
    """Size of one fully grown tree on disk, by its number of nodes."""
    part = slice(sizes.n_training_rows)
    forest = RandomForestRegressor(1, random_state=0, max_features=5).fit(X[part], y[part])
    tree = from_sklearn(forest)[0]
    theirs = len(pickle.dumps(forest.estimators_[0].tree_))
    return [
        ("nonet", f"{len(tree.to_bytes()) / tree.n_nodes:.1f}"),
        ("scikit-learn", f"{theirs / tree.n_nodes:.1f}"),
    ]


def report(sizes: Sizes) -> list[str]:
    X, y = make_data(sizes.n_rows)
    races = {**race_boosted(sizes, X, y), **race_deep(sizes, X, y)}
    rows = timing_rows(races, digits=1)
    header = ("what", "by", "wall ms", "processor ms", "times nonet's wall", "and processor time")
    packages = ["numpy", "lightgbm", "xgboost", "catboost", "ydf", "scikit-learn"]
    return [
        f"Measured on {machine(packages)}, {get_num_threads()} threads.",
        markdown_table(header, rows, n_labels=2),
        markdown_table(("one full tree, pickled", "bytes per node"), bytes_per_node(sizes, X, y)),
    ]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    publish("bench_tree_predict", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
