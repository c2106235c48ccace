"""Models that predict rows put together from others: what all explanations stand on.

An explanation predicts rows in which some columns have the values of other rows: shuffled ones,
those of a background, or one value for all. ``predict(rows, swaps)``, of one set of rows or of
several at once, is all that they need; the classes here offer it for frames and arrays, for
encoded tables, and for the models of folds, each of which predicts rows that it was not fitted on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.frames import take_rows
from nonet.auto.fold_text import join_text_features
from nonet.report.shown_columns import encoded_positions
from nonet.report.work import steps_per_row
from nonet.tables.encoder import EncodedTable
from nonet.tables.table import LeveledColumn

_MAX_CELLS = 4_000_000  # of a batch: 32 MB

Swaps = Mapping[int, Codes]
"""For some columns, the row that each value is taken from."""

Question = tuple[Codes, Swaps]
"""Rows to predict."""


class ExplainedModels:
    """Parent of models that are explained; a child implements ``_predict``.

    Parameters
    ----------
    n_rows, n_columns : int
        Of the table that rows are put together from.
    words : str
        Which models predict which rows.
    steps_per_row : float
        About what a prediction costs.
    """

    def __init__(self, n_rows: int, n_columns: int, words: str, steps_per_row: float) -> None:
        self.n_rows, self.n_columns = n_rows, n_columns
        self.words, self.steps_per_row = words, steps_per_row

    def predict(self, rows: Codes, swaps: Swaps) -> Floats:
        """Return predictions, (n, t): probabilities of classes, or values (t = 1).

        Parameters
        ----------
        rows : ndarray of int of shape (n,)
            Rows of the table.
        swaps : mapping of int to ndarray of int of shape (n,)
            For some columns, by position, the rows that their values are taken from instead.
        """
        return self.predict_each([(rows, swaps)])[0]

    def predict_each(self, questions: Sequence[Question]) -> list[Floats]:
        """Return the predictions of several sets of rows.

        Models predict the sets in large batches, because every call of a model has a price.

        Parameters
        ----------
        questions : sequence of (rows, swaps)
            As `predict` takes them.
        """
        size = max(1, _MAX_CELLS // max(self.n_columns, 1))
        parts = [self._predict(*_joined(batch)) for batch in _batches(questions, size)]
        ends = np.cumsum([len(rows) for rows, _ in questions])[:-1]
        return np.split(np.concatenate(parts), ends)

    def _predict(self, rows: Codes, swaps: Swaps) -> Floats:
        raise NotImplementedError


def _batches(questions: Sequence[Question], size: int) -> Iterator[list[Question]]:
    """Return the questions in batches of at most so many rows; long ones are divided."""
    batch: list[Question] = []
    n_rows = 0
    for rows, swaps in questions:
        for at in range(0, len(rows), size):
            part = rows[at : at + size]
            if batch and n_rows + len(part) > size:
                yield batch
                batch, n_rows = [], 0
            batch.append((part, {j: others[at : at + size] for j, others in swaps.items()}))
            n_rows += len(part)
    yield batch


def _joined(batch: Sequence[Question]) -> Question:
    """Return questions as one, in which other rows keep their own values of a swapped column."""
    rows = np.concatenate([rows for rows, _ in batch])
    swaps: dict[int, Codes] = {}
    start = 0
    for own, swapped in batch:
        end = start + len(own)
        for j, others in swapped.items():
            swaps.setdefault(j, rows.copy())[start:end] = others
        start = end
    return rows, swaps


def as_columns(predictions: Array) -> Floats:
    """Return values as one column, probabilities as they are."""
    found: Floats = np.asarray(predictions, dtype=np.float64)
    return found[:, np.newaxis] if found.ndim == 1 else found


# ---- Frames and arrays ---------------------------------------------------------------------------


class ExplainedFrame(ExplainedModels):
    """A model that reads arrays, or frames of pandas or polars.

    Parameters
    ----------
    model : estimator
    X : ndarray or frame
    predict_rows : callable
        ``predict_rows(X)`` returns probabilities, one-hot classes, or values.
    """

    def __init__(self, model: Any, X: Any, predict_rows: Callable[[Any], Array]) -> None:
        super().__init__(len(X), X.shape[1], "the model", steps_per_row(model))
        self._X, self._predict_rows = X, predict_rows
        self._put_together = _way_for(X)

    def _predict(self, rows: Codes, swaps: Swaps) -> Floats:
        return as_columns(self._predict_rows(self._put_together(self._X, rows, swaps)))


def _way_for(X: Any) -> Callable[[Any, Codes, Swaps], Any]:
    library = type(X).__module__.partition(".")[0]
    return {"pandas": _of_pandas, "polars": _of_polars}.get(library, _of_array)


def _of_array(X: Array, rows: Codes, swaps: Swaps) -> Array:
    found = X[rows]
    for j, others in swaps.items():
        found[:, j] = X[others, j]
    return found


def _of_pandas(X: Any, rows: Codes, swaps: Swaps) -> Any:
    found = X.take(rows).reset_index(drop=True)
    for j, others in swaps.items():
        found.isetitem(j, X.iloc[:, j].array.take(others))
    return found


def _of_polars(X: Any, rows: Codes, swaps: Swaps) -> Any:
    found = take_rows(X, rows)
    for j, others in swaps.items():
        found = found.replace_column(j, X.to_series(j).gather(others))
    return found


# ---- Encoded tables ------------------------------------------------------------------------------


class ExplainedEncoded(ExplainedModels):
    """An auto-ensembler, which predicts encoded rows.

    Parameters
    ----------
    model : AutoEnsembleClassifier or AutoEnsembleRegressor
    table : EncodedTable
    """

    def __init__(self, model: Any, table: EncodedTable) -> None:
        self._encoded = encoded_positions(model.encoder_, table)
        words, steps = "the model", self._count_steps(model)
        super().__init__(table.n_rows, len(self._encoded), words, steps)
        self._model, self._table = model, table

    def _count_steps(self, model: Any) -> float:
        return sum(steps_per_row(member.estimator) for member in model.members_)

    def _predict(self, rows: Codes, swaps: Swaps) -> Floats:
        X = self._columns_read(rows, swaps)
        outputs = self._model.ensemble_.member_outputs(X)
        return as_columns(self._model.combine_(outputs, X))

    def _columns_read(self, rows: Codes, swaps: Swaps) -> Floats:
        """Return what the members read: encoded columns, features of text, prepared columns."""
        table = swap_columns(self._table, self._encoded, rows, swaps)
        found: Floats = self._model._add_prepared(
            join_text_features(table, self._model.text_features_)
        )
        return found


def swap_columns(
    table: EncodedTable, positions: Sequence[slice | str], rows: Codes, swaps: Swaps
) -> EncodedTable:
    """Return rows of an encoded table, with some columns from other rows.

    Parameters
    ----------
    table : EncodedTable
    positions : sequence of slice or str
        Where the columns that can be swapped are.
    rows : ndarray of int of shape (n,)
    swaps : mapping of int to ndarray of int of shape (n,)

    Returns
    -------
    table : EncodedTable
    """
    found = table.take(rows)
    values, texts = found.values, dict(found.texts)
    for j, others in swaps.items():
        position = positions[j]
        if isinstance(position, str):
            text = table.texts[position]
            texts[position] = LeveledColumn(text.codes[others], text.levels)
        else:
            values[:, position] = table.values[others, position]
    return EncodedTable(values, found.names, found.categorical, texts)


class ExplainedFolds(ExplainedEncoded):
    """The models of a run's folds, each with rows that it was not fitted on.

    A row that is put together belongs to the fold of the row that most of it comes from.

    Parameters
    ----------
    model : AutoEnsembleClassifier or AutoEnsembleRegressor
    table : EncodedTable
    folds : ndarray of int of shape (n_rows,)
        The fold in which each row of the table was held out.
    positions : list of dict of int to int
        For each member, where the model of each fold is among its models.
    """

    def __init__(
        self, model: Any, table: EncodedTable, folds: Codes, positions: list[dict[int, int]]
    ) -> None:
        super().__init__(model, table)
        self.words = "the models of the folds, each on rows that it was not fitted on"
        self._folds, self._positions = folds, positions

    def _count_steps(self, model: Any) -> float:
        """Return the steps of one model of each member, which is that of the row's fold."""
        estimators = [member.estimator for member in model.members_]
        return sum(steps_per_row(one) / len(one.models) for one in estimators)

    def _predict(self, rows: Codes, swaps: Swaps) -> Floats:
        return as_columns(self._model.combine_(self.outputs(rows, swaps), None))

    def outputs(self, rows: Codes, swaps: Swaps) -> Floats:
        """Return the predictions of all members, (n, k) or (n, k, c)."""
        X, folds = self._columns_read(rows, swaps), self._folds[rows]
        members = [
            _of_folds(member.estimator, positions, X, folds)
            for member, positions in zip(self._model.members_, self._positions, strict=True)
        ]
        return np.stack(members, axis=1)


