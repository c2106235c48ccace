"""Rows that are given to a report: a file, a frame or an array, and the truth."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Task
from nonet._base.arrays import encode_labels
from nonet._base.errors import show
from nonet._base.frames import as_objects_of, take_rows
from nonet.tables.as_table import as_table
from nonet.tables.column_encoders import read_numbers
from nonet.tables.column_names import Notes, list_names
from nonet.tables.kinds import find_kinds
from nonet.tables.readers import read_table
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.target import find_target, understand_target

_FRAMES = ("pandas", "polars")


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Rows with their truth.

    Attributes
    ----------
    table : Table
        All columns but the target.
    X : table
        The rows as they were given: an array, a frame, or a `Table` (of a file, for example).
    y : ndarray of shape (n_rows,)
        Labels, or values.
    target : str
        The name of the target; 'y' if it has none.
    positions : ndarray of int of shape (n_rows,)
        Where the rows are in the table that was given, from 0.
    """

    table: Table
    X: Any
    y: Array
    target: str
    positions: Codes

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.y)

    def take(self, rows: Codes) -> GivenRows:
        """Return some rows."""
        if isinstance(self.X, Table):
            X: Any = self.X.take(rows)
        else:
            X = take_rows(self.X, rows)
        table, positions = self.table.take(rows), self.positions[rows]
        return replace(self, table=table, X=X, y=self.y[rows], positions=positions)


def read_rows(X: Any, y: Any, target: str | None, task: Task, notes: Notes) -> GivenRows:
    """Return rows with their truth.

    Parameters
    ----------
    X : path, frame, array or table
    y : array-like, str or None
        The truth; or the name of its column in X. None is the column ``target``.
    target : str or None
        What the model predicts, if that is known.
    task : {'classification', 'regression'}
    notes : list of str or None
        Gets sentences about repairs of a file.

    Returns
    -------
    rows : GivenRows
        Without those whose truth is missing.
    """
    is_file = isinstance(X, str | os.PathLike)
    given = read_table(os.fspath(X), notes=notes) if is_file else _as_given(X)
    table = as_table(given, notes=notes)
    if y is None or isinstance(y, str):
        return _with_column(given, table, _name_of(table, y, target), task)
    return _with_truth(given, table, y, getattr(y, "name", None) or target or "y")


def _as_given(X: Any) -> Any:
    """Return arrays and frames that models read as they are; anything else as a table."""
    if isinstance(X, list | tuple) and not (len(X) and isinstance(X[0], dict)):
        X = np.asarray(X)
    library = type(X).__module__.partition(".")[0]
    return X if isinstance(X, np.ndarray) or library in _FRAMES else as_table(X)


def _name_of(table: Table, y: str | None, target: str | None) -> str:
    if y is not None:
        return find_target(table, y)
    if target is None:
        raise ValueError(
            "make_report needs the truth of the rows in X: give y= as an array, or as the name of "
            "a column of X."
        )
    if target not in table:
        raise ValueError(
            f"the table has no column {target!r}, which the model predicts, so nothing can be "
            f"scored on it; add the column, or give y= (its columns are {list_names(table.names)})."
        )
    return target


def _with_column(given: Any, table: Table, name: str, task: Task) -> GivenRows:
    truth = understand_target(table[name], name, task)
    X, positions = _without(given, table, name), np.arange(table.n_rows)
    rows = GivenRows(table.without(name), X, _all(truth), name, positions)
    return rows if len(truth.rows) == table.n_rows else rows.take(truth.rows)


def _all(truth: Any) -> Array:
    """Return the labels of all rows; rows without a truth have that of another."""
    labels = truth.labels
    found = np.full(len(truth.rows) + truth.n_missing, labels[0], dtype=labels.dtype)
    found[truth.rows] = labels
    return found


def _without(given: Any, table: Table, name: str) -> Any:
    if isinstance(given, Table):
        return given.without(name)
    position = table.names.index(name)
    if isinstance(given, np.ndarray):
        return np.delete(given, position, axis=1)
    kept = [j for j in range(len(table.names)) if j != position]
    library = type(given).__module__.partition(".")[0]
    return given.iloc[:, kept] if library == "pandas" else given[:, kept]


def _with_truth(given: Any, table: Table, y: Any, name: str) -> GivenRows:
    truth = np.asarray(y)
    if truth.ndim == 2 and truth.shape[1] == 1:
        truth = truth[:, 0]
    if truth.ndim != 1:
        raise ValueError(
            f"y must have one column, as a report is about one target, but has shape {truth.shape}."
        )
    if len(truth) != table.n_rows:
        raise ValueError(
            f"X and y must have the same number of rows, but have {table.n_rows} and {len(truth)}."
        )
    return GivenRows(table, given, truth, str(name), np.arange(table.n_rows))


