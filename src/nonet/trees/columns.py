"""Tables for fitting and prediction: numeric columns, codes of categories, sparse columns.

A table of numbers goes to the core as it is. Columns of categories become codes
(`category_codes`). The columns of a frame are read in bulk, by its own library; where they have the
names of fit, slow checks of names are left out. Sparse matrices are read column by column in fit
and in blocks of rows afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _check_feature_names, _check_n_features

from nonet._base.aliases import Floats
from nonet._base.frame_columns import FrameColumns, open_frame
from nonet._base.frames import as_frame, check_same_columns, column_name
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import as_objects, read_numbers, wrong_dimensions
from nonet.trees.binned_table import BinnedTable, needs_values
from nonet.trees.category_codes import (
    NUMBERS,
    CategoryCodes,
    categories_of,
    distinct_values,
    frame_numbers,
    has_infinity,
    present_values,
)
from nonet.trees.category_columns import category_columns

_BLOCK_NUMBERS = 1 << 22  # 32 MB of dense numbers at a time


def learn_columns(
    owner: BaseEstimator,
    X: Any,
    categorical_features: Any,
    min_category_rows: float = 0,
    *,
    earlier: CategoryCodes | None = None,
    **checks: Any,
) -> tuple[Any, CategoryCodes]:
    """Check the table of fit and read it as numbers.

    Parameters
    ----------
    owner : estimator
        Gets ``n_features_in_`` and ``feature_names_in_``.
    X : table of shape (n_rows, n_columns)
        Array, sparse matrix, or frame of pandas or polars.
    categorical_features : None, 'from_dtype', or array-like of bool, int or str
        Which columns hold categories.
    min_category_rows : float
        In columns of more than 255 categories, those of fewer rows share one code.
    earlier : CategoryCodes, optional
        What an earlier fit has learned, if this one goes on from it: columns and categories must
        then be the same, and keep their codes.
    **checks
        Settings of scikit-learn's ``check_array`` that differ from those of trees.

    Returns
    -------
    table : ndarray, or sparse matrix by columns
        Numbers, float32 or float64; categories as codes.
    codes : CategoryCodes
        What the codes stand for.
    """
    if isinstance(X, BinnedTable):
        return _learn_bins(owner, X, categorical_features, earlier)
    X = as_frame(X)
    table = X if categorical_features is None else _as_table(X)
    opened = open_frame(table) or table
    columns = category_columns(opened, categorical_features)
    if earlier is not None:
        check_same_columns(owner, table)
        _check_same_categories(owner, opened, columns, earlier)
    if not columns:
        return _learn_numbers(owner, X, opened, {**NUMBERS, **checks}), CategoryCodes()
    if issparse(table):
        raise ValueError(
            "categorical_features needs a dense table, but X is sparse; X.toarray() makes it dense."
        )
    _check_feature_names(owner, table, reset=True)
    _check_n_features(owner, table, reset=True)
    codes = earlier or CategoryCodes.learn(opened, columns, min_category_rows)
    return codes.encode(opened, owner, **checks), codes


def _learn_bins(
    owner: BaseEstimator, X: BinnedTable, categorical_features: Any, earlier: CategoryCodes | None
) -> tuple[BinnedTable, CategoryCodes]:
    """Take names and categories from a bins file."""
    codes = X.codes
    if not (categorical_features is None or isinstance(categorical_features, str)):
        named = category_columns(X, categorical_features)
        if named != sorted(codes.known):
            raise ValueError(
                f"categorical_features names the columns {named}, but {X.path.name} was made with "
                f"categories in {sorted(codes.known)}; leave it out, or name them in make_bins."
            )
    if earlier is not None:
        check_same_columns(owner, X)
        same = codes.known.keys() == earlier.known.keys() and all(
            np.array_equal(codes.known[j], earlier.known[j]) for j in codes.known
        )
        if not same:
            raise ValueError(
                f"{type(owner).__name__} goes on from an earlier fit, whose categories are not "
                f"those of {X.path.name}; fit a new model, without warm_start."
            )
    owner.n_features_in_ = X.shape[1]
    vars(owner).pop("feature_names_in_", None)
    if X.names is not None:
        owner.feature_names_in_ = np.array(X.names, dtype=object)
    return X, codes


def _learn_numbers(owner: BaseEstimator, X: Any, opened: Any, checks: Mapping[str, Any]) -> Any:
    if isinstance(opened, FrameColumns) and 0 not in opened.shape:
        check_is_table(owner, X)
        numbers = _frame_matrix(opened, checks)
        if numbers is not None:
            _check_feature_names(owner, X, reset=True)
            _check_n_features(owner, X, reset=True)
            return numbers
    return read_numbers(owner, X, **{"accept_sparse": "csc", **checks})


def _frame_matrix(frame: FrameColumns, checks: Mapping[str, Any]) -> Floats | None:
    """Return a frame as a matrix of numbers, float32 if all columns are.

    None if some column is not numeric, or has infinities that are not allowed.
    """
    matrix = frame.matrix()
    if matrix is not None:
        return None if checks["ensure_all_finite"] and has_infinity(matrix) else matrix
    columns = frame_numbers(frame, list(range(frame.shape[1])), checks)
    if columns is None:
        return None
    is_single = all(column.dtype == np.float32 for column in columns)
    table = np.empty(frame.shape, dtype=np.float32 if is_single else np.float64, order="F")
    for j, column in enumerate(columns):
        table[:, j] = column
    return table


def _check_same_categories(
    owner: BaseEstimator, X: Any, columns: list[int], earlier: CategoryCodes
) -> None:
    if columns != sorted(earlier.known):
        raise ValueError(
            f"{type(owner).__name__} goes on from an earlier fit with categories in the columns "
            f"{sorted(earlier.known)}, but categorical_features names {columns} now; fit a new "
            "model, without warm_start."
        )
    for j in columns:
        values = distinct_values(X, j, present_values(*categories_of(X, j)))
        unknown = values[~earlier.knows(j, values)]
        if unknown.size:
            name = column_name(X.frame if isinstance(X, FrameColumns) else X, j)
            raise ValueError(
                f"{type(owner).__name__} goes on from an earlier fit, but column {name} has the "
                f"category {unknown.tolist()[0]!r} now, which that fit did not see; fit a new "
                "model, without warm_start."
            )


def _as_table(X: Any) -> Any:
    """Return X if it is a frame or matrix, otherwise an array; its values may be of any type."""
    check_is_table(None, X)
    table = X if hasattr(X, "shape") else as_objects(X)
    if len(table.shape) != 2:
        raise wrong_dimensions("", table.shape)
    if 0 in table.shape:
        raise ValueError(
            f"Found array with {table.shape[0]} sample(s) and {table.shape[1]} feature(s) "
            f"(shape={table.shape}) while a minimum of 1 is required."
        )
    return table


def read_columns(owner: BaseEstimator, X: Any, codes: CategoryCodes, **checks: Any) -> Any:
    """Check a table to predict and read it like the one of fit.

    Parameters
    ----------
    owner : estimator
        Stores number and names of columns.
    X : table of shape (n_rows, n_columns)
        Array, sparse matrix, or frame of pandas or polars.
    codes : CategoryCodes
        Those of fit.
    **checks
        Settings of scikit-learn's ``check_array`` that differ from those of trees.

    Returns
    -------
    table : ndarray, or sparse matrix by rows
        Numbers, float32 or float64; categories as codes.
    """
    if isinstance(X, BinnedTable):
        raise needs_values(f"A prediction of {type(owner).__name__}, or a set that it evaluates,")
    settings = {**NUMBERS, **checks}
    if _is_plain(owner, X):
        if codes.known:
            return codes.encode(X, owner, **checks)
        if not settings["ensure_all_finite"] or not has_infinity(X):
            return X
    X = as_frame(X)
    frame = open_frame(X)
    has_names = frame is not None and _has_names_of_fit(owner, frame)
    if not codes.known:
        numbers = _frame_matrix(frame, settings) if frame is not None and has_names else None
        if numbers is not None:
            return numbers
        return read_numbers(owner, X, reset=False, **{"accept_sparse": "csr", **settings})
    if issparse(X):
        raise ValueError("X is sparse, but the table of fit had categories and was dense.")
    if not has_names:
        table = _as_table(X)
        _check_feature_names(owner, table, reset=False)
        _check_n_features(owner, table, reset=False)
        return codes.encode(frame or table, owner, **checks)
    return codes.encode(frame, owner, **checks)


def _has_names_of_fit(owner: BaseEstimator, frame: FrameColumns) -> bool:
    """Return whether a frame has rows and the columns of fit, which needs no slow checks.

    Names of fit are strings, all different: equal ones need no look at their types.
    """
    names = vars(owner).get("feature_names_in_")
    return names is not None and frame.shape[0] > 0 and bool(names.tolist() == frame.names)


def _is_plain(owner: BaseEstimator, X: Any) -> bool:
    """Return whether X is an array as in fit, which needs no slow checks of a frame."""
    known = vars(owner)
    return (
        type(X) is np.ndarray
        and X.dtype.char in "fd"
        and X.ndim == 2
        and len(X) > 0
        and X.shape[1] == known["n_features_in_"]
        and "feature_names_in_" not in known
    )


def predict_in_blocks(predict: Callable[[Floats], Any], X: Any) -> list[Any]:
    """Call a prediction function on dense rows, block by block for a sparse matrix.

    Parameters
    ----------
    predict : callable
        Takes a dense matrix of some of the rows.
    X : ndarray or sparse matrix
        All rows.

    Returns
    -------
    predictions : list
        One per block, in the order of rows.
    """
    if not issparse(X):
        return [predict(X)]
    n_rows, n_columns = X.shape
    step = min(max(1, _BLOCK_NUMBERS // max(1, n_columns)), max(n_rows, 1))
    rows = X.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    dense = np.zeros((step, n_columns), dtype=rows.dtype)
    predictions = []
    for start in range(0, max(n_rows, 1), step):
        # Only entries are written, and cleared again: most of the block stays what it is.
        part = rows[start : start + step]
        row_of = np.repeat(np.arange(part.shape[0]), np.diff(part.indptr))
        dense[row_of, part.indices] = part.data
        predictions.append(predict(dense[: part.shape[0]]))
        dense[row_of, part.indices] = 0
    return predictions
