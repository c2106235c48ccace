"""Rows of a CSV file by pyarrow's reader: many times faster, for files in which all rows fit.

All values are read as text. Columns of plain numbers become numbers, as Python's reader makes
them (`rows`), which reads the files that this one leaves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.tables.arrow_memory import open_in_arrow
from nonet.tables.csv_files.dialect import Dialect
from nonet.tables.missing_marks import MISSING_MARKS
from nonet.tables.object_columns import leveled
from nonet.tables.table import Column, LeveledColumn

MARKS = sorted({f(mark) for mark in MISSING_MARKS for f in (str, str.upper, str.title)} | {"NaN"})
"""Ways to write that a value is missing."""

NUMBERS = ("int64", "double")
_SAMPLE = 64  # cells, which in most columns are like all others


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
        import pyarrow.csv
    except ImportError:
        return None
    body = memoryview(content)[dialect.start :]
    if dialect.header is None or not body or _needs_python(content, dialect):
        return None
    try:
        cells = read_cells(
            body,
            dialect.delimiter,
            [pyarrow.string()] * len(dialect.header),
            has_quotes=b'"' in content,
        )
    except pyarrow.ArrowInvalid:  # a row of another length
        return None
    has_space = dialect.delimiter.encode() + b" " in content
    columns = (trim_start(column) if has_space else column for column in cells.columns)
    return list(dialect.header), [_column(column) for column in columns]


def read_cells(
    content: Any,
    delimiter: str,
    types: list[Any],
    include: list[int] | None = None,
    *,
    has_quotes: bool = True,
) -> Any:
    """Return the cells of rows as a table of Arrow.

    Parameters
    ----------
    content : bytes
        Rows of data.
    delimiter : str
        What stands between values.
    types : list of types of Arrow
        The type of each column; what is no value of it raises ArrowInvalid, as a row of another
        length does.
    include : list of int, optional
        The columns to return; all without it.
    has_quotes : bool, default=True
        Whether values may be in quotes, and have line ends in them.

    Returns
    -------
    pyarrow.Table

    Examples
    --------
    >>> import pyarrow
    >>> read_cells(b"1,a", ",", [pyarrow.int64(), pyarrow.string()], [1]).column(0).to_pylist()
    ['a']
    """
    from pyarrow import csv

    names = [f"c{j}" for j in range(len(types))]
    return csv.read_csv(
        open_in_arrow(content),
        read_options=csv.ReadOptions(column_names=names),
        parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=has_quotes),
        convert_options=csv.ConvertOptions(
            column_types=dict(zip(names, types, strict=True)),
            null_values=MARKS,
            strings_can_be_null=False,
            include_columns=None if include is None else [names[j] for j in include],
        ),
    )


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


def trim_start(cells: Any) -> Any:
    """Return cells without the space that stands before them."""
    from pyarrow import compute

    return compute.utf8_ltrim(cells, " ")


def _column(cells: Any) -> Column:
    """Return a column of numbers, if all cells are plain numbers or missing, or of text."""
    numbers = cast_cells(cells)
    if numbers is None or numbers.null_count == len(numbers):
        return text_column(cells)
    plain: Array = numbers.to_numpy()
    return plain


def text_column(cells: Any) -> LeveledColumn:
    """Return a column of text."""
    array = cells.dictionary_encode().unify_dictionaries().combine_chunks()
    levels = np.array(array.dictionary.to_pylist(), dtype=object)
    levels[levels == ""] = None
    return leveled(levels, array.indices.to_numpy())


def cast_cells(
    cells: Any, kinds: tuple[str, ...] = NUMBERS, *, may_have_codes: bool = True
) -> Any | None:
    """Return cells as numbers, null where they are missing.

    Parameters
    ----------
    cells : chunked array of strings
        The cells of a column.
    kinds : tuple of str, default=("int64", "double")
        The types to try.
    may_have_codes : bool, default=True
        Whether cells may be such as 04109, which are no numbers.

    Returns
    -------
    chunked array or None
        None if a cell is neither a plain number nor missing.

    Examples
    --------
    >>> import pyarrow
    >>> cast_cells(pyarrow.chunked_array([["1", "NA"]])).to_pylist()
    [1, None]
    >>> cast_cells(pyarrow.chunked_array([["1", "04109"]])) is None
    True
    """
    from pyarrow import compute

    sample = _without_marks(compute.utf8_trim_whitespace(cells.slice(0, _SAMPLE)))
    kinds = tuple(kind for kind in kinds if _cast(sample, (kind,)) is not None)
    if not kinds or (may_have_codes and _has_codes(cells)):
        return None
    # Most columns need neither marks nor space taken away.
    numbers = _cast(cells, kinds)
    if numbers is None:
        numbers = _cast(_without_marks(cells), kinds)
    if numbers is None:
        trimmed = compute.utf8_trim_whitespace(cells)
        if may_have_codes and _has_codes(trimmed):
            return None
        numbers = _cast(_without_marks(trimmed), kinds)
    return numbers


def _without_marks(cells: Any) -> Any:
    import pyarrow
    from pyarrow import compute

    is_mark = compute.is_in(cells, value_set=pyarrow.array(MARKS))
    return compute.if_else(is_mark, None, cells)


def _cast(cells: Any, kinds: tuple[str, ...]) -> Any | None:
    """Return cells as numbers of the first type that they fit, None if they fit none."""
    import pyarrow
    from pyarrow import compute

    for kind in kinds:
        try:
            numbers = cells.cast(kind)
        except pyarrow.ArrowInvalid:
            continue
        # Words for NaN that do not stand for missing are no plain numbers.
        if kind == "double" and compute.any(compute.is_nan(numbers)).as_py():
            continue
        return numbers
    return None


def _has_codes(cells: Any) -> bool:
    """Return whether a cell is digits after a zero, as in postal codes, or such as 0xFF."""
    from pyarrow import compute

    zeros = cells.filter(compute.starts_with(cells, "0"))
    if not len(zeros):
        return False
    is_plain = compute.or_(compute.equal(zeros, "0"), compute.starts_with(zeros, "0."))
    others = zeros.filter(compute.invert(is_plain))  # few: regular expressions take long
    is_code = compute.match_substring_regex(others, "^0(?:[0-9]+|[xX].*)$")
    return bool(compute.any(is_code).as_py())
