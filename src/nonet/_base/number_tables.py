"""Tables read as numbers; a column that holds something else is named, with a way out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.validation import validate_data

from nonet._base.frames import column_name

# How NumPy says that a value is no number.
_CONVERSION_FAILED = ("could not convert", "Cannot cast", "DType", "dtype")


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
    try:
        return validate_data(owner, X, *y, **checks)
    except (TypeError, ValueError) as why:
        raise explain_column(why, owner, X) from why


def read_columns_of_numbers(owner: Any, X: Any, **checks: Any) -> Any:
    """Check some of the columns of a table, whose number and names are not the owner's.

    Parameters
    ----------
    owner : estimator or None
        Who wants the numbers.
    X : table of shape (n_rows, n_columns)
        The columns.
    **checks
        Settings of scikit-learn's ``check_array``.

    Returns
    -------
    numbers : ndarray
    """
    try:
        return check_array(X, **checks)
    except (TypeError, ValueError) as why:
        raise explain_column(why, owner, X) from why


def explain_column(why: Exception, taker: Any, X: Any) -> Exception:
    """Return a sentence about the first column that holds no numbers, if that is why X was refused.

    Parameters
    ----------
    why : Exception
        What was raised when X was read.
    taker : estimator or None
        Who wanted numbers.
    X : table
        What was read.

    Returns
    -------
    error : Exception
        A sentence with the name of the column and a way out, or what was raised.
    """
    if not any(words in str(why) for words in _CONVERSION_FAILED) or issparse(X):
        return why
    table = X if hasattr(X, "shape") else np.array(X, dtype=object)
    if len(table.shape) != 2:
        return why
    for j in range(table.shape[1]):
        found = _what_is_no_number(np.asarray(_safe_indexing(table, j, axis=1)))
        if found:
            prefix = "" if taker is None else f"{type(taker).__name__}: "
            return ValueError(
                f"{prefix}column {column_name(table, j)} of X holds {found} where numbers are "
                f"needed; {_way_out(taker, found)}."
            )
    return why


def _what_is_no_number(values: Any) -> str | None:
    if values.dtype.kind in "mM":
        return "dates or times"
    if values.dtype.kind in "USO":
        for value in values:
            if isinstance(value, str | bytes) and not reads_as_number(value):
                return f"the string {str(value)!r}"
    return None


def reads_as_number(text: str | bytes) -> bool:
    """Tell whether a string is the text of a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _way_out(owner: Any, found: str) -> str:
    if not found.startswith("the string"):
        return "turn them into numbers first, such as the days since a certain date"
    if "categorical_features" in getattr(owner, "get_params", dict)():
        return (
            "if these are categories, name the column in categorical_features or give it the "
            "dtype of a category; otherwise turn it into numbers first"
        )
    return (
        "turn it into numbers first, for example with sklearn.preprocessing.OrdinalEncoder or "
        "OneHotEncoder"
    )
