"""Kinds that users set: how the values of a column are then read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np

from nonet.tables.column_kind import ColumnKind, KindName
from nonet.tables.table import Column, LeveledColumn
from nonet.tables.text_kinds import TextValues, find_date_kind, find_number_kind, find_text_kind

_REASON = "Set by kinds."


def set_kind(name: str, column: Column, kind: str) -> ColumnKind:
    """Return the kind that a user sets, with what is needed to read the values.

    Parameters
    ----------
    name : str
        The column, for messages.
    column : ndarray or LeveledColumn
        Its values.
    kind : str
        'number', 'boolean', 'date', 'category', 'text' or 'identifier'.

    Returns
    -------
    ColumnKind

    Examples
    --------
    >>> set_kind("size", LeveledColumn.from_values(["S", "38", "40"]), "number").missing
    ('S',)
    """
    if kind in _READ:
        found = _READ[kind](name, column)
        if found is None:
            raise ValueError(
                f"kinds sets column {name!r} to {kind!r}, but {_why_not(column, kind)}; set "
                "another kind, or leave it out."
            )
        return replace(found, reason=_REASON)
    missing = TextValues.of(column).missing if isinstance(column, LeveledColumn) else ()
    return ColumnKind(cast(KindName, kind), _REASON, missing=missing)


def _why_not(column: Column, kind: str) -> str:
    if kind == "boolean":
        return "it has other than two values"
    if isinstance(column, LeveledColumn):
        return f"none of its values is a {kind}"
    return f"its values are {'dates' if column.dtype.kind == 'M' else 'numbers'}"


def _as_number(name: str, column: Column) -> ColumnKind | None:
    if isinstance(column, LeveledColumn):
        found = find_number_kind("", TextValues.of(column), is_set=True)
        return None if found is None else replace(found, kind="number")
    return None if column.dtype.kind == "M" else ColumnKind("number", _REASON)


def _as_date(name: str, column: Column) -> ColumnKind | None:
    if isinstance(column, LeveledColumn):
        return find_date_kind(TextValues.of(column), is_set=True)
    return ColumnKind("date", _REASON) if column.dtype.kind == "M" else None


def _as_boolean(name: str, column: Column) -> ColumnKind | None:
    """Return the kind of two values; of two words that are no booleans, the second is true."""
    if not isinstance(column, LeveledColumn):
        is_two = column.dtype.kind != "M" and len(np.unique(column[~np.isnan(column)])) <= 2
        return ColumnKind("boolean", _REASON) if is_two else None
    plain = LeveledColumn(column.codes, column.levels)
    found = find_text_kind(name, plain)
    if found.kind == "boolean":
        return found
    values = TextValues.of(column)
    if len(values.levels) != 2:
        return None
    false, true = sorted(level.lower() for level in values.levels)
    return ColumnKind(
        "boolean", _REASON, missing=values.missing, true_values=(true,), false_values=(false,)
    )


_READ: dict[str, Callable[[str, Column], ColumnKind | None]] = {
    "number": _as_number,
    "date": _as_date,
    "boolean": _as_boolean,
}
