"""Whether a second level pays: a model of the configurations' held-out predictions.

The auto-ensembler runs on 70 % of a table. On the held-out predictions of its configurations,
models of a second level are fitted without each fold in turn, on the predictions alone or with the
columns. Each becomes one more candidate of the blend. The script compares the blends with and
without it: by their honest losses, which decide whether it is kept, and on the other 30 % of the
rows, which nothing has seen.

    python benchmarks/bench_second_level.py FOLDER
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from first_level import FirstLevel, add_tables, as_read, chosen_tables, percent
from harness import markdown_table
from nonet.auto.blend import find_blend
from nonet.auto.configuration import Configuration
from nonet.auto.fold_task import AutoData, predict_rows, run_fold_task
from nonet.auto.rounds import choose_rounds
from real_tables import FrameTable

TABLES = (
    *("boston", "credit_g", "insurance", "titanic", "abalone", "phoneme", "wine_quality"),
    *("satimage", "telco_churn", "california_housing", "bike_sharing", "adult"),
    *("magic_telescope", "protein_casp", "beijing_pm25", "bank_marketing", "diamonds"),
)
N_CONFIGURATIONS = 12
PENALTIES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)
SMALL_TREES = {
    "n_estimators": 1000,
    "learning_rate": 0.03,
    "num_leaves": 4,
    "min_child_samples": 20,
    "reg_lambda": 10.0,
    "subsample": 0.7,
    "colsample_bynode": 0.5,
}
Stacked = tuple[np.ndarray, np.ndarray]  # predictions of held-out rows, and of test rows


def features(outputs: np.ndarray) -> np.ndarray:
    """Return predictions as a table: values, or log-odds of all classes but the first of two."""
    if outputs.shape[2] == 1:
        return outputs[:, :, 0]
    clipped = np.clip(outputs, 1e-4, 1 - 1e-4)
    odds = np.log(clipped / (1 - clipped))
    odds = odds[:, :, 1:] if outputs.shape[2] == 2 else odds
    return odds.reshape(len(odds), -1)


def linear_stack(first: FirstLevel) -> Stacked:
    """Fit regularised linear models without each fold, with the penalty of the lowest loss."""
    stacked = [_linear(first, penalty) for penalty in PENALTIES]
    return min(stacked, key=lambda found: first.metric.loss(first.y, found[0]))


def _linear(first: FirstLevel, penalty: float) -> Stacked:
    X, X_test, y = features(first.page.outputs), features(first.test_outputs), first.y
    models = {}
    for fold in np.unique(first.page.folds):
        seen = first.page.folds != fold
        strength = penalty * seen.sum()
        last: Any = Ridge(alpha=strength)
        if first.metric.classes is not None:
            last = LogisticRegression(C=1 / strength, max_iter=500)
        models[fold] = make_pipeline(StandardScaler(), last).fit(X[seen], y[seen])
    return _predict(first, X, X_test, models, dict.fromkeys(models))


def booster_stack(first: FirstLevel, *, has_columns: bool) -> Stacked:
    """Fit boosters of small trees without each fold, with rounds chosen on the other folds."""
    data, page = first.search.data, first.page
    X, X_test = features(page.outputs), features(first.test_outputs)
    categorical = np.zeros(X.shape[1], dtype=bool)
    if has_columns:
        X, X_test = np.hstack([X, data.X[page.rows]]), np.hstack([X_test, first.X_test])
        categorical = np.concatenate([categorical, data.categorical])
    kinds = np.unique(page.folds)
    folds = tuple((np.flatnonzero(page.folds != f), np.flatnonzero(page.folds == f)) for f in kinds)
    level_two = AutoData(X, first.y, categorical, data.n_classes, folds, None, data.seed)
    small = Configuration("small", "boosted_trees", SMALL_TREES)
    found = {f: run_fold_task(small, f, level_two) for f in range(len(folds))}
    rounds = choose_rounds({f: result.losses for f, result in found.items()})
    models = {kinds[f]: result.model for f, result in found.items()}
    return _predict(first, X, X_test, models, {kinds[f]: n for f, n in rounds.items()})


def _predict(
    first: FirstLevel, X: np.ndarray, X_test: np.ndarray, models: dict[Any, Any], rounds: Any
) -> Stacked:
    """Predict rows with the model that has not seen them, test rows with the mean of all."""
    held_out = np.zeros((len(X), first.page.outputs.shape[2]))
    for fold, model in models.items():
        out = first.page.folds == fold
        held_out[out] = predict_rows(model, X[out], rounds[fold]).reshape(out.sum(), -1)
    tests = [predict_rows(model, X_test, rounds[fold]) for fold, model in models.items()]
    return as_read(held_out), np.mean(tests, axis=0)


STACKERS: dict[str, Callable[[FirstLevel], Stacked]] = {
    "linear": linear_stack,
    "booster": lambda first: booster_stack(first, has_columns=False),
    "booster, columns": lambda first: booster_stack(first, has_columns=True),
}


def _added(outputs: np.ndarray, predictions: np.ndarray) -> np.ndarray:
    more = predictions.reshape(len(predictions), 1, outputs.shape[2])
    return np.concatenate([outputs, more], axis=1)


def compare(table: FrameTable, n_configurations: int) -> list[list[str]]:
    """Return a line for each kind of second level."""
    first = FirstLevel(table, n_configurations, 8 if len(table.y) < 2000 else 5)
    metric, page = first.metric, first.page
    plain = find_blend(page, first.y, metric)
    of_plain = first.test_loss(plain, page.names, first.test_outputs)
    lines = []
    for name, stack in STACKERS.items():
        began = time.perf_counter()
        held_out, of_test = stack(first)
        seconds = time.perf_counter() - began
        names = [*page.names, "second"]
        wider = replace(page, names=names, outputs=_added(page.outputs, held_out))
        blend = find_blend(wider, first.y, metric)
        reference = as_read(plain.support)
        error = metric.standard_error(first.y, as_read(blend.support), reference=reference)
        of_blend = first.test_loss(blend, names, _added(first.test_outputs, of_test))
        weights = dict(zip(blend.names, blend.weights / blend.weights.sum(), strict=True))
        gain = (plain.loss - blend.loss) / error if error > 0 else 0.0
        lines.append(
            [
                table.name,
                name,
                f"{of_plain:.4g}",
                percent(metric.loss(first.y_test, of_test), of_plain),
                f"{weights.get('second', 0.0):.2f}",
                percent(blend.loss, plain.loss),
                f"{gain:+.1f}",
                percent(of_blend, of_plain),
                "yes" if gain > 1 else "no",
                f"{100 * seconds / first.seconds:.0f}",
            ]
        )
        print("| " + " | ".join(lines[-1]) + " |", flush=True)
    return lines


HEADS = [
    "table",
    "second level",
    "test loss of the blend",
    "alone, test, %",
    "weight",
    "held out, %",
    "gain in errors",
    "test, %",
    "kept",
    "time, %",
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_tables(parser, TABLES)
    options = parser.parse_args()
    lines = []
    with threadpool_limits(1, user_api="blas"):
        for table in chosen_tables(options, parser):
            lines += compare(table, 2 if options.quick else N_CONFIGURATIONS)
    print(markdown_table(HEADS, lines, n_labels=2))
    for name in STACKERS:
        changes = [(float(line[7]), line[8] == "yes") for line in lines if line[1] == name]
        always = np.mean([change for change, _ in changes])
        if_kept = np.mean([change if is_kept else 0.0 for change, is_kept in changes])
        n_kept = sum(is_kept for _, is_kept in changes)
        print(f"{name}: {always:+.2f} % of test loss; {if_kept:+.2f} % if kept, on {n_kept} tables")


if __name__ == "__main__":
    main()
