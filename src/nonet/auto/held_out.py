"""Held-out predictions of configurations, read from the results of their tasks.

Boosters are predicted with rounds that were chosen without the rows they predict (`rounds`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.auto.fold_task import AutoData, halves_of, predict_rows
from nonet.auto.rounds import choose_rounds, rounds_of_halves
from nonet.auto.store import Store


@dataclass(frozen=True, eq=False)
class Page:
    """Held-out predictions of some configurations on the rows that all of them cover.

    Attributes
    ----------
    names : list of str
        The configurations.
    rows : ndarray of int of shape (n,)
        The rows.
    folds : ndarray of int of shape (n,)
        The fold in which each row was held out; halves of the rows if there is one fold.
    outputs : ndarray of shape (n, k, t)
        The predictions: probabilities of classes, or values (t = 1).
    done_folds : list of int
        The folds that the rows are from.
    """

    names: list[str]
    rows: Array
    folds: Array
    outputs: Floats
    done_folds: list[int]

    def select(self, names: Sequence[str]) -> Page:
        """Return the page of some of its configurations."""
        kept = [self.names.index(name) for name in names]
        return replace(self, names=list(names), outputs=self.outputs[:, kept])


class HeldOutRecord:
    """The held-out predictions of a run, computed when they are needed.

    Parameters
    ----------
    data : AutoData
    store : Store
    preps : mapping of str to str
        The preparations that configurations read, in the order of the portfolio; 'none' for those
        that are not here.
    """

    def __init__(
        self, data: AutoData, store: Store, preps: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._data, self._store, self._preps = data, store, preps
        # In the order of the portfolio: tasks that run side by side end in any order.
        self._keys: dict[str, dict[int, str]] = {name: {} for name in preps}
        self._predictions: dict[tuple[str, int, tuple[int, ...]], Floats] = {}

    def add(self, configuration: str, fold: int, key: str) -> None:
        """Add the result of a task that is done."""
        self._keys.setdefault(configuration, {})[fold] = key

    def prep_of(self, configuration: str) -> str:
        """Return the preparation that a configuration reads."""
        return self._preps.get(configuration, "none")

    def folds_of(self, configuration: str) -> list[int]:
        """Return the folds on which a configuration is done."""
        return sorted(self._keys.get(configuration, {}))

    def complete(self) -> list[str]:
        """Return the configurations that are done on all folds."""
        n_folds = len(self._data.folds)
        return [name for name, keys in self._keys.items() if len(keys) == n_folds]

    def models_of(self, configuration: str) -> list[Any]:
        """Return the fitted models of a configuration, boosters cut to their rounds."""
        rounds = self._rounds_of(configuration)
        models = [self._store.model(key) for _, key in sorted(self._keys[configuration].items())]
        for fold, model in zip(self.folds_of(configuration), models, strict=True):
            if fold in rounds:
                model.best_iteration_ = rounds[fold]
        return models

    def page(self, configurations: Sequence[str], folds: Sequence[int]) -> Page:
        """Return the predictions of configurations on the rows of some folds."""
        tests = [self._data.folds[fold][1] for fold in folds]
        fold_of_row = np.repeat(np.asarray(folds), [len(test) for test in tests])
        outputs = [
            np.concatenate([self._predict(name, fold) for fold in folds]) for name in configurations
        ]
        if len(folds) == 1:
            fold_of_row = halves_of(len(tests[0]), self._data.seed).astype(np.intp)
        rows = np.concatenate(tests)
        stacked = np.stack(outputs, axis=1)
        return Page(list(configurations), rows, fold_of_row, stacked, list(folds))

    def _rounds_of(self, configuration: str) -> dict[int, int]:
        losses = {
            fold: arrays["losses"]
            for fold, key in sorted(self._keys[configuration].items())
            if "losses" in (arrays := self._store.arrays(key))
        }
        return choose_rounds(losses) if losses else {}

    def _predict(self, configuration: str, fold: int) -> Floats:
        """Return the predictions of a fold's rows, (n, t)."""
        arrays = self._store.arrays(self._keys[configuration][fold])
        if "losses" not in arrays:
            return _as_columns(arrays["predictions"])
        n_folds = len(self._keys[configuration])
        rounds = (
            (self._rounds_of(configuration)[fold],)
            if n_folds > 1
            else rounds_of_halves(arrays["losses"])
        )
        known = configuration, fold, rounds
        if known not in self._predictions:
            self._predictions[known] = self._predict_at(configuration, fold, rounds)
        return self._predictions[known]

    def _predict_at(self, configuration: str, fold: int, rounds: tuple[int, ...]) -> Floats:
        model = self._store.model(self._keys[configuration][fold])
        test = self._data.folds[fold][1]
        X = self._data.rows_of(fold, test, self.prep_of(configuration))
        parts = [_as_columns(predict_rows(model, X, n)) for n in rounds]
        if len(parts) == 1:
            return parts[0]
        in_second = halves_of(len(test), self._data.seed)
        return np.where(in_second[:, np.newaxis], parts[1], parts[0])


def _as_columns(predictions: Floats) -> Floats:
    return predictions[:, np.newaxis] if predictions.ndim == 1 else predictions
