"""The kinds of the columns of a table, found from their values.

Types are a hint only: numbers and dates written as text are numbers and dates, and integers that
count the rows are no numbers. Users can set the kind of any column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from hashlib import blake2b

import numpy as np

from nonet._base.errors import show
from nonet.tables.array_kinds import find_array_kind
from nonet.tables.column_kind import SETTABLE, ColumnKind
from nonet.tables.column_names import list_names
from nonet.tables.set_kinds import set_kind
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.text_kinds import TextValues, find_text_kind, fits_decimal_comma


def find_kinds(table: Table, kinds: Mapping[str, str] | None = None) -> dict[str, ColumnKind]:
    """Return the kind of each column.

    Parameters
    ----------
    table : Table
        Without the target.
    kinds : mapping of str to str, optional
        Kinds that are set, by the names of columns: 'number', 'boolean', 'date', 'category', 'text'
        or 'identifier', which is not used.

    Returns
    -------
    dict of str to ColumnKind
        In the order of the columns.

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> table = as_table({"price": ["3,50", "12,00"], "zip": [10115, 20095], "sold": ["y", "n"]})
    >>> for name, kind in find_kinds(table, {"zip": "category"}).items():
    ...     print(name, kind.kind, kind.reason)
    price number Numbers written as text, with a decimal comma.
    zip category Set by kinds.
    sold boolean The values are 'y' and 'n'.
    """
    wanted = dict(kinds or {})
    _check_wanted(table, wanted)
    found = {
        name: _find_kind(name, column)
        if name not in wanted
        else set_kind(name, column, wanted[name])
        for name, column in zip(table.names, table.columns, strict=True)
    }
    _settle_decimal_commas(table, found, wanted)
    _mark_duplicates(table, found, wanted)
    return found


def describe_kinds(kinds: Mapping[str, ColumnKind]) -> list[str]:
    """Return sentences about columns that are not used, and about suspected codes for missing.

    Parameters
    ----------
    kinds : mapping of str to ColumnKind
        From `find_kinds`.

    Returns
    -------
    list of str

    Examples
    --------
    >>> describe_kinds({"n": ColumnKind("constant", "The only value is 1.")})
    ["Column 'n' is not used, because its kind is constant. The only value is 1."]
    """
    sentences = []
    for unused in ("identifier", "constant", "duplicate", "empty"):
        names = [name for name, kind in kinds.items() if kind.kind == unused]
        if len(names) == 1:
            reason = kinds[names[0]].reason
            why = f"because its kind is {unused}. {reason}"
            sentences.append(f"Column {names[0]!r} is not used, {why}")
        elif names:
            why = f"because their kind is {unused}: {list_names(names)}."
            sentences.append(f"{len(names)} columns are not used, {why}")
    for name, kind in kinds.items():
        if kind.suspected:
            sentences.append(f"Column {name!r}: {kind.reason}")
    return sentences


def _find_kind(name: str, column: Column) -> ColumnKind:
    if isinstance(column, LeveledColumn):
        return find_text_kind(name, column)
    return find_array_kind(name, column)


def _check_wanted(table: Table, wanted: Mapping[str, str]) -> None:
    for name, kind in wanted.items():
        if name not in table:
            near = get_close_matches(str(name), table.names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise ValueError(f"kinds names the column {name!r}, which the table lacks{hint}")
        if kind not in SETTABLE:
            allowed = ", ".join(map(repr, SETTABLE))
            raise ValueError(
                f"kinds must give column {name!r} one of {allowed}, but got {show(kind)}."
            )


def _settle_decimal_commas(
    table: Table, found: dict[str, ColumnKind], wanted: Mapping[str, str]
) -> None:
    """Read strings such as 1,234 with a decimal comma, if other columns have one for certain."""
    numbers = [
        name
        for name, kind in found.items()
        if kind.kind == "number" and isinstance(table[name], LeveledColumn)
    ]
    if not any(found[name].decimal_comma for name in numbers):
        return
    open_ones = [name for name in numbers if name not in wanted and _fits_comma(table[name])]
    for name in set(numbers) - set(open_ones):
        if not found[name].decimal_comma and _has_point(table[name]):
            return  # both are in use, so that nothing follows from other columns
    for name in open_ones:
        reason = "Numbers written as text, with a decimal comma as in other columns."
        found[name] = replace(found[name], decimal_comma=True, reason=reason)


def _fits_comma(column: Column) -> bool:
    return isinstance(column, LeveledColumn) and fits_decimal_comma(TextValues.of(column))


def _has_point(column: Column) -> bool:
    return isinstance(column, LeveledColumn) and any("." in level for level in column.levels)


def _mark_duplicates(table: Table, found: dict[str, ColumnKind], wanted: Mapping[str, str]) -> None:
    """Mark columns that are equal to an earlier one, unless their kind was set."""
    first: dict[bytes, str] = {}
    for name, kind in found.items():
        if not kind.is_used:
            continue
        earlier = first.setdefault(_digest(table[name]), name)
        if earlier != name and name not in wanted:
            reason = f"All values are equal to those of column {earlier!r}."
            found[name] = ColumnKind("duplicate", reason, same_as=earlier)


def _digest(column: Column) -> bytes:
    """Return a digest that columns of equal values have in common, whatever their types."""
    if not isinstance(column, LeveledColumn):
        is_date = column.dtype.kind == "M"
        values = column.astype(np.int64) if is_date else column.astype(np.float64) + 0.0
        digest = blake2b(b"date" if is_date else b"number")
        digest.update(values.tobytes())
        return digest.digest()
    used, first_rows, positions = np.unique(column.codes, return_index=True, return_inverse=True)
    order = np.argsort(first_rows)  # levels by their first row
    rank = np.empty(len(used), dtype=np.int64)
    rank[order] = np.arange(len(used))
    digest = blake2b(b"text")
    digest.update(rank[positions].tobytes())
    for code in used[order]:
        level = None if code < 0 else column.levels[code]
        digest.update(f"{level!r}\0".encode("utf-8", "surrogatepass"))
    return digest.digest()
