"""Columns of frames of pandas, polars and Arrow, read in bulk.

A column is read as numbers, without a copy where it is stored as such, or as categories: distinct
values and the position of each row's value among them. The library of the frame does the work for
all rows together; strings it lends, and the core looks at them where they are. What cannot be read
so is left to the caller, who reads it value by value or explains why it is refused. No library is
imported here: a frame of it has done that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np

from nonet._base.aliases import Array
from nonet._base.frames import as_objects_of

# The distinct values of a column, and the position of each row's value, -1 where it is missing;
# None for the positions if the values are those of the rows themselves.
Categories = tuple[Array, Array | None]

# Of columns that lend strings: the distinct ones, and the positions of the rows' strings.
FindDistinct = Callable[[list[Any], int], list[tuple[list[str], Array]]]

_FEW_ROWS = 8  # are looked up one by one, as it takes longer to find their distinct values
_MANY_ROWS = 20_000  # are worth a thread for a column
_NUMERIC_KINDS = "biuf"


class ColumnReader(Protocol):
    """How the columns of one library are read; None is returned for what it cannot read."""

    def numbers(self, column: Any) -> Array | None:
        """Return an array of numbers, NaN where they are missing."""

    def categories(self, column: Any) -> Categories | None:
        """Return distinct values and positions."""

    def lent_strings(self, column: Any) -> Any:
        """Return a column of strings that lends them by Arrow's interface; None for others."""


class FrameColumns:
    """The columns of a frame; each is read when it is needed, and only once.

    Parameters
    ----------
    frame : DataFrame or Table
        The frame, for messages and for columns that are read value by value.
    names : list
        The names of the columns.
    columns : list
        The columns, as the library stores them.
    reader : ColumnReader
        How they are read.
    """

    def __init__(
        self, frame: Any, names: list[Any], columns: list[Any], reader: ColumnReader
    ) -> None:
        self.frame, self.names = frame, names
        self._columns, self._reader = columns, reader
        self._categories: dict[int, Categories | None] = {}

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns."""
        return len(self._columns[0]) if self._columns else 0, len(self._columns)

    def numbers(self, j: int) -> Array | None:
        """Return a column as an array of numbers, NaN where they are missing."""
        return self._reader.numbers(self._columns[j])

    def categories(self, j: int) -> Categories | None:
        """Return the distinct values of a column and the position of each row's value."""
        if j not in self._categories:
            self._categories[j] = self._reader.categories(self._columns[j])
        return self._categories[j]

    def read_categories(
        self, columns: list[int], n_threads: int, find_distinct: FindDistinct
    ) -> None:
        """Read several columns of categories side by side, if there are enough rows for it.

        Parameters
        ----------
        columns : list of int
            Positions of columns.
        n_threads : int
            Threads at most.
        find_distinct : callable
            Takes columns that lend strings by Arrow's interface, and the number of threads; returns
            for each the distinct strings, and the positions of the rows' strings among them.
        """
        if self.shape[0] <= _FEW_ROWS:
            return
        self._read_strings(columns, n_threads, find_distinct)
        others = [j for j in columns if j not in self._categories]
        if n_threads == 1 or len(others) < 2 or self.shape[0] < _MANY_ROWS:
            return
        with ThreadPoolExecutor(min(n_threads, len(others))) as executor:
            list(executor.map(self.categories, others))

    def _read_strings(
        self, columns: list[int], n_threads: int, find_distinct: FindDistinct
    ) -> None:
        found = {
            j: self._reader.lent_strings(self._columns[j])
            for j in columns
            if j not in self._categories
        }
        lent = {j: strings for j, strings in found.items() if strings is not None}
        if not lent:
            return
        distinct = find_distinct(list(lent.values()), n_threads)
        for j, (values, positions) in zip(lent, distinct, strict=True):
            self._categories[j] = as_objects_of(values), positions

    def matrix(self) -> Array | None:
        """Return a frame of pandas as a matrix, if all columns are floats of one type.

        pandas may have stored such columns together, so that this is no copy.
        """
        if not isinstance(self._reader, PandasReader) or not self._columns:
            return None
        dtype = self._columns[0].dtype
        if dtype not in (np.float64, np.float32):
            return None
        if any(column.dtype != dtype for column in self._columns):
            return None
        matrix: Array = self.frame.to_numpy()
        return matrix


