"""Members that remember the rows they were fitted on, and record calls that predict such rows.

Every column of ``ROWS`` identifies the row, whatever columns a member is given: the whole part of
each number is the position of the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

N_ROWS = 120
ROWS_PER_GROUP = 4
_RNG = np.random.default_rng(0)
ROWS = np.arange(N_ROWS)[:, np.newaxis] + _RNG.uniform(0, 0.5, size=(N_ROWS, 4))
LABELS = _RNG.integers(0, 2, N_ROWS)
VALUES = _RNG.normal(size=N_ROWS)
GROUPS = np.arange(N_ROWS) // ROWS_PER_GROUP


@dataclass
class Journal:
    """The rows that members predicted while an ensemble was fitted.

    Attributes
    ----------
    n_predicted : int
        How many predictions members made.
    seen_rows : set of int
        Rows that a member predicted although it was fitted on them.
    seen_groups : set of int
        Groups of which a member predicted a row although it was fitted on one.
    """

    n_predicted: int = 0
    seen_rows: set[int] = field(default_factory=set)
    seen_groups: set[int] = field(default_factory=set)


_open_journals: list[Journal] = []


@contextmanager
def journal() -> Iterator[Journal]:
    """Record what members predict from here on."""
    notes = Journal()
    _open_journals.append(notes)
    try:
        yield notes
    finally:
        _open_journals.remove(notes)


def _numbers_of(X: Any) -> NDArray[np.int64]:
    return np.floor(np.asarray(X)[:, -1]).astype(np.int64)


class _Recorder(BaseEstimator):
    """Memorizes its rows, and predicts all others at random."""

    def __init__(self, coin: int = 0) -> None:
        self.coin = coin

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        numbers, present = _numbers_of(X), np.ones(len(y), dtype=bool)
        if sample_weight is not None:
            present = np.asarray(sample_weight) > 0
        self.memory_ = dict(zip(numbers[present].tolist(), np.asarray(y)[present], strict=True))
        self.n_features_in_ = np.asarray(X).shape[1]
        self._learn(np.asarray(y))
        return self

    def _learn(self, y: Any) -> None:
        """Learn what there is beside the rows."""

    def _note(self, X: Any) -> NDArray[np.int64]:
        numbers = _numbers_of(X)
        predicted, known = set(numbers.tolist()), set(self.memory_)
        for notes in _open_journals:
            notes.n_predicted += len(predicted)
            notes.seen_rows |= predicted & known
            groups = {row // ROWS_PER_GROUP for row in known}
            notes.seen_groups |= {row // ROWS_PER_GROUP for row in predicted} & groups
        return numbers

    def _toss(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        tosses = np.random.default_rng(self.coin).uniform(size=N_ROWS)
        return tosses[numbers]


class RecordingClassifier(ClassifierMixin, _Recorder):
    """A classifier that is certain of the rows it was fitted on, and right."""

    def _learn(self, y: Any) -> None:
        self.classes_ = np.unique(y)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        numbers = self._note(X)
        n_classes = len(self.classes_)
        named = (self._toss(numbers) * n_classes).astype(int)
        known = [row in self.memory_ for row in numbers.tolist()]
        labels = [self.memory_[row] for row in numbers.tolist() if row in self.memory_]
        named[known] = np.searchsorted(self.classes_, labels)
        sure = np.where(known, 1.0, 0.4 + 0.5 * self._toss(numbers))
        fractions = np.repeat(
            ((1 - sure) / max(n_classes - 1, 1))[:, np.newaxis], n_classes, axis=1
        )
        fractions[np.arange(len(numbers)), named] = sure if n_classes > 1 else 1.0
        return fractions

    def predict(self, X: Any) -> Any:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class RecordingRegressor(RegressorMixin, _Recorder):
    """A regressor that knows the values of the rows it was fitted on."""

    def predict(self, X: Any) -> NDArray[np.float64]:
        numbers = self._note(X)
        tosses = self._toss(numbers)
        return np.array(
            [
                self.memory_.get(row, toss)
                for row, toss in zip(numbers.tolist(), tosses, strict=True)
            ],
            dtype=float,
        )
