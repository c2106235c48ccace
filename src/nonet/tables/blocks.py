"""Tables in blocks of rows, from files that need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nonet._base.errors import show
from nonet.tables.arrow_blocks import arrow_parts, parquet_parts
from nonet.tables.as_table import as_table
from nonet.tables.column_names import Notes
from nonet.tables.csv_files.parts import csv_parts
from nonet.tables.json_blocks import json_parts
from nonet.tables.table import Table
from nonet.tables.table_files import TableFile, workbook_error
from nonet.tables.table_parts import regroup


def read_blocks(
    source: Any, *, rows_per_block: int = 50_000, notes: Notes = None
) -> Iterator[Table]:
    r"""Return the rows of a table in blocks.

    Concatenated, the blocks are the table that `read_table` returns: names, types and repairs are
    those of the whole file, so that a model predicts the same for a row, whichever block it is in.
    Memory depends on the size of a block, not on that of the file. For this, files are read twice;
    standard input is kept in a temporary file.

    Parameters
    ----------
    source : str, Path or table
        As in `read_table`: a file, compressed or not, "-" for standard input, or a table in memory.
    rows_per_block : int, default=50_000
        The number of rows of a block; the last may have fewer.
    notes : list of str, optional
        Gets a sentence for each repair, before the first block.

    Returns
    -------
    iterator of Table
        In a file that is damaged, the rows before the damage come first; then the error is raised.

    See Also
    --------
    read_table : The whole table.

    Examples
    --------
    >>> _ = Path("flats.csv").write_text("size;city\n1,5;Oslo\n2;Rome\n;Rome\n")
    >>> for block in read_blocks("flats.csv", rows_per_block=2):
    ...     print(block.n_rows, block["city"].values())
    2 ['Oslo' 'Rome']
    1 ['Rome']
    """
    _check_rows_per_block(rows_per_block)
    if not isinstance(source, str | Path):
        table = as_table(source, notes=notes)
        return regroup([table], rows_per_block) if table.n_rows else iter([table])
    file = TableFile(source)
    return regroup(_file_parts(file, rows_per_block, notes), rows_per_block)


def _check_rows_per_block(rows_per_block: Any) -> None:
    is_integer = isinstance(rows_per_block, int) and not isinstance(rows_per_block, bool)
    if not is_integer or rows_per_block < 1:
        raise ValueError(
            f"rows_per_block must be an integer of at least 1, but got {show(rows_per_block)}."
        )


def _file_parts(file: TableFile, rows_per_block: int, notes: Notes) -> Iterator[Table]:
    if file.format == "csv":
        return csv_parts(file.pieces, file.name, notes)
    if file.format == "json lines":
        return json_parts(file, notes)
    if file.format == "parquet":
        return parquet_parts(file, notes, rows_per_block)
    if file.format == "arrow":
        return arrow_parts(file, notes, rows_per_block)
    raise workbook_error(file.name)