def open_frame(X: Any) -> FrameColumns | None:
    """Return the columns of a frame of pandas, polars or Arrow; None for any other table.

    Parameters
    ----------
    X : anything
        A table.

    Returns
    -------
    FrameColumns or None

    Examples
    --------
    >>> import pandas as pd
    >>> columns = open_frame(pd.DataFrame({"size": [1, 2], "city": pd.Categorical(["b", "a"])}))
    >>> columns.numbers(0)
    array([1, 2])
    """
    kind = type(X)
    if kind is np.ndarray or kind.__name__ not in ("DataFrame", "Table"):
        return None
    library = kind.__module__.partition(".")[0]
    if library == "pandas":
        return FrameColumns(X, X.columns.tolist(), _pandas_columns(X), PandasReader())
    if library == "polars":
        return FrameColumns(X, X.columns, X.get_columns(), PolarsReader())
    if library == "pyarrow":
        return FrameColumns(X, X.column_names, X.columns, ArrowReader())
    return None


# ---- pandas ------------------------------------------------------------------------------------


def _pandas_columns(X: Any) -> list[Any]:
    """Return the arrays of the columns; a series for each would take longer than a prediction."""
    n_columns = X.shape[1]
    at = getattr(X, "_get_column_array", None)
    if at is None:  # not a part of the public interface
        return [_plain(X.iloc[:, j].array) for j in range(n_columns)]
    return [at(j) for j in range(n_columns)]


def _plain(array: Any) -> Any:
    """Return pandas' wrapper of an array as the array."""
    wraps_array = type(array).__name__ == "NumpyExtensionArray"
    return array.to_numpy() if wraps_array else array


class PandasReader:
    """Reads the arrays of pandas."""

    def numbers(self, column: Any) -> Array | None:
        """Return numbers, from a masked or Arrow array with NaN where they are missing."""
        dtype = column.dtype
        if dtype.kind not in _NUMERIC_KINDS:
            return None
        if type(column) is np.ndarray:
            return column
        if not hasattr(dtype, "numpy_dtype"):  # sparse arrays
            return None
        found: Array = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return found

    def categories(self, column: Any) -> Categories | None:
        """Return the codes of a category column, or those that the values are given now."""
        if type(column) is np.ndarray:
            return _categories_of_array(column)
        dtype = column.dtype
        if dtype.name == "category":
            return _categories_of_pandas(column)
        if hasattr(dtype, "pyarrow_dtype"):
            return ArrowReader().categories(column.__arrow_array__())
        if not isinstance(dtype, sys.modules["pandas"].StringDtype):
            return None
        if len(column) <= _FEW_ROWS:
            return as_objects_of(column.tolist()), None
        positions, values = column.factorize()
        return np.asarray(values, dtype=object), positions

    def lent_strings(self, column: Any) -> Any:
        """Return the Arrow array of a column that has one."""
        if not hasattr(column, "__arrow_array__") or column.dtype.name == "category":
            return None
        is_arrow = hasattr(column.dtype, "pyarrow_dtype")
        if not is_arrow and getattr(column.dtype, "storage", None) != "pyarrow":
            return None
        return ArrowReader().lent_strings(column.__arrow_array__())


def _categories_of_array(column: Array) -> Categories | None:
    if column.dtype.kind in _NUMERIC_KINDS or len(column) <= _FEW_ROWS:
        return column, None
    if column.dtype.kind != "O":
        return None
    try:
        positions, values = sys.modules["pandas"].factorize(column)
    except TypeError:  # a value that has no hash
        return None
    return np.asarray(values, dtype=object), positions


def _categories_of_pandas(column: Any) -> Categories:
    values, codes = column.categories, column.codes
    is_text = isinstance(values.dtype, sys.modules["pandas"].StringDtype)
    if is_text and len(codes) <= _FEW_ROWS:
        present = [None if code < 0 else values[code] for code in codes.tolist()]
        return as_objects_of(present), None
    array = np.asarray(values)
    return array if array.dtype.kind in _NUMERIC_KINDS else array.astype(object), codes


# ---- polars ------------------------------------------------------------------------------------


