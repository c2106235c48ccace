"""Rows of a CSV file by pyarrow's reader: many times faster, for files in which all rows fit.

All values are read as text. Columns of plain numbers become numbers, as Python's reader makes
them (`rows`), which reads the files that this one leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.missing_marks import MISSING_MARKS
from nonet.tables.object_columns import leveled
from nonet.tables.table import Column

_MARKS = sorted({f(mark) for mark in MISSING_MARKS for f in (str, str.upper, str.title)} | {"NaN"})


def read_with_arrow(content: bytes, dialect: Dialect) -> tuple[list[str], list[Column]] | None:
    r"""Return the header and the columns of a file in UTF-8.

    Parameters
    ----------
    content : bytes
        The file.
    dialect : Dialect
        How its rows are written.

    Returns
    -------
    (header, columns) or None
        None if pyarrow is not installed, or if Python's reader is to read the file: rows of other
        lengths, empty lines, space before quotes.

    Examples
    --------
    >>> header, columns = read_with_arrow(b"1,a\n2,b\n", Dialect(",", ("size", "city"), 0))
    >>> columns[0]
    array([1, 2])
    """
    try:
        import pyarrow
        from pyarrow import csv
    except ImportError:
        return None
    body = memoryview(content)[dialect.start :]
    if dialect.header is None or not body or _needs_python(content, dialect):
        return None
    names = [f"c{j}" for j in range(len(dialect.header))]
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(body),
            read_options=csv.ReadOptions(column_names=names),
            parse_options=csv.ParseOptions(
                delimiter=dialect.delimiter, newlines_in_values=b'"' in content
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
            ),
        )
    except pyarrow.ArrowInvalid:  # a row of another length
        return None
    has_space = dialect.delimiter.encode() + b" " in content
    return list(dialect.header), [_column(column, has_space) for column in table.columns]


def _needs_python(content: bytes, dialect: Dialect) -> bool:
    """Return whether the file has what the two readers read differently, or is to be noted."""
    end = len(content.rstrip())  # empty lines at the end matter to nobody
    if end <= dialect.start or content.find(b"\n\n", dialect.start, end) >= 0:
        return True
    if b"\r" in content:
        is_empty_line = content.find(b"\n\r\n", dialect.start, end) >= 0
        if is_empty_line or content.count(b"\r") != content.count(b"\r\n"):
            return True
    if b'"' not in content:
        return False
    starts = (dialect.delimiter.encode() + b' "', b'\n "', b'  "')
    return any(start in content for start in starts)


def _column(column: Any, has_space: bool) -> Column:
    """Return a column of numbers, if all cells are plain numbers or missing, or of text."""
    if has_space:
        from pyarrow import compute

        column = compute.utf8_ltrim(column, " ")
    numbers = _numbers(column)
    if numbers is not None:
        return numbers
    array = column.dictionary_encode().unify_dictionaries().combine_chunks()
    levels = np.array(array.dictionary.to_pylist(), dtype=object)
    levels[levels == ""] = None
    return leveled(levels, array.indices.to_numpy())


def _numbers(column: Any) -> Array | None:
    import pyarrow
    from pyarrow import compute

    is_mark = compute.is_in(column, value_set=pyarrow.array(_MARKS))
    present = compute.if_else(is_mark, None, column)
    if present.null_count == len(present) or _has_leading_zeros(present):
        return None
    for kind in ("int64", "double"):
        try:
            numbers: Array = present.cast(kind).to_numpy()
        except pyarrow.ArrowInvalid:
            continue
        # Words for NaN that do not stand for missing are no plain numbers.
        is_plain = (~np.isnan(numbers)).sum() == len(present) - present.null_count
        return numbers if is_plain else None
    return None


def _has_leading_zeros(column: Any) -> bool:
    from pyarrow import compute

    zeros = column.filter(compute.starts_with(column, "0"))
    is_code = compute.match_substring_regex(zeros, "^0[0-9]+$")
    return bool(len(zeros) and compute.any(is_code).as_py())
