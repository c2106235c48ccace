"""Speed of explanations and of cross-validated rounds, beside LightGBM, XGBoost and scikit-learn.

Each side explains its own booster of the same size (100 trees of 31 leaves, or deep trees) on the
same rows. Interactions are so slow elsewhere that a peer gets a part of the rows, and its time is
scaled to all of them. Cross-validation: 5 folds, 100 rounds, a score after each round.

    python benchmarks/bench_explanations.py            about two minutes
    python benchmarks/bench_explanations.py --quick    a smoke test
    python benchmarks/bench_explanations.py --write    also puts the results into docs/benchmarks.md
"""

from __future__ import annotations

from dataclasses import dataclass

import lightgbm
import numpy as np
import xgboost
from sklearn.ensemble import HistGradientBoostingClassifier as TheirBooster
from sklearn.inspection import partial_dependence

from command_line import make_parser, publish
from drawn_tables import draw_table
from harness import Contender, Timing, machine, markdown_table, race, timing_rows
from nonet import (
    HistGradientBoostingClassifier,
    boost_cv,
    get_num_threads,
    shap_interactions,
    shap_values,
    tree_dependence,
)


@dataclass(frozen=True)
class Sizes:
    """How many rows, leaves and rounds, and how often each contender runs."""

    n_training_rows: int
    n_rows: int
    n_pair_rows: int
    part_of_pairs: int  # a peer gets one row of so many
    n_rounds: int
    n_deep_leaves: int
    n_repeats: int


FULL = Sizes(20_000, 2_000, 500, 25, 100, 255, 3)
QUICK = Sizes(200, 20, 4, 2, 2, 40, 1)


def make_data(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    X, signal = draw_table(n_rows, dtype=np.float64)
    return X, (signal > 0).astype(np.int64)


class Boosters:
    """The same booster by three makers."""

    def __init__(self, X: np.ndarray, y: np.ndarray, n_rounds: int, n_leaves: int) -> None:
        shared = {"n_estimators": n_rounds, "learning_rate": 0.1, "n_jobs": get_num_threads()}
        self.ours = HistGradientBoostingClassifier(
            max_iter=n_rounds, max_leaf_nodes=n_leaves, early_stopping=False
        ).fit(X, y)
        self.lightgbm = lightgbm.LGBMClassifier(
            num_leaves=n_leaves, min_child_samples=20, verbose=-1, **shared
        ).fit(X, y)
        self.xgboost = (
            xgboost.XGBClassifier(
                max_leaves=n_leaves, max_depth=0, grow_policy="lossguide", **shared
            )
            .fit(X, y)
            .get_booster()
        )


# ---- Races -------------------------------------------------------------------------------------


def race_fractions(boosters: Boosters, X: np.ndarray, n_repeats: int) -> list[Timing]:
    matrix = xgboost.DMatrix(X)
    return race(
        [
            Contender("nonet", lambda: shap_values(boosters.ours, X)),
            Contender("LightGBM", lambda: boosters.lightgbm.predict(X, pred_contrib=True)),
            Contender("XGBoost", lambda: boosters.xgboost.predict(matrix, pred_contribs=True)),
        ],
        n_repeats,
    )


def race_pairs(boosters: Boosters, X: np.ndarray, part: int, n_repeats: int) -> list[Timing]:
    some = xgboost.DMatrix(X[::part])
    return race(
        [
            Contender("nonet", lambda: shap_interactions(boosters.ours, X)),
            Contender(
                f"XGBoost (time of 1/{part} of the rows)",
                lambda: boosters.xgboost.predict(some, pred_interactions=True),
                scale=part,
            ),
        ],
        n_repeats,
    )


def race_dependence(sizes: Sizes, boosters: Boosters, X: np.ndarray, y: np.ndarray) -> list[Timing]:
    settings = {"max_iter": sizes.n_rounds, "early_stopping": False}
    theirs = TheirBooster(**settings).fit(X, y)
    return race(
        [
            Contender("nonet", lambda: tree_dependence(boosters.ours, X, (4, 5), n_points=50)),
            Contender(
                "scikit-learn, recursion",
                lambda: partial_dependence(theirs, X, [4, 5], grid_resolution=50),
            ),
        ],
        sizes.n_repeats,
    )


def race_rounds(sizes: Sizes, X: np.ndarray, y: np.ndarray) -> list[Timing]:
    ours = HistGradientBoostingClassifier(max_iter=sizes.n_rounds)
    theirs = {
        "objective": "binary",
        "num_leaves": 31,
        "verbose": -1,
        "num_threads": get_num_threads(),
    }
    rivals = {
        "objective": "binary:logistic",
        "max_leaves": 31,
        "max_depth": 0,
        "grow_policy": "lossguide",
        "nthread": get_num_threads(),
    }
    table, matrix = lightgbm.Dataset(X, y, free_raw_data=False), xgboost.DMatrix(X, y)
    return race(
        [
            Contender("nonet", lambda: boost_cv(ours, X, y, cv=5)),
            Contender("LightGBM", lambda: lightgbm.cv(theirs, table, sizes.n_rounds, nfold=5)),
            Contender("XGBoost", lambda: xgboost.cv(rivals, matrix, sizes.n_rounds, nfold=5)),
        ],
        sizes.n_repeats,
    )


def run_races(sizes: Sizes) -> dict[str, list[Timing]]:
    X, y = make_data(max(sizes.n_training_rows, sizes.n_rows))
    training = X[: sizes.n_training_rows], y[: sizes.n_training_rows]
    small = Boosters(*training, sizes.n_rounds, 31)
    deep = Boosters(*training, max(1, sizes.n_rounds // 5), sizes.n_deep_leaves)
    rows, pair_rows = X[: sizes.n_rows], X[: sizes.n_pair_rows]
    of_trees = f"{sizes.n_rounds} trees of 31 leaves"
    of_deep = f"{len(deep.ours._booster.rounds)} trees of {sizes.n_deep_leaves} leaves"
    return {
        f"Shapley values, {len(rows):,} rows, {of_trees}": race_fractions(
            small, rows, sizes.n_repeats
        ),
        f"the same, {of_deep}": race_fractions(deep, rows, sizes.n_repeats),
        f"interactions, {len(pair_rows):,} rows, {of_trees}": race_pairs(
            small, pair_rows, sizes.part_of_pairs, sizes.n_repeats
        ),
        "partial dependence, 50 x 50 points": race_dependence(sizes, small, *training),
        f"5 folds of {len(training[0]):,} rows, {sizes.n_rounds} rounds": race_rounds(
            sizes, *training
        ),
    }


def report(sizes: Sizes) -> list[str]:
    rows = timing_rows(run_races(sizes), digits=0)
    header = ("what", "by", "wall ms", "processor ms", "times nonet's wall", "and processor time")
    packages = ["numpy", "lightgbm", "xgboost", "scikit-learn"]
    where = f"Measured on {machine(packages)}, {get_num_threads()} threads."
    return [where, markdown_table(header, rows, n_labels=2)]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    publish("bench_explanations", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
