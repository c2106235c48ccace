"""The columns of a table as a reader knows them: numbers, dates, and levels by their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Codes, Floats
from nonet.report.plain import plain, shown_date
from nonet.tables.column_encoders import BooleanEncoder, CategoryEncoder, DateEncoder
from nonet.tables.encoder import EncodedTable, TableEncoder
from nonet.tables.table import Column, LeveledColumn, Table

_MAX_LEVELS = 50  # more are a text, if they hardly repeat
_ROWS_PER_LEVEL = 5


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """One column.

    Attributes
    ----------
    name : str
    kind : {'number', 'date', 'boolean', 'category', 'text'}
    values : ndarray or LeveledColumn
        Floats (NaN where missing), dates, or levels.

    Examples
    --------
    >>> column = ShownColumn("city", "category", LeveledColumn.from_values(["Oslo", None]))
    >>> column.shown(0), column.shown(1), column.is_missing
    ('Oslo', None, array([False,  True]))
    """

    name: str
    kind: str
    values: Column

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.values)

    @property
    def is_ordered(self) -> bool:
        """Whether its values have an order: of numbers, of dates, of false and true."""
        return self.kind in ("number", "date", "boolean")

    @property
    def levels(self) -> LeveledColumn:
        """The levels of a column of levels."""
        assert isinstance(self.values, LeveledColumn)
        return self.values

    @property
    def is_missing(self) -> Array:
        """Which rows have no value."""
        if isinstance(self.values, LeveledColumn):
            return np.asarray(self.values.codes < 0)
        return np.isnat(self.values) if self.kind == "date" else np.isnan(self.values)

    def numbers(self) -> Floats:
        """Return an ordered column as numbers: seconds of dates, codes of levels, or NaN."""
        if isinstance(self.values, LeveledColumn):
            codes = self.values.codes.astype(np.float64)
            return np.where(codes < 0, np.nan, codes)
        if self.kind != "date":
            return self.values
        seconds = self.values.astype(np.int64) / 1e6
        return np.where(np.isnat(self.values), np.nan, seconds)

    def shown(self, row: int) -> Any:
        """Return the value of a row as JSON holds it."""
        if isinstance(self.values, LeveledColumn):
            code = int(self.values.codes[row])
            return None if code < 0 else str(self.values.levels[code])
        value = self.values[row]
        return shown_date(value) if self.kind == "date" else plain(value)

    def take(self, rows: Codes) -> ShownColumn:
        """Return the column of some rows."""
        if isinstance(self.values, LeveledColumn):
            return ShownColumn(self.name, self.kind, self.values.take(rows))
        return ShownColumn(self.name, self.kind, self.values[rows])


# ---- From tables as they are given ---------------------------------------------------------------


def columns_of_table(table: Table) -> list[ShownColumn]:
    """Return the columns of a table, with kinds by the types of their values.

    Examples
    --------
    >>> table = Table(("size", "city"), (np.array([1.0, 2.0]), LeveledColumn.from_values("ab")))
    >>> [column.kind for column in columns_of_table(table)]
    ['number', 'category']
    """
    pairs = zip(table.names, table.columns, strict=True)
    return [_column(name, values) for name, values in pairs]


def _column(name: str, values: Column) -> ShownColumn:
    if isinstance(values, LeveledColumn):
        n_used = int(np.count_nonzero(values.counts()))
        is_text = n_used > max(_MAX_LEVELS, len(values) / _ROWS_PER_LEVEL)
        return ShownColumn(name, "text" if is_text else "category", values)
    if values.dtype.kind == "b":
        return ShownColumn(name, "boolean", _truths(values.astype(np.float64), "false", "true"))
    if values.dtype.kind == "M":
        return ShownColumn(name, "date", values)
    return ShownColumn(name, "number", _finite(values.astype(np.float64)))


def _finite(values: Floats) -> Floats:
    """Return numbers with infinities as missing, which have no position in a picture."""
    return np.where(np.isinf(values), np.nan, values)


def _truths(values: Floats, false: str, true: str) -> LeveledColumn:
    codes = np.where(np.isnan(values), -1, values).astype(np.int32)
    return LeveledColumn(codes, np.array([false, true], dtype=object))


# ---- From encoded tables -------------------------------------------------------------------------


def columns_of_encoded(encoder: TableEncoder, table: EncodedTable) -> list[ShownColumn]:
    """Return the columns that a model gets, decoded to what the encoder read.

    Parameters
    ----------
    encoder : TableEncoder
    table : EncodedTable
        From this encoder.

    Returns
    -------
    columns : list of ShownColumn
        In the order of the encoder: those of text last.

    Examples
    --------
    >>> from nonet.tables.as_table import as_table
    >>> encoder, table = TableEncoder(), as_table({"size": [1, 2], "city": ["Oslo", "Rome"]})
    >>> table = encoder.fit_transform(table)
    >>> [column.shown(1) for column in columns_of_encoded(encoder, table)]
    [2.0, 'Rome']
    """
    if not encoder.kinds_:
        pairs = zip(table.names, table.values.T, strict=True)
        return [ShownColumn(name, "number", _finite(values)) for name, values in pairs]
    positions = encoded_positions(encoder, table)
    found = []
    for one, position in zip(encoder.encoders_, positions, strict=False):
        assert isinstance(position, slice)
        found.append(_decoded(one, table.values[:, position.start]))
    return [*found, *(ShownColumn(name, "text", text) for name, text in table.texts.items())]


def encoded_positions(encoder: TableEncoder, table: EncodedTable) -> list[slice | str]:
    """Return where the values of each shown column are: encoded columns, or a name of text."""
    if not encoder.kinds_:
        return [slice(j, j + 1) for j in range(table.values.shape[1])]
    ends = np.cumsum([len(one.names) for one in encoder.encoders_]).tolist()
    starts = [0, *ends[:-1]] if ends else []
    return [*map(slice, starts, ends), *table.texts]


def _decoded(encoder: Any, values: Floats) -> ShownColumn:
    name, kind = encoder.name, encoder.kind
    if isinstance(encoder, CategoryEncoder):
        codes = np.where(np.isnan(values), -1, values).astype(np.int32)
        return ShownColumn(
            name, "category", LeveledColumn(codes, np.array(encoder.levels, dtype=object))
        )
    if isinstance(encoder, BooleanEncoder):
        false = next(iter(kind.false_values), "false")
        return ShownColumn(
            name, "boolean", _truths(values, false, next(iter(kind.true_values), "true"))
        )
    if isinstance(encoder, DateEncoder):
        moments = np.where(np.isnan(values), 0.0, values) * 1e6 + encoder.origin
        dates = np.round(moments).astype(np.int64).astype("datetime64[us]")
        dates[np.isnan(values)] = np.datetime64("NaT")
        return ShownColumn(name, "date", dates)
    return ShownColumn(name, "number", np.asarray(values))