def _of_folds(models: Any, positions: Mapping[int, int], X: Floats, folds: Codes) -> Floats:
    """Return what the models of one configuration predict, each for the rows of its fold."""
    found: Floats | None = None
    for fold in np.unique(folds):
        of_fold, position = np.flatnonzero(folds == fold), positions[int(fold)]
        columns = None if models.columns is None else models.columns[position]
        read = X[of_fold] if columns is None else X[np.ix_(of_fold, columns)]
        model = models.models[position]
        part = model.predict(read) if models.classes is None else model.predict_proba(read)
        if found is None:
            found = np.empty((len(folds), *part.shape[1:]))
        found[of_fold] = part
    assert found is not None
    return found


def positions_of_folds(model: Any, folds: Codes) -> list[dict[int, int]] | None:
    """Return for each member where the model of each fold is among its models.

    Parameters
    ----------
    model : AutoEnsembleClassifier or AutoEnsembleRegressor
    folds : ndarray of int
        The folds of held-out rows.

    Returns
    -------
    positions : list of dict of int to int, or None
        None if it cannot be said, after a run that ended in the middle of its folds.
    """
    known = np.unique(folds).tolist()
    positions = []
    for member in model.members_:
        n_models = len(member.estimator.models)
        if n_models == 1:  # one split, whose rows are in two halves
            positions.append(dict.fromkeys(known, 0))
        elif n_models == len(known):
            positions.append({fold: position for position, fold in enumerate(known)})
        elif n_models > max(known):
            positions.append({fold: fold for fold in known})
        else:
            return None
    return positions
