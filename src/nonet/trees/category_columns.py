"""Find the categorical columns of a table, by name or by dtype."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array
from nonet._base.frame_columns import FrameColumns, open_frame
from nonet._base.frames import column_dtypes, column_name, column_names
from nonet._base.number_tables import reads_as_number
from nonet._base.params import ArrayLike, Choice, Nothing, Rule

CATEGORIES_RULE: Rule = Nothing() | Choice("from_dtype") | ArrayLike()

# How pandas, polars and Arrow write the dtypes of categories, and those of strings.
_CATEGORY_DTYPE = re.compile(r"category$|Categorical\b|Enum\b|dictionary<")
_STRING_DTYPE = re.compile(r"(str|string|large_string|string_view|String|Utf8)(\[.*)?$")
_OBJECT_DTYPE = re.compile(r"[oO]bject\b")


def category_columns(X: Any, categorical_features: Any) -> list[int]:
    """Return the positions of the columns that hold categories.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The table of fit, or the opened columns of a frame.
    categorical_features : None, 'from_dtype', or array-like of bool, int or str
        None of the columns, those of a frame whose dtype is a category or a string, or a mask,
        positions or names.

    Returns
    -------
    columns : list of int
        Positions in order.
    """
    if categorical_features is None:
        return []
    if isinstance(categorical_features, str):  # 'from_dtype': arrays have no dtypes of columns
        return _columns_by_dtype(X if isinstance(X, FrameColumns) else open_frame(X))
    X = X.frame if isinstance(X, FrameColumns) else X
    wanted = np.asarray(categorical_features)
    if wanted.size == 0:
        return []
    if wanted.dtype.kind == "b" and wanted.shape == (X.shape[1],):
        return [int(j) for j in np.flatnonzero(wanted)]
    if wanted.dtype.kind in "iu" and wanted.ndim == 1:
        return _columns_by_position(wanted, X.shape[1])
    if wanted.ndim == 1 and all(isinstance(name, str) for name in wanted):
        return _columns_by_name(wanted, X)
    raise ValueError(
        f"categorical_features must be None, 'from_dtype', a mask of {X.shape[1]} booleans, "
        f"positions or names of columns, but got {categorical_features!r}."
    )


def names_columns(categorical_features: Any) -> bool:
    """Return whether categorical columns are named, for any table."""
    return categorical_features is not None and not isinstance(categorical_features, str)


# ---- By dtype ----------------------------------------------------------------------------------


def _columns_by_dtype(frame: FrameColumns | None) -> list[int]:
    if frame is None:
        return []
    dtypes = column_dtypes(frame.frame)
    return [j for j, dtype in enumerate(dtypes) if _holds_categories(frame, j, dtype)]


def _holds_categories(frame: FrameColumns, j: int, dtype: Any) -> bool:
    written = str(dtype)
    if _CATEGORY_DTYPE.match(written):
        return True
    if _STRING_DTYPE.match(written) or _OBJECT_DTYPE.match(written):
        return _strings_are_categories(frame, j)
    return False


def _strings_are_categories(frame: FrameColumns, j: int) -> bool:
    """Return whether strings are categories, not numbers as text, which scikit-learn converts."""
    found = frame.categories(j)
    values = np.asarray(_safe_indexing(frame.frame, j, axis=1)) if found is None else found[0]
    strings = {value for value in values if isinstance(value, str)}
    names = [text for text in strings if not reads_as_number(text)]
    if names and 2 * len(names) < len(strings):
        raise ValueError(
            f"Most of the strings in column {column_name(frame.frame, j)} of X are numbers, but "
            f"{names[0]!r} is not; turn the column into numbers, with missing values for such "
            "strings, or name it in categorical_features."
        )
    return bool(names)


# ---- By position or name -----------------------------------------------------------------------


def _columns_by_position(wanted: Array, n_columns: int) -> list[int]:
    outside = wanted[(wanted < 0) | (wanted >= n_columns)]
    if outside.size:
        raise ValueError(
            f"categorical_features must hold positions of columns, 0 to {n_columns - 1}, but has "
            f"{outside[0]}."
        )
    return [int(j) for j in np.unique(wanted)]


def _columns_by_name(wanted: Array, X: Any) -> list[int]:
    names = column_names(X)
    if names is None:
        raise ValueError(
            "categorical_features names columns, but X has no names; give positions or a mask."
        )
    unknown = [str(name) for name in wanted if name not in names]
    if unknown:
        raise ValueError(
            f"categorical_features must name columns of X, but {unknown[0]!r} is none of {names}."
        )
    return sorted({names.index(name) for name in wanted})
