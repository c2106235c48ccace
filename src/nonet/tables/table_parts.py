"""Parts of tables: the rows of one after another, in blocks of equal size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.pieces import BrokenFile
from nonet.tables.table import MISSING, Column, LeveledColumn, Table


def take_range(table: Table, start: int, stop: int) -> Table:
    """Return consecutive rows, with the levels that they have.

    Examples
    --------
    >>> table = Table(("city",), (LeveledColumn.from_values("abc"),))
    >>> take_range(table, 1, 2)["city"].levels
    array(['b'], dtype=object)
    """
    if start == 0 and stop == table.n_rows:
        return table
    return Table(table.names, tuple(_range(column, start, stop) for column in table.columns))


def _range(column: Column, start: int, stop: int) -> Column:
    if not isinstance(column, LeveledColumn):
        return column[start:stop]
    codes: Array = column.codes[start:stop]
    levels = column.levels
    if len(levels) > len(codes):  # or each block would look through all of them
        used, codes = np.unique(codes, return_inverse=True)
        n_missing = int(used.size and used[0] < 0)
        levels, codes = levels[used[n_missing:]], codes - n_missing
    return LeveledColumn(codes.astype(np.int32, copy=False), levels, column.is_categorical)


def join_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of tables of the same columns, one after another.

    Examples
    --------
    >>> tables = [Table(("city",), (LeveledColumn.from_values(v),)) for v in ("ab", "bc")]
    >>> join_tables(tables)["city"].codes
    array([0, 1, 1, 2], dtype=int32)
    """
    if len(tables) == 1:
        return tables[0]
    columns = zip(*(table.columns for table in tables), strict=True)
    return Table(tables[0].names, tuple(_join(parts) for parts in columns))


def _join(parts: Sequence[Column]) -> Column:
    leveled = [part for part in parts if isinstance(part, LeveledColumn)]
    if not leveled:
        return np.concatenate([part for part in parts if isinstance(part, np.ndarray)])
    positions: dict[str, int] = {}
    codes = [_joined_codes(part, positions) for part in leveled]
    levels = np.array([*positions], dtype=object)
    return LeveledColumn(np.concatenate(codes), levels, leveled[0].is_categorical)


def _joined_codes(part: LeveledColumn, positions: dict[str, int]) -> Array:
    """Return the codes of a part among the levels of all; new levels are added to these."""
    codes = [positions.setdefault(level, len(positions)) for level in part.levels]
    joined: Array = np.array([*codes, MISSING], dtype=np.int32)[part.codes]
    return joined


def regroup(parts: Iterable[Table], rows_per_block: int) -> Iterator[Table]:
    """Yield the rows of tables in blocks of equal size; the last may be smaller.

    Parameters
    ----------
    parts : iterable of Table
        With the same columns, of the same types.
    rows_per_block : int
        The number of rows.

    Yields
    ------
    Table
        If the parts end in a `BrokenFile`, the rows before it come first.

    Examples
    --------
    >>> parts = [Table(("a",), (np.arange(n),)) for n in (2, 3)]
    >>> [block["a"].tolist() for block in regroup(parts, 4)]
    [[0, 1, 0, 1], [2]]
    """
    held: list[Table] = []
    n_held = 0
    try:
        for part in parts:
            start = 0
            while part.n_rows - start >= rows_per_block - n_held:
                stop = start + rows_per_block - n_held
                yield join_tables([*held, take_range(part, start, stop)])
                held, n_held, start = [], 0, stop
            if start < part.n_rows:
                held.append(take_range(part, start, part.n_rows))
                n_held += part.n_rows - start
    except BrokenFile:
        if held:
            yield join_tables(held)
        raise
    if held:
        yield join_tables(held)
