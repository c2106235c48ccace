"""Fold models whose leaves are estimated again on all rows, against more folds.

A model that was fitted without a fold has splits and leaf values from the other folds only. One
pass over its trees, in their order, gives each leaf the Newton step of all rows that reach it. Its
own held-out rows are then seen, so that its score has to be from before. The script compares five
such models with five and with eight plain ones, on a part of the rows that none of them sees.

    python benchmarks/bench_leaf_replay.py FOLDER             some configurations alone
    python benchmarks/bench_leaf_replay.py FOLDER --blends    the blends of whole runs
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from threadpoolctl import threadpool_limits

import nonet
from first_level import TEST, FirstLevel, add_tables, chosen_tables, percent
from harness import markdown_table
from nonet import BoostedTreesClassifier, BoostedTreesRegressor
from nonet._native.tree import find_leaves
from nonet.auto.blend import find_blend
from nonet.auto.configuration import Configuration, read_portfolio
from nonet.auto.fold_task import AutoData, predict_rows, row_losses, run_fold_task
from nonet.auto.rounds import choose_rounds
from portfolio_tables import split_table
from real_tables import FrameTable

TABLES = (
    *("boston", "auto", "credit_g", "insurance", "abalone", "wine_quality", "phoneme"),
    *("titanic", "california_housing", "bike_sharing", "satimage", "adult"),
)
CONFIGURATIONS = ("fast_15", "boosted_39", "boosted_84", "boosted_8")
N_CONFIGURATIONS = 12  # of a run whose blends are compared
BOOSTERS = (BoostedTreesClassifier, BoostedTreesRegressor)


def replay(model: Any, X: np.ndarray, y: np.ndarray, n_rounds: int, mix: float = 1.0) -> list[Any]:
    """Return the first rounds with leaf values of all rows given, mixed with the former ones."""
    booster = model._booster
    table = model._check_rows(X)
    target = y.astype(float)
    scores = np.repeat(booster.start[:, np.newaxis], len(y), axis=1)
    found = []
    for trees in booster.rounds[:n_rounds]:
        given = scores if booster.loss.n_scores > 1 else scores[0]
        gradients, hessians = (
            np.atleast_2d(a) for a in booster.loss.gradient_hessian(target, given)
        )
        # A round has one tree per score, and all are at the same scores.
        leaves = find_leaves(trees, table)
        found.append([])
        for k, tree in enumerate(trees):
            values = tree.arrays()["values"].ravel().copy()
            sums = np.bincount(leaves[:, k], gradients[k], len(values))
            curvatures = np.bincount(leaves[:, k], hessians[k], len(values))
            rows = np.bincount(leaves[:, k], minlength=len(values)) > 0
            pulled = np.sign(sums) * np.maximum(np.abs(sums) - model.reg_alpha, 0)
            steps = -model.learning_rate * pulled[rows] / (curvatures[rows] + model.reg_lambda_)
            values[rows] = mix * steps + (1 - mix) * values[rows]
            scores[k] += values[leaves[:, k]]
            found[-1].append(tree.with_values(values))
    return found


def folds_of(y: np.ndarray, n_folds: int, is_regression: bool) -> tuple[Any, ...]:
    kind = KFold if is_regression else StratifiedKFold
    return tuple(kind(n_folds, shuffle=True, random_state=0).split(y, y))


class FoldModels:
    """The models of all folds, cut to rounds that were chosen on the other folds."""

    def __init__(self, configuration: Configuration, data: AutoData) -> None:
        began = time.perf_counter()
        found = {fold: run_fold_task(configuration, fold, data) for fold in range(len(data.folds))}
        rounds = choose_rounds({fold: result.losses for fold, result in found.items()})
        self.seconds = time.perf_counter() - began
        self.pairs = [(result.model, rounds[fold]) for fold, result in found.items()]
        self._data = data

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the mean of their predictions."""
        return np.mean([predict_rows(model, X, n) for model, n in self.pairs], axis=0)

    def predict_replayed(self, X: np.ndarray, mix: float) -> tuple[np.ndarray, float]:
        """Return predictions after all leaves are estimated again, and the seconds it takes."""
        predictions, seconds = [], 0.0
        for model, n in self.pairs:
            kept, began = model._booster, time.perf_counter()
            rounds = replay(model, self._data.X, self._data.y, n, mix)
            model._booster = replace(kept, rounds=rounds)
            seconds += time.perf_counter() - began
            predictions.append(predict_rows(model, X, n))
            model._booster = kept
        return np.mean(predictions, axis=0), seconds


