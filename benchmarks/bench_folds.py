"""Time of fold models on shared bins: cross-validated rounds, ledgers and parameter searches.

A drawn table of two classes, 28 columns, 5 folds, 100 rounds of 31 leaves at equal settings:

1. `boost_cv` beside `lightgbm.cv`, plain and with quantised gradients;
2. `make_ledger` of one booster beside scikit-learn's `cross_val_predict`, which fits it in
   processes that bin their own rows;
3. `GridSearchCV` inside `share_bins` beside the same search in processes, and over LightGBM.

    python benchmarks/bench_folds.py            all of it, some minutes
    python benchmarks/bench_folds.py --quick    a smoke test on few rows
    python benchmarks/bench_folds.py --write    also puts the results into docs/benchmarks.md

Processor time is that of this process: where workers do the fits, only wall time can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import lightgbm
import numpy as np
from sklearn.model_selection import GridSearchCV, cross_val_predict

from command_line import make_parser, publish
from drawn_tables import draw_table
from harness import Contender, Timing, machine, markdown_table, race
from nonet import BoostedTreesClassifier, boost_cv, get_num_threads, make_ledger, share_bins

N_FOLDS, N_JOBS = 5, 2
SETTINGS = {"num_leaves": 31, "learning_rate": 0.1, "min_child_samples": 20, "reg_lambda": 1.0}
GRID = {"num_leaves": [15, 31], "learning_rate": [0.05, 0.1]}
PROCESSES = f"n_jobs={N_JOBS}, processes"
BY_PROCESSES = (PROCESSES, "LightGBM")


def booster(n_rounds: int) -> BoostedTreesClassifier:
    return BoostedTreesClassifier(
        n_estimators=n_rounds, preset="fast", min_child_weight=1e-3, random_state=0, **SETTINGS
    )


def peer(n_rounds: int) -> lightgbm.LGBMClassifier:
    return lightgbm.LGBMClassifier(n_estimators=n_rounds, n_jobs=1, verbose=-1, **SETTINGS)


def cross_validate_peer(X: np.ndarray, y: np.ndarray, n_rounds: int, **options: Any) -> object:
    params = SETTINGS | {"objective": "binary", "num_threads": N_JOBS, "verbose": -1} | options
    return lightgbm.cv(params, lightgbm.Dataset(X, y), n_rounds, nfold=N_FOLDS, seed=0)


def search(model: object, X: np.ndarray, y: np.ndarray, n_jobs: int | None = None) -> object:
    return GridSearchCV(model, GRID, cv=N_FOLDS, refit=False, n_jobs=n_jobs).fit(X, y)


def search_on_shared_bins(model: object, X: np.ndarray, y: np.ndarray) -> object:
    with share_bins(X, n_jobs=N_JOBS):
        return search(model, X, y)


def rounds_contenders(X: np.ndarray, y: np.ndarray, n_rounds: int) -> list[Contender]:
    ours = partial(boost_cv, booster(n_rounds), X, y, cv=N_FOLDS)
    return [
        Contender("boost_cv", partial(ours, n_jobs=N_JOBS)),
        Contender("boost_cv, one fold at a time", partial(ours, n_jobs=1)),
        Contender("lightgbm.cv", partial(cross_validate_peer, X, y, n_rounds)),
        Contender(
            "lightgbm.cv, quantised",
            partial(cross_validate_peer, X, y, n_rounds, use_quantized_grad=True),
        ),
    ]


def ledger_contenders(X: np.ndarray, y: np.ndarray, n_rounds: int) -> list[Contender]:
    models = [("boosting", booster(n_rounds))]
    predict = partial(cross_val_predict, X=X, y=y, cv=N_FOLDS, method="predict_proba")
    return [
        Contender("make_ledger", partial(make_ledger, models, X, y, cv=N_FOLDS, n_jobs=N_JOBS)),
        Contender(PROCESSES, partial(predict, booster(n_rounds), n_jobs=N_JOBS)),
        Contender("LightGBM", partial(predict, peer(n_rounds), n_jobs=N_JOBS)),
    ]


def search_contenders(X: np.ndarray, y: np.ndarray, n_rounds: int) -> list[Contender]:
    return [
        Contender("share_bins", partial(search_on_shared_bins, booster(n_rounds), X, y)),
        Contender(PROCESSES, partial(search, booster(n_rounds), X, y, N_JOBS)),
        Contender("LightGBM", partial(search, peer(n_rounds), X, y, N_JOBS)),
    ]


QUESTIONS: dict[str, Callable[[np.ndarray, np.ndarray, int], list[Contender]]] = {
    "rounds": rounds_contenders,
    "ledger": ledger_contenders,
    "search of 4 settings": search_contenders,
}


def report(question: str, n_rows: int, timings: list[Timing]) -> list[list[str]]:
    return [
        [
            f"{question}, {n_rows:,} rows" if position == 0 else "",
            timing.name,
            f"{timing.wall:.2f}",
            "" if timing.name in BY_PROCESSES else f"{timing.processor:.2f}",
            f"{timing.wall / timings[0].wall:.2f}",
        ]
        for position, timing in enumerate(timings)
    ]


def make_report(sizes: list[int], n_rounds: int, n_repeats: int) -> Iterator[str]:
    header = ["task", "by", "wall s", "processor s", "wall time over the first"]
    rows = []
    for question, contenders in QUESTIONS.items():
        for n_rows in sizes:
            X, signal = draw_table(n_rows, dtype=np.float64)
            timings = race(contenders(X, (signal > 0).astype(int), n_rounds), n_repeats)
            rows += report(question, n_rows, timings)
    yield (
        f"{N_FOLDS} folds, {n_rounds} rounds of 31 leaves, 28 columns, {get_num_threads()} threads "
        f"({machine(['numpy', 'scikit-learn', 'lightgbm'])})."
    )
    yield markdown_table(header, rows, n_labels=2)


def main() -> None:
    options = make_parser(__doc__).parse_args()
    if options.quick:
        publish("folds", make_report([500], 3, 1), options)
    else:
        publish("folds", make_report([10_000, 100_000], 100, 3), options)


if __name__ == "__main__":
    main()
