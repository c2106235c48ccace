"""Tables read as numbers; the error for any other column names it and suggests a fix."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import date, time, timedelta
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.validation import validate_data

from nonet._base.errors import one_sentence, show
from nonet._base.frames import as_frame, column_dtypes, column_name
from nonet._base.inputs import check_is_table

_DATES = ("date", "time", "duration", "period")  # dtypes of pandas, polars and Arrow
_DATES_OR_TIMES = "dates or times"
_UNIONS = ("dense_union", "sparse_union")  # of Arrow, which cannot convert them

# What is said of lists, arrays and the like.
_IN_ONE_CELL = " in one cell"

# NumPy's messages for a value that is not a number.
_CONVERSION_FAILED = (
    *("could not convert", "Cannot cast", "DType", "dtype", "float() argument"),
    *("setting an array element", "too large to convert", "only length-1 arrays"),
)


def read_numbers(owner: Any, X: Any, *y: Any, **checks: Any) -> Any:
    """Check X, and y if it is given, as scikit-learn's ``validate_data`` does.

    Parameters
    ----------
    owner : estimator
        Gets ``n_features_in_`` and ``feature_names_in_``, unless ``reset=False``.
    X : table of shape (n_rows, n_columns)
        Array, sparse matrix or frame.
    *y : array-like
        The target, if it is to be checked as well.
    **checks
        Settings of ``validate_data``.

    Returns
    -------
    numbers : ndarray or sparse matrix, or a pair of it and the target
    """
    X = as_frame(X)
    check_is_table(owner, X)
    _check_dtypes(owner, X)
    try:
        return validate_data(owner, X, *y, **checks)
    except (TypeError, ValueError, OverflowError) as why:
        raise explain_refusal(why, owner, X) from why


def read_columns_of_numbers(owner: Any, X: Any, **checks: Any) -> Any:
    """Check some of the columns of a table, whose number and names are not the owner's.

    Parameters
    ----------
    owner : estimator or None
        The estimator, for messages.
    X : table of shape (n_rows, n_columns)
        The columns.
    **checks
        Settings of scikit-learn's ``check_array``.

    Returns
    -------
    numbers : ndarray
    """
    _check_dtypes(owner, X)
    try:
        return check_array(X, **checks)
    except (TypeError, ValueError, OverflowError) as why:
        raise explain_refusal(why, owner, X) from why


def read_table(owner: Any, X: Any, *, reset: bool, allow_nd: bool = False) -> Any:
    """Return a table whose rows and columns can be taken; frames stay what they are.

    Values are not checked here: the members check whether they take NaN or text.

    Parameters
    ----------
    owner : estimator
        Gets ``n_features_in_`` and ``feature_names_in_``, unless ``reset=False``.
    X : anything
        The table.
    reset : bool
        Whether this is the table of fit.
    allow_nd : bool, default=False
        Whether arrays of more than two dimensions pass, to members that take them.

    Returns
    -------
    X : array, sparse matrix or frame
    """
    X = as_frame(X)
    if hasattr(X, "columns"):
        check_is_table(owner, X)
        if hasattr(X, "sparse"):  # pandas' frames of sparse columns
            X = X.sparse.to_dense()
        return validate_data(owner, X, reset=reset, skip_check_array=True)
    return read_numbers(
        owner,
        X,
        reset=reset,
        accept_sparse=["csr", "csc"],
        dtype=None,
        ensure_all_finite=False,
        allow_nd=allow_nd,
    )


def _check_dtypes(owner: Any, X: Any) -> None:
    """Raise if a frame holds dates or complex numbers, which NumPy would convert, or unions."""
    for j, dtype in enumerate(column_dtypes(X)):
        name = str(dtype).lower()
        if name.startswith("complex"):
            raise ValueError(
                f"{_prefix(owner)}Complex data not supported, but column {column_name(X, j)} of X "
                "is complex; give its real and imaginary part as two columns."
            )
        if name.startswith(_DATES):
            raise ValueError(
                f"{_prefix(owner)}column {column_name(X, j)} of X holds {_DATES_OR_TIMES} where "
                f"numbers are needed; {_way_out(owner, _DATES_OR_TIMES)}."
            )
        if name.startswith(_UNIONS):
            raise TypeError(
                f"{_prefix(owner)}column {column_name(X, j)} of X holds values of several types "
                f"({show(str(dtype))}) where numbers are needed; give a column for each type."
            )


def _prefix(owner: Any) -> str:
    return "" if owner is None else f"{type(owner).__name__}: "


def explain_refusal(why: Exception, taker: Any, X: Any) -> Exception:
    """Return in one sentence why X was refused: where, what was found, and a fix.

    Parameters
    ----------
    why : Exception
        What was raised when X was read, by NumPy or scikit-learn.
    taker : estimator or None
        The estimator that needs numbers.
    X : table
        What was read.

    Returns
    -------
    error : Exception
        The original exception, if it explains the cause already.
    """
    text, prefix = str(why), _prefix(taker)
    if " of X holds " in text:  # a part of the table was explained already
        return why
    if "contains infinity" in text and not issparse(X):
        return ValueError(
            f"{prefix}Input X contains infinity or a value too large for dtype('float64')"
            f"{_where_infinite(X)}; replace it, by NaN if it is missing."
        )
    if any(words in text for words in _CONVERSION_FAILED) and not issparse(X):
        return _explain_values(why, taker, X, prefix)
    if text.startswith(("Expected 2D array", "Found array with dim")):
        return wrong_dimensions(prefix, np.shape(X if hasattr(X, "shape") else as_objects(X)))
    if text.startswith("Input X contains NaN"):
        return ValueError(
            f"{prefix}Input X contains NaN, a missing value; fill it first, for example with "
            "sklearn.impute.SimpleImputer, or use a model that takes missing values, such as "
            "nonet.HistGradientBoostingClassifier or HistGradientBoostingRegressor."
        )
    if "\n" in text and not text.startswith("The feature names"):  # those are a list
        return ValueError(one_sentence(text))
    return why


def wrong_dimensions(prefix: str, shape: tuple[int, ...]) -> ValueError:
    """Return the error for a table that does not have rows and columns.

    Parameters
    ----------
    prefix : str
        Start of the message.
    shape : tuple of int
        The shape of the table.

    Returns
    -------
    error : ValueError
    """
    return ValueError(
        f"{prefix}Expected 2D array, got {len(shape)}D array instead, of shape {shape}; Reshape "
        "your data either using X.reshape(-1, 1) if it is one column, or X.reshape(1, -1) if it is "
        "one row."
    )


def _explain_values(why: Exception, taker: Any, X: Any, prefix: str) -> Exception:
    """Return a sentence about the first column that is not numeric."""
    table = X if hasattr(X, "shape") else as_objects(X)
    if len(table.shape) == 1 and len({np.size(row) for row in table}) > 1:
        sizes = [np.size(row) for row in table]
        odd = next(i for i, size in enumerate(sizes) if size != sizes[0])
        return ValueError(
            f"{prefix}rows of X must have the same length, but row 0 has {sizes[0]} values and row "
            f"{odd} has {sizes[odd]}."
        )
    if len(table.shape) != 2:
        return wrong_dimensions(prefix, table.shape)
    for j in range(table.shape[1]):
        found = _what_is_no_number(np.asarray(_safe_indexing(table, j, axis=1)))
        if found:
            is_odd = found.startswith("the value") and isinstance(why, TypeError)
            return (TypeError if is_odd else ValueError)(
                f"{prefix}column {column_name(table, j)} of X holds {found} where numbers are "
                f"needed; {_way_out(taker, found)}."
            )
    return why


def _where_infinite(X: Any) -> str:
    """Return where the first infinite value is, if that can be found."""
    table = X if hasattr(X, "shape") else as_objects(X)
    for j in range(table.shape[1] if len(table.shape) == 2 else 0):
        values = np.asarray(_safe_indexing(table, j, axis=1))
        if values.dtype.kind == "f" and np.isinf(values).any():
            return f" in column {column_name(table, j)}"
    return ""


def as_objects(X: Any) -> Any:
    """Return a list of rows as an array of any values."""
    try:
        return np.array(X, dtype=object)
    except ValueError:  # rows of different lengths, which NumPy cannot even line up
        rows = np.empty(len(X), dtype=object)
        for position, row in enumerate(X):
            rows[position] = row
        return rows


def _what_is_no_number(values: Any) -> str | None:
    if values.ndim > 1:  # the fields of a struct
        return f"the value {show(values[0])}"
    if values.dtype.kind in "mM":
        return _DATES_OR_TIMES
    if values.dtype.kind in "USO":
        for value in values:
            if isinstance(value, date | time | timedelta):
                return _DATES_OR_TIMES
            if not reads_as_number(value):
                if isinstance(value, str | bytes):
                    return f"the string {str(value)!r}"
                has_parts = isinstance(value, tuple) or not isinstance(value, Hashable)
                return f"the value {show(value)}{_IN_ONE_CELL if has_parts else ''}"
    return None


def reads_as_number(value: Any) -> bool:
    """Return whether a value is a number, the text of one, or None for a missing one."""
    try:
        float(value if value is not None else "nan")
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _way_out(owner: Any, found: str) -> str:
    if found.startswith("the value"):
        # In scikit-learn's words, which its checks look for.
        words = "the argument must be a string of a number or a number, NaN where it is missing"
        return words + (", so give each part a column" if found.endswith(_IN_ONE_CELL) else "")
    if not found.startswith("the string"):
        return "turn them into numbers first, such as the days since a certain date"
    if "categorical_features" in getattr(owner, "get_params", dict)():
        return (
            "if these are categories, name the column in categorical_features or give it the "
            "dtype of a category; otherwise turn it into numbers first"
        )
    return (
        "turn it into numbers first, for example with sklearn.preprocessing.OrdinalEncoder or "
        "OneHotEncoder, or use a model that takes categories, such as nonet.HistGradientBoosting*"
    )