def compare_blends(table: FrameTable, n_configurations: int) -> list[str]:
    """Return the test loss of the blend of five folds, and changes of it in percent.

    The weights are those found before leaves are estimated again.
    """
    losses: dict[str, float] = {}
    for n_folds in (5, 8):
        first = FirstLevel(table, n_configurations, n_folds)
        blend = find_blend(first.page, first.y, first.metric)
        names = first.page.names
        losses[f"{n_folds} plain"] = first.test_loss(blend, names, first.test_outputs)
        for part, mix in {"again": 1.0, "half again": 0.5}.items():
            again = [_mean_of_replayed(first, name, mix) for name in names]
            losses[f"{n_folds} {part}"] = first.test_loss(blend, names, first.stack(again))
    base = losses.pop("5 plain")
    changes = [percent(loss, base) for loss in losses.values()]
    return [table.name, f"{base:.4g}", *changes]


def _mean_of_replayed(first: FirstLevel, name: str, mix: float) -> np.ndarray:
    """Return test predictions of a configuration, with leaves of all rows if it is a booster."""
    data, models = first.search.data, first.search.record.models_of(name)
    return first.mean_of([_replayed(model, data, mix) for model in models])


def _replayed(model: Any, data: AutoData, mix: float) -> Any:
    if not isinstance(model, BOOSTERS) or model.n_bags_ > 1:
        return model
    rounds = replay(model, data.X, data.y, model.best_iteration_, mix)
    changed = copy(model)  # the run keeps its own
    changed._booster = replace(model._booster, rounds=rounds)
    return changed


def loss_of(y: np.ndarray, predictions: np.ndarray) -> float:
    mean = row_losses(y, predictions).mean()
    return float(np.sqrt(mean) if y.dtype.kind == "f" else mean)


def compare(table: Any, configuration: Configuration) -> tuple[dict[str, float], dict[str, float]]:
    """Return losses and seconds of five folds, eight folds, and five with leaves of all rows."""
    X = np.concatenate([table.data.X, table.X_test])
    y = np.concatenate([table.data.y, table.y_test])
    is_regression = not table.data.n_classes
    rows, test = train_test_split(
        np.arange(len(y)), test_size=TEST, random_state=0, stratify=None if is_regression else y
    )
    models = {}
    for n_folds in (5, 8):
        folds = folds_of(y[rows], n_folds, is_regression)
        models[n_folds] = FoldModels(
            configuration, replace(table.data, X=X[rows], y=y[rows], folds=folds)
        )
    losses = {f"{n} plain": loss_of(y[test], m.predict(X[test])) for n, m in models.items()}
    seconds = {f"{n} plain": m.seconds for n, m in models.items()}
    for name, mix in {"5 again": 1.0, "5 half again": 0.5}.items():
        predictions, more = models[5].predict_replayed(X[test], mix)
        losses[name], seconds[name] = loss_of(y[test], predictions), models[5].seconds + more
    return losses, seconds


def run(tables: Sequence[Any], names: Sequence[str]) -> None:
    ratios, spent = [], []
    lines = []
    for table in tables:
        portfolio = {one.name: one for one in read_portfolio(table.data.task)}
        for name in names:
            losses, seconds = compare(table, portfolio[name])
            base = losses.pop("5 plain")
            ratios.append([100 * (loss / base - 1) for loss in losses.values()])
            spent.append([seconds[key] / seconds["5 plain"] for key in losses])
            lines.append([table.name, name, f"{base:.4g}", *(f"{r:+.2f}" for r in ratios[-1])])
            print(*lines[-1], *(f"{s:.2f}" for s in seconds.values()), flush=True)
    heads = ["table", "configuration", "loss of 5 plain", *(f"{k}, %" for k in losses)]
    print(markdown_table(heads, lines))
    mean, worse = np.mean(ratios, axis=0), np.mean(np.array(ratios) > 0, axis=0)
    for key, m, w, s in zip(losses, mean, worse, np.mean(spent, axis=0), strict=True):
        print(f"{key}: {m:+.2f} % of loss, worse in {w:.0%}, {s:.2f} times the seconds")


def run_blends(tables: Sequence[FrameTable], n_configurations: int) -> None:
    lines = []
    for table in tables:
        lines.append(compare_blends(table, n_configurations))
        print("| " + " | ".join(lines[-1]) + " |", flush=True)
    heads = ["5 again, %", "5 half again, %", "8 plain, %", "8 again, %", "8 half again, %"]
    print(markdown_table(["table", "5 plain", *heads], lines))
    for head, column in zip(heads, zip(*(line[2:] for line in lines), strict=True), strict=True):
        changes = np.array(column, dtype=float)
        print(f"{head[:-3]}: {changes.mean():+.2f} % of loss, worse in {np.mean(changes > 0):.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_tables(parser, TABLES)
    parser.add_argument("--blends", action="store_true", help="compare the blends of whole runs")
    options = parser.parse_args()
    frames = chosen_tables(options, parser)
    names = CONFIGURATIONS[:1] if options.quick else CONFIGURATIONS
    with threadpool_limits(1, user_api="blas"), nonet.limit_threads(1):
        if options.blends:
            run_blends(frames, 1 if options.quick else N_CONFIGURATIONS)
        else:
            run([split_table(frame) for frame in frames], names)


if __name__ == "__main__":
    main()