# Types that NumPy lacks, or lacks where values are missing.
_NOT_IN_NUMPY = frozenset(["Boolean", "Int128", "UInt128"])
_FEW_ROWS_OF_POLARS = 1000  # to make codes of strings takes as long as to look up so many


class PolarsReader:
    """Reads the series of polars."""

    def numbers(self, column: Any) -> Array | None:
        """Return numbers; polars itself puts NaN where they are missing."""
        dtype = column.dtype
        if not (dtype.is_integer() or dtype.is_float() or str(dtype) == "Boolean"):
            return None
        if str(dtype) in _NOT_IN_NUMPY:
            column = column.cast(float)
        found: Array = column.to_numpy()
        return found

    def categories(self, column: Any) -> Categories | None:
        """Return distinct values and positions, from the codes that polars has or makes."""
        polars = sys.modules["polars"]
        if column.dtype.is_numeric():
            found = self.numbers(column)
            return None if found is None else (found, None)
        if column.dtype not in (polars.String, polars.Categorical, polars.Enum):
            return None
        if len(column) <= _FEW_ROWS_OF_POLARS:
            return as_objects_of(column.to_list()), None
        coded = column.cast(polars.Categorical) if column.dtype == polars.String else column
        codes = coded.to_physical()
        if codes.null_count():
            codes = codes.cast(polars.Int64).fill_null(-1)
        return _distinct_of_polars(column, codes.to_numpy())

    def lent_strings(self, column: Any) -> Any:
        """Return the column itself."""
        is_string = column.dtype == sys.modules["polars"].String
        return column if is_string and hasattr(column, "__arrow_c_stream__") else None


def _distinct_of_polars(column: Any, codes: Array) -> Categories:
    """Return the values that codes stand for, each from the first row that has it.

    Categories of all columns may share their numbers, so that those of one column have gaps.
    """
    n_codes = int(codes.max(initial=0)) + 1
    first_row = np.full(n_codes + 1, -1)  # the last is for rows without a value
    first_row[codes[::-1]] = np.arange(len(codes))[::-1]
    rows = first_row[:n_codes]
    position_of = np.where(rows >= 0, np.cumsum(rows >= 0) - 1, -1)
    values = column.gather(rows[rows >= 0]).to_list()
    return as_objects_of(values), np.append(position_of, -1)[codes]


# ---- Arrow -------------------------------------------------------------------------------------

_ARROW_NUMBERS = frozenset(
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"]
)
_ARROW_STRINGS = frozenset(["string", "large_string", "string_view"])


class ArrowReader:
    """Reads the chunked arrays of Arrow."""

    def numbers(self, column: Any) -> Array | None:
        """Return numbers; Arrow itself puts NaN where they are missing."""
        name = str(column.type)
        if name == "bool":
            column = column.cast("uint8")
        elif name == "null":
            return np.full(len(column), np.nan)
        elif name not in _ARROW_NUMBERS:
            return None
        found: Array = column.to_numpy()
        return found

    def categories(self, column: Any) -> Categories | None:
        """Return distinct values and positions, from a dictionary that there is or that is made."""
        name = str(column.type)
        if name in _ARROW_NUMBERS:
            return column.to_numpy(), None
        if name in _ARROW_STRINGS:
            if len(column) <= _FEW_ROWS:
                return as_objects_of(column.to_pylist()), None
            column = column.dictionary_encode()
        elif not name.startswith("dictionary<"):
            return None
        # Chunks may have dictionaries of their own.
        array = column.unify_dictionaries().combine_chunks()
        return _dictionary_values(array.dictionary), _arrow_positions(array.indices)

    def lent_strings(self, column: Any) -> Any:
        """Return the column itself."""
        is_string = str(column.type) in _ARROW_STRINGS
        return column if is_string and hasattr(column, "__arrow_c_stream__") else None


def _dictionary_values(values: Any) -> Array:
    if str(values.type) in _ARROW_NUMBERS and not values.null_count:
        numbers: Array = values.to_numpy(zero_copy_only=False)
        return numbers
    return as_objects_of(values.to_pylist())


def _arrow_positions(indices: Any) -> Array:
    if indices.null_count:  # an index type may have no -1
        indices = indices.cast("int64").fill_null(-1)
    positions: Array = indices.to_numpy()
    return positions
