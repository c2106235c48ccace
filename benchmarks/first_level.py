"""A run of the auto-ensembler on a part of a table, with predictions of rows that it never sees.

Benchmarks compare what may be done after the search: the predictions of every configuration are
here, of held-out rows and of 30 % of the table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from accuracy_tables import MAX_ROWS, read_table
from nonet import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.blend import Blend, combine_outputs
from nonet.auto.fold_task import predict_rows
from nonet.auto.held_out import Page
from real_tables import FrameTable, facts_of, small_frames

TEST = 0.3


class _Recording:
    """An auto-ensembler that keeps its search."""

    def _keep(self, search: Any, groups: Any) -> None:
        self.search_ = search
        super()._keep(search, groups)  # type: ignore[misc]


class _Classifier(_Recording, AutoEnsembleClassifier):
    """A classifier that keeps its search."""


class _Regressor(_Recording, AutoEnsembleRegressor):
    """A regressor that keeps its search."""


class FirstLevel:
    """The configurations of a run that are done on all folds."""

    def __init__(self, table: FrameTable, n_configurations: int, n_folds: int) -> None:
        began = time.perf_counter()
        train, test = train_test_split(
            np.arange(len(table.y)),
            test_size=TEST,
            random_state=0,
            stratify=None if table.is_regression else table.y,
        )
        kind = _Regressor if table.is_regression else _Classifier
        n_tasks = n_configurations * n_folds
        settings = {"time_limit": None, "max_tasks": n_tasks, "random_state": 0, "n_jobs": 1}
        model = kind(**settings, cv=n_folds).fit(table.X.iloc[train], table.y[train])
        self.search = model.search_
        self.metric = self.search.metric
        self.page: Page = self.search.record.page(self.search.record.complete(), range(n_folds))
        self.y = self.search.data.y[self.page.rows]
        self.seconds = time.perf_counter() - began
        self.X_test = model._encode(table.X.iloc[test])
        codes = np.searchsorted(np.unique(table.y[train]), table.y[test])
        self.y_test = table.y[test] if table.is_regression else codes
        self.test_outputs = self.stack(
            [self.mean_of(self.search.record.models_of(name)) for name in self.page.names]
        )

    def mean_of(self, models: list[Any]) -> np.ndarray:
        """Return the mean prediction of the test rows."""
        return np.mean([predict_rows(model, self.X_test) for model in models], axis=0)

    def stack(self, predictions: list[np.ndarray]) -> np.ndarray:
        """Return predictions of members, (n, k, t)."""
        stacked = np.stack(predictions, axis=1)
        return stacked[:, :, np.newaxis] if stacked.ndim == 2 else stacked

    def test_loss(self, blend: Blend, names: list[str], outputs: np.ndarray) -> float:
        """Return the loss of a blend on the test rows."""
        kept = [names.index(name) for name in blend.names]
        support = combine_outputs(outputs[:, kept], blend.weights, self.metric, blend.n_rows)
        if blend.temperature is not None:
            support = blend.temperature(support)
        return self.metric.loss(self.y_test, as_read(support))


def as_read(support: np.ndarray) -> np.ndarray:
    """Return the support as metrics read it: values as a vector."""
    return support[:, 0] if support.shape[1] == 1 else support


def percent(loss: float, base: float) -> str:
    """Return the change of a loss in percent."""
    return f"{100 * (loss / base - 1):+.2f}"


def add_tables(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """Add the options that choose tables."""
    parser.add_argument("folder", nargs="?", type=Path, help="Parquet files and datasets.json")
    parser.add_argument("--quick", action="store_true", help="tiny data: does it run?")
    parser.add_argument("--tables", nargs="*", default=names, help="names of tables")


def chosen_tables(options: argparse.Namespace, parser: argparse.ArgumentParser) -> list[FrameTable]:
    """Read the tables that the options choose."""
    if options.quick:
        return list(small_frames())
    if options.folder is None:
        parser.error("give the folder of the data, or --quick")
    known = facts_of(options.folder)
    return [read_table(options.folder, known[name], MAX_ROWS) for name in options.tables]
