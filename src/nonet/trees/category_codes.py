"""Codes of categories: learned in fit, looked up afterwards.

Columns of categories, whatever their values are (whole numbers, strings, categories of pandas and
polars), become codes 0, 1, ... that are learned in fit; what is missing or was not there in fit
becomes NaN, and follows the missing side of every split. Among very many categories, those of few
rows share a code.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array, Floats
from nonet._base.errors import show
from nonet._base.frame_columns import Categories, FrameColumns, open_frame
from nonet._base.frames import column_name, find_missing, is_missing, take_columns
from nonet._base.number_tables import read_columns_of_numbers
from nonet._native.runtime import get_num_threads
from nonet._native.strings import distinct_strings

NUMBERS: Mapping[str, Any] = {
    "dtype": (np.float64, np.float32),
    "ensure_all_finite": "allow-nan",
}
NUMERIC_KINDS = "biuf"

# Columns of more categories than these have the rare ones joined: so many fit bins of 8 bits.
_MANY_CATEGORIES = 255
# At most so many are kept apart, beside the joined ones: all that bins of 16 bits can number.
_MAX_CATEGORIES = 65_534
# Rows that are looked at first for the categories that some row has.
_FIRST_ROWS = 4096
# Whole numbers of a smaller range are looked up by position.
_MAX_RANGE = 1 << 16


@dataclass(frozen=True)
class CategoryCodes:
    """The categories of each category column; their positions are their codes.

    Parameters
    ----------
    known : dict of int to ndarray
        For the position of a category column, its categories in fit, sorted.
    joined : dict of int to ndarray
        For columns of very many categories, the rare ones, sorted: they share the code after the
        last of `known`.

    Examples
    --------
    >>> codes = CategoryCodes.learn(np.array([[7, 1.5], [3, 2.5], [7, 3.5]]), [0])
    >>> codes.encode(np.array([[7, 1.5], [5, 2.5]]))
    array([[1. , 1.5],
           [nan, 2.5]])
    """

    known: dict[int, Array] = field(default_factory=dict)
    joined: dict[int, Array] = field(default_factory=dict)

    @classmethod
    def learn(cls, X: Any, columns: list[int], min_rows: float = 0) -> CategoryCodes:
        """Collect the categories; of very many in a column, join those of fewer rows."""
        known, joined = {}, {}
        table = _opened(X, columns)
        for j in columns:
            values, positions = categories_of(table, j)
            known[j] = distinct_values(table, j, present_values(values, positions))
            if len(known[j]) > _MANY_CATEGORIES:
                codes = _at(_code_values(values, known[j], _lookup(known[j])), positions)
                counts = np.bincount(codes[~np.isnan(codes)].astype(np.intp))
                is_rare = _are_rare(counts, min_rows)
                if is_rare.any():
                    known[j], joined[j] = known[j][~is_rare], known[j][is_rare]
        return cls(known, joined)

    @classmethod
    def of_counts(cls, found: Mapping[int, tuple[Array, Array]], min_rows: float) -> CategoryCodes:
        """Return the codes of sorted categories, of which the numbers of rows are known."""
        known, joined = {}, {}
        for j, (values, counts) in found.items():
            known[j] = values
            if len(known[j]) > _MANY_CATEGORIES:
                is_rare = _are_rare(counts, min_rows)
                if is_rare.any():
                    known[j], joined[j] = known[j][~is_rare], known[j][is_rare]
        return cls(known, joined)

    def encode(self, X: Any, owner: Any = None, **checks: Any) -> Floats:
        """Return all columns as numbers: codes for categories, NaN for unknown ones."""
        opened = _opened(X, list(self.known))
        n_rows, n_columns = opened.shape
        table = np.empty((n_rows, n_columns), order="F")
        others = [j for j in range(n_columns) if j not in self.known]
        if others:
            fill_numbers(table, opened, others, owner, {**NUMBERS, **checks})
        for j in self.known:
            values, positions = categories_of(opened, j)
            self._check_same_type(opened, j, (values, positions))
            check_hashes(opened, j, values)
            _at(self._codes_of(j, values), positions, out=table[:, j])
        return table

    def knows(self, j: int, values: Array) -> Array:
        """Return which values are categories of a column, joined ones included."""
        return ~np.isnan(self._codes_of(j, values))

    def _codes_of(self, j: int, values: Array) -> Floats:
        codes = _code_values(values, self.known[j], self._lookups[j])
        if j in self.joined and _are_numbers(values, self.joined[j]):
            codes[~np.isnan(_code_values(values, self.joined[j], {}))] = len(self.known[j])
        return codes

    @cached_property
    def _lookups(self) -> dict[int, dict[Any, float]]:
        """The codes of the values of each column, joined ones included."""
        return {
            j: {**dict.fromkeys(self._joined_values(j), float(len(known))), **_lookup(known)}
            for j, known in self.known.items()
        }

    def _joined_values(self, j: int) -> list[Any]:
        return self.joined[j].tolist() if j in self.joined else []

    def _check_same_type(self, X: Any, j: int, categories: Categories) -> None:
        """Raise if strings are numbers now, or the other way round: all would be unknown."""
        values, positions = categories
        if self._has_type_of_fit(j, values):
            return
        present = present_values(values, positions)
        present = present[~find_missing(present)]
        if len(present) and not self._has_type_of_fit(j, present):
            raise ValueError(
                f"column {column_name(_table_of(X), j)} of X has the category "
                f"{show(present.tolist()[0])}, but fit saw categories such as "
                f"{show(self.known[j].tolist()[0])}; give the values that fit was given."
            )

    def _has_type_of_fit(self, j: int, values: Array) -> bool:
        """Return whether some value is a string where fit saw strings, or none where it did not."""
        of_fit = self._are_strings[j]
        if not of_fit or values.dtype.kind != "O":
            return not of_fit or False in of_fit
        return any(isinstance(value, str) in of_fit and not is_missing(value) for value in values)

    @cached_property
    def _are_strings(self) -> dict[int, set[bool]]:
        """Whether categories of each column are strings; both if some are and some are not."""
        return {j: {isinstance(one, str) for one in known} for j, known in self.known.items()}

    def __getstate__(self) -> dict[str, Any]:
        return {"known": self.known, "joined": self.joined}  # lookups are made again

    @property
    def many(self) -> list[int]:
        """Columns of more categories than scikit-learn takes."""
        return [j for j in self.known if j in self.joined or len(self.known[j]) > _MANY_CATEGORIES]

    @property
    def names(self) -> dict[int, Array]:
        """What the codes of each column stand for."""
        return {j: self._names_of(j) for j in self.known}

    def _names_of(self, j: int) -> Array:
        if j not in self.joined:
            return self.known[j]
        shared = f"{len(self.joined[j])} rare categories"
        return np.append(self.known[j].astype(object), shared)

    def mask(self, n_columns: int) -> Array | None:
        """Return whether each column holds categories; None if none does."""
        return np.isin(np.arange(n_columns), list(self.known)) if self.known else None


def _opened(X: Any, columns: list[int]) -> Any:
    """Return the columns of a frame, those of categories read; or an array as it is."""
    frame = X if isinstance(X, FrameColumns) else open_frame(X)
    if frame is None:
        return X
    frame.read_categories(columns, get_num_threads(), distinct_strings)
    return frame


# ---- Numbers beside the categories -------------------------------------------------------------


def frame_numbers(
    frame: FrameColumns, columns: list[int], checks: Mapping[str, Any]
) -> list[Array] | None:
    """Return columns of a frame as numbers; None if one is not, or not as finite as it must be.

    Parameters
    ----------
    frame : FrameColumns
        The frame.
    columns : list of int
        Positions of columns.
    checks : dict
        Settings of scikit-learn's ``check_array``.

    Returns
    -------
    numbers : list of ndarray, or None
    """
    found = []
    for j in columns:
        numbers = frame.numbers(j)
        if numbers is None or (checks["ensure_all_finite"] and has_infinity(numbers)):
            return None
        found.append(numbers)
    return found


def has_infinity(numbers: Array) -> bool:
    """Return whether some number is infinite."""
    return numbers.dtype.kind == "f" and bool(np.isinf(numbers).any())


def fill_numbers(
    table: Floats, X: Any, columns: list[int], owner: Any, checks: Mapping[str, Any]
) -> None:
    """Write columns of numbers of an array or of an opened frame to the same columns of a table."""
    is_array = type(X) is np.ndarray and X.dtype.char in "fd"
    numbers: list[Array] | None = None
    if isinstance(X, FrameColumns):
        numbers = frame_numbers(X, columns, checks)
    elif is_array and not (checks["ensure_all_finite"] and has_infinity(X[:, columns])):
        numbers = [X[:, j] for j in columns]
    if numbers is None:
        some = take_columns(_table_of(X), np.array(columns, dtype=np.intp))
        table[:, columns] = read_columns_of_numbers(owner, some, **checks)
        return
    for j, column in zip(columns, numbers, strict=True):
        table[:, j] = column


# ---- Values of one column ----------------------------------------------------------------------


def categories_of(X: Any, j: int) -> Categories:
    """Return the values of a category column, and the position of each row's value among them.

    Parameters
    ----------
    X : FrameColumns or array
        The table.
    j : int
        Position of the column.

    Returns
    -------
    values : ndarray
        Numbers or objects; missing ones may be among them.
    positions : ndarray or None
        -1 where a value is missing; None if the values are those of the rows.
    """
    found = X.categories(j) if isinstance(X, FrameColumns) else None
    if found is None:
        is_array = type(X) is np.ndarray
        found = X[:, j] if is_array else np.asarray(_safe_indexing(_table_of(X), j, axis=1)), None
    return _checked_values(X, j, found[0]), found[1]


def present_values(values: Array, positions: Array | None) -> Array:
    """Return the values that some row has."""
    if positions is None:
        return values
    is_present = np.zeros(len(values) + 1, dtype=bool)  # the last one: missing, at index -1
    begin, n_rows = 0, _FIRST_ROWS
    while begin < len(positions) and not is_present[:-1].all():  # all are, as a rule, very soon
        is_present[positions[begin : begin + n_rows]] = True
        begin, n_rows = begin + n_rows, 2 * n_rows
    return values[is_present[:-1]]


def _at(codes: Floats, positions: Array | None, out: Floats | None = None) -> Floats:
    """Return the codes of rows; at index -1 is a missing category."""
    if positions is not None:
        # "wrap" writes to `out` without a copy; no index is beyond the codes.
        return np.take(np.append(codes, np.nan), positions, out=out, mode="wrap")
    if out is None:
        return codes
    out[...] = codes
    return out


def _table_of(X: Any) -> Any:
    return X.frame if isinstance(X, FrameColumns) else X


def _checked_values(X: Any, j: int, values: Array) -> Array:
    if values.dtype.kind == "c":
        name = column_name(_table_of(X), j)
        raise ValueError(f"Complex data not supported, but category column {name} is.")
    if has_infinity(values):
        name = column_name(_table_of(X), j)
        raise ValueError(f"Category column {name} contains infinity.")
    return values if values.dtype.kind in NUMERIC_KINDS else values.astype(object, copy=False)


def distinct_values(X: Any, j: int, values: Array) -> Array:
    """Return the distinct values of a column, sorted, without missing ones."""
    if values.dtype.kind in NUMERIC_KINDS:
        distinct = np.unique(values)
        return distinct[~np.isnan(distinct)] if values.dtype.kind == "f" else distinct
    check_hashes(X, j, values)
    present = {value for value in values if not is_missing(value)}
    # Numbers and strings in one column have no order among themselves: their types have one.
    ordered = sorted(present, key=lambda value: (type(value).__name__, value))
    distinct = np.empty(len(ordered), dtype=object)
    distinct[:] = ordered
    return distinct


def check_hashes(X: Any, j: int, values: Array) -> None:
    """Raise if a value of a category column is a list, a dictionary or the like."""
    if values.dtype.kind in NUMERIC_KINDS:
        return
    odd = next((value for value in values if not isinstance(value, Hashable)), None)
    if odd is not None:
        # In scikit-learn's words, which its checks look for.
        raise TypeError(
            f"Category column {column_name(_table_of(X), j)} holds {show(odd)}, but a category "
            "argument must be a string or number, so give each part of it a column."
        )


def _are_rare(counts: Array, min_rows: float) -> Array:
    """Return which codes have few rows, or are not among the most frequent that can be kept."""
    is_rare: Array = counts < min_rows
    is_rare[np.argsort(-counts, kind="stable")[_MAX_CATEGORIES:]] = True
    return is_rare


# ---- Codes of values ---------------------------------------------------------------------------


def _lookup(known: Array) -> dict[Any, float]:
    return {value: float(position) for position, value in enumerate(known.tolist())}


def _are_numbers(values: Array, known: Array) -> bool:
    return values.dtype.kind in NUMERIC_KINDS and known.dtype.kind in NUMERIC_KINDS


def _code_values(values: Array, known: Array, lookup: Mapping[Any, float]) -> Floats:
    """Return the code of each value, NaN where it is missing or unknown.

    `known` are the categories, sorted; `lookup` has their codes, for values that are not numbers.
    """
    if len(known) == 0:
        return np.full(len(values), np.nan)
    if _are_numbers(values, known):
        return _code_numbers(values, known)
    return np.array([lookup.get(value, np.nan) for value in values.tolist()])


def _code_numbers(values: Array, known: Array) -> Floats:
    whole = known.astype(np.float64)
    first, last = whole[0], whole[-1]
    if last - first >= _MAX_RANGE or abs(first) > 2**52 or (whole != np.floor(whole)).any():
        positions = np.searchsorted(known, values).clip(max=len(known) - 1)
        return np.where(known[positions] == values, positions, np.nan)
    code_of = np.full(int(last - first) + 2, np.nan)
    code_of[(whole - first).astype(np.intp)] = np.arange(len(known))
    offsets = values.astype(np.float64) - first
    is_inside = (offsets >= 0) & (offsets <= last - first) & (offsets == np.floor(offsets))
    codes: Floats = code_of[np.where(is_inside, offsets, last - first + 1).astype(np.intp)]
    return codes
