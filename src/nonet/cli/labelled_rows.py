"""Rows of a table whose target is known, as a fitted model sees that target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.cli.command_error import CommandError
from nonet.cli.file_label import label_of
from nonet.cli.opened_model import OpenedModel
from nonet.tables.column_encoders import as_levels, canonical_level, read_numbers
from nonet.tables.column_names import count_rows, list_names
from nonet.tables.kinds import find_kinds
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.readers import read_table
from nonet.tables.table import Column, Table
from nonet.tables.target import find_target

_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """The rows of a table that have a target.

    Attributes
    ----------
    table : Table
        All columns but the target.
    y : ndarray of shape (n_rows,)
        Class codes (integers), or values (floats).
    file : str
        The name of the table's file.
    target : str
    """

    table: Table
    y: Array
    file: str
    target: str

    @property
    def words(self) -> str:
        """Which rows these are."""
        return f"{count_rows(len(self.y))} of {self.file}"

    def labels(self, classes: Array | None) -> Array:
        """Return the targets as the user has them: labels, or values."""
        return self.y if classes is None else classes[self.y]


def read_labelled_rows(path: str, opened: OpenedModel, target: str | None) -> LabelledRows:
    """Read a table with the truth.

    Parameters
    ----------
    path : str
    opened : OpenedModel
        Whose target it is.
    target : str or None
        The name of the column; None is that of the run.

    Returns
    -------
    rows : LabelledRows
    """
    name = opened.target_name(target)
    table = read_table(path)
    return label_rows(table, label_of(path), find_target(table, name), opened.classes)


def label_rows(table: Table, file: str, target: str, classes: Array | None) -> LabelledRows:
    """Return the rows of a table that have a target.

    Parameters
    ----------
    table : Table
    file : str
        The name of its file, for messages.
    target : str
        The name of the column.
    classes : ndarray or None
        The classes that the model knows; None in regression.

    Returns
    -------
    rows : LabelledRows

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> table = as_table({"size": [1, 2, 3], "sold": ["yes", None, "no"]})
    >>> label_rows(table, "flats.csv", "sold", np.array(["no", "yes"], dtype=object)).y
    array([1, 0])
    """
    column = table[target]
    if classes is None:
        values = _read_values(column, file, target)
        is_known = np.isfinite(values)
    else:
        values = _read_codes(column, file, target, classes)
        is_known = values >= 0
    rows = np.flatnonzero(is_known)
    if not len(rows):
        raise CommandError(f"{file} has no row with a value of {target!r}.")
    # Without the target, as models that know no names read all columns.
    return LabelledRows(table.without(target).take(rows), values[rows], file, target)


def _read_values(column: Column, file: str, target: str) -> Array:
    kind = find_kinds(Table((target,), (column,)))[target]
    values = read_numbers(column, kind.decimal_comma)
    if np.isnan(values).all():
        levels = as_levels(column)
        words = [str(one) for one in levels.levels[levels.counts() > 0]]
        words = [word for word in words if not is_missing_mark(word)]
        if words:
            raise CommandError(
                f"the model predicts numbers, but column {target!r} of {file} holds none: "
                f"{list_names(words, 3)}; name another column with --target."
            )
    return values


def _read_codes(column: Column, file: str, target: str, classes: Array) -> Array:
    """Return codes of classes, -1 where one is missing; raise for classes that are not known."""
    levels = as_levels(column)
    code_of = {_key(label, classes): code for code, label in enumerate(classes.tolist())}
    texts = [str(level) for level in levels.levels]
    codes = np.array([*(code_of.get(_key(text, classes), -1) for text in texts), -1])
    counts = levels.counts()
    unknown = [
        text
        for text, code, n in zip(texts, codes[:-1], counts, strict=True)
        if code < 0 and n and not is_missing_mark(text)
    ]
    if unknown:
        known = list_names([str(label) for label in classes.tolist()])
        raise CommandError(
            f"{file} has values of {target!r} that the model does not know: {list_names(unknown)}; "
            f"its classes are {known}."
        )
    found: Array = codes[levels.codes].astype(np.int64)
    return found


def _key(label: Any, classes: Array) -> Any:
    """Return what a label and a level have in common: a number, a boolean, or text."""
    text = str(label).strip()
    if classes.dtype.kind == "b":
        return _BOOLEANS.get(text.lower(), text)
    if classes.dtype.kind in "iuf":
        try:
            return float(text)
        except ValueError:
            return text
    return canonical_level(text)