# ---- The truth -----------------------------------------------------------------------------------


def known_truth(
    rows: GivenRows, classes: Array | None, warnings: list[str]
) -> tuple[GivenRows, Array]:
    """Return the rows whose truth the model can name, and class codes or values.

    Parameters
    ----------
    rows : GivenRows
    classes : ndarray or None
        The labels of the model; None in regression.
    warnings : list of str
        Gets a sentence about rows of other classes.

    Returns
    -------
    rows : GivenRows
    y : ndarray
    """
    if rows.n_rows == 0:
        raise ValueError("make_report needs rows to score, but X has none with a known truth.")
    if classes is None:
        return rows, _values(rows.y)
    codes = _codes(rows.y, classes)
    known = np.flatnonzero(codes >= 0)
    if len(known) == len(codes):
        return rows, codes
    strange = rows.y[np.flatnonzero(codes < 0)[0]]
    if not len(known):
        raise ValueError(
            f"y holds no class of the model: its classes are {list_names(classes.tolist())}, but y "
            f"holds {show(strange)}."
        )
    n_unknown = len(codes) - len(known)
    are, their = ("row is", "its") if n_unknown == 1 else ("rows are", "their")
    warnings.append(
        f"{n_unknown:,} {are} left out, as the model does not know {their} class, "
        f"{show(strange)} for example."
    )
    return rows.take(known), codes[known]


def _codes(y: Array, classes: Array) -> Codes:
    if _is_text(y) != _is_text(classes):
        # A file may hold 0 and 1 as text, or text that looks like numbers.
        y, classes = _text_columns(y), _text_columns(classes)
    return np.asarray(encode_labels(y, classes, unknown="silent"), dtype=np.intp)


def _is_text(labels: Array) -> bool:
    return isinstance(labels.tolist()[0], str)


def _text_columns(labels: Array) -> Array:
    return np.array([str(label) for label in labels.tolist()])


def _values(y: Array) -> Array:
    try:
        values = y.astype(np.float64)
    except (TypeError, ValueError) as why:
        raise ValueError(
            f"y must hold numbers, as the model is a regressor, but holds {show(y[0])}."
        ) from why
    if not np.isfinite(values).all():
        raise ValueError("y must hold finite numbers, but some are missing or infinite.")
    return values


# ---- What models read ----------------------------------------------------------------------------


def as_model_reads(rows: GivenRows, model: Any) -> tuple[Any, Table]:
    """Return rows as a model reads them that was not fitted on tables, and the same as a table.

    Parameters
    ----------
    rows : GivenRows
    model : fitted estimator

    Returns
    -------
    X : ndarray or frame
        What was given, unless that is a table, of a file for example: then a frame of pandas with
        the columns that the model knows, or an array if it knows no names.
    table : Table
        With the columns of X in their order.
    """
    if not isinstance(rows.X, Table):
        return rows.X, rows.table
    columns = _typed_columns(rows.table)
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return _as_array(columns), Table(tuple(columns), tuple(columns.values()))
    absent = [name for name in names if name not in columns]
    if absent:
        raise ValueError(f"X lacks columns that the model was fitted on: {list_names(absent)}.")
    read = {str(name): columns[name] for name in names}
    return _as_frame(read), Table(tuple(read), tuple(read.values()))


def _typed_columns(table: Table) -> dict[str, Column]:
    """Return columns, those of numbers written as text as numbers."""
    kinds = find_kinds(table)
    return {
        name: read_numbers(column, kinds[name].decimal_comma)
        if isinstance(column, LeveledColumn) and kinds[name].kind == "number"
        else column
        for name, column in zip(table.names, table.columns, strict=True)
    }


def _as_array(columns: dict[str, Column]) -> Array:
    if all(
        isinstance(column, np.ndarray) and column.dtype.kind in "biuf"
        for column in columns.values()
    ):
        return np.column_stack([np.asarray(c, dtype=np.float64) for c in columns.values()])
    return np.column_stack([_objects(column) for column in columns.values()])


def _objects(column: Column) -> Array:
    if isinstance(column, LeveledColumn):
        return column.values()
    return as_objects_of(column.tolist())


def _as_frame(columns: dict[str, Column]) -> Any:
    try:
        import pandas
    except ImportError as why:
        raise ImportError(
            "the model knows the names of its columns, so the rows of a file are given to it as a "
            "frame, which needs pandas: pip install pandas."
        ) from why
    return pandas.DataFrame(
        {
            name: column.values() if isinstance(column, LeveledColumn) else column
            for name, column in columns.items()
        }
    )
