"""Tables for fitting and prediction: numeric columns, codes of categories, sparse columns.

A table of numbers goes to the core as it is. Columns of categories, whatever their values are
(whole numbers, strings, categories of pandas and polars), become codes 0, 1, ... that are learned
in fit; what is missing or was not there in fit becomes NaN, and follows the missing side of every
split. Among very many categories, those of few rows share a code. Sparse matrices are read column
by column in fit and in blocks of rows afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_feature_names, _check_n_features

from nonet._base.aliases import Array, Floats
from nonet._base.errors import show
from nonet._base.frames import check_same_columns, column_name, is_missing, take_columns
from nonet._base.inputs import check_is_table
from nonet._base.number_tables import (
    as_objects,
    read_columns_of_numbers,
    read_numbers,
    wrong_dimensions,
)
from nonet.trees.category_columns import category_columns

_NUMBERS: Mapping[str, Any] = {
    "dtype": (np.float64, np.float32),
    "ensure_all_finite": "allow-nan",
}
_NUMERIC_KINDS = "biuf"
_BLOCK_NUMBERS = 1 << 22  # 32 MB of dense numbers at a time

# Columns of more categories than these have the rare ones joined: so many fit bins of 8 bits.
_MANY_CATEGORIES = 255
# At most so many are kept apart, beside the joined ones: all that bins of 16 bits can number.
_MAX_CATEGORIES = 65_534


# ---- Codes of categories -----------------------------------------------------------------------


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
        for j in columns:
            values, positions = _column(X, j)
            known[j] = _distinct(_present(values, positions))
            if len(known[j]) > _MANY_CATEGORIES:
                is_rare = _are_rare(_at(_codes(values, known[j]), positions), min_rows)
                if is_rare.any():
                    known[j], joined[j] = known[j][~is_rare], known[j][is_rare]
        return cls(known, joined)

    def encode(self, X: Any, owner: Any = None, **checks: Any) -> Floats:
        """Return all columns as numbers: codes for categories, NaN for unknown ones."""
        n_rows, n_columns = X.shape
        table = np.empty((n_rows, n_columns), order="F")
        others = np.array([j for j in range(n_columns) if j not in self.known], dtype=np.intp)
        if others.size:
            numbers = take_columns(X, others)
            table[:, others] = read_columns_of_numbers(owner, numbers, **{**_NUMBERS, **checks})
        for j, values in self.known.items():
            candidates, positions = _column(X, j)
            _check_same_type(X, j, candidates, values)
            codes = _codes(candidates, values)
            if j in self.joined:
                codes[~np.isnan(_codes(candidates, self.joined[j]))] = len(values)
            table[:, j] = _at(codes, positions)
        return table

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


def _column(X: Any, j: int) -> tuple[Array, Array | None]:
    """Return the values of a column; for pandas' categories, these and each row's code."""
    column = _safe_indexing(X, j, axis=1)
    if getattr(getattr(column, "dtype", None), "name", None) == "category":
        return _checked_values(X, j, column.cat.categories), np.asarray(column.cat.codes)
    return _checked_values(X, j, column), None


def _present(values: Array, positions: Array | None) -> Array:
    return values if positions is None else values[np.unique(positions[positions >= 0])]


def _at(codes: Floats, positions: Array | None) -> Floats:
    # Index -1 is a missing category.
    return codes if positions is None else np.append(codes, np.nan)[positions]


def _checked_values(X: Any, j: int, column: Any) -> Array:
    values = np.asarray(column)
    if values.dtype.kind == "c":
        raise ValueError(f"Complex data not supported, but category column {column_name(X, j)} is.")
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise ValueError(f"Category column {column_name(X, j)} contains infinity.")
    return values if values.dtype.kind in _NUMERIC_KINDS else values.astype(object)


def _check_same_type(X: Any, j: int, values: Array, known: Array) -> None:
    """Raise if strings have become numbers, such as codes: fit would have seen none of them."""
    present = [value for value in values.tolist() if not is_missing(value)]
    if not present or not len(known) or not isinstance(known[0], str):
        return
    if not any(isinstance(value, str) for value in present):
        raise ValueError(
            f"column {column_name(X, j)} of X has the category {show(present[0])}, but fit saw "
            f"categories such as {show(known.tolist()[0])}; give the values that fit was given."
        )


def _distinct(values: Array) -> Array:
    if values.dtype.kind in _NUMERIC_KINDS:
        distinct = np.unique(values)
        return distinct[~np.isnan(distinct)] if values.dtype.kind == "f" else distinct
    for value in values:
        if not isinstance(value, Hashable):
            raise TypeError(f"A category argument must be a string or number, but got {value!r}.")
    present = {value for value in values if not is_missing(value)}
    # Numbers and strings in one column have no order among themselves: their types have one.
    ordered = sorted(present, key=lambda value: (type(value).__name__, value))
    distinct = np.empty(len(ordered), dtype=object)
    distinct[:] = ordered
    return distinct


def _are_rare(codes: Floats, min_rows: float) -> Array:
    """Return which codes have few rows, or are not among the most frequent that can be kept."""
    counts = np.bincount(codes[~np.isnan(codes)].astype(np.intp))
    is_rare: Array = counts < min_rows
    is_rare[np.argsort(-counts, kind="stable")[_MAX_CATEGORIES:]] = True
    return is_rare


def _codes(values: Array, known: Array) -> Floats:
    if len(known) == 0:
        return np.full(len(values), np.nan)
    if values.dtype.kind in _NUMERIC_KINDS and known.dtype.kind in _NUMERIC_KINDS:
        positions = np.searchsorted(known, values).clip(max=len(known) - 1)
        return np.where(known[positions] == values, positions, np.nan)
    position_of = {value: float(position) for position, value in enumerate(known.tolist())}
    found = [np.nan if is_missing(value) else position_of.get(value, np.nan) for value in values]
    return np.array(found)


# ---- Tables as matrices of numbers -------------------------------------------------------------


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
    table = X if categorical_features is None else _as_table(X)
    columns = category_columns(table, categorical_features)
    if earlier is not None:
        check_same_columns(owner, table)
        _check_same_categories(owner, table, columns, earlier)
    if not columns:
        numbers = read_numbers(owner, X, **{"accept_sparse": "csc", **_NUMBERS, **checks})
        return numbers, CategoryCodes()
    if issparse(table):
        raise ValueError(
            "categorical_features needs a dense table, but X is sparse; X.toarray() makes it dense."
        )
    _check_feature_names(owner, table, reset=True)
    _check_n_features(owner, table, reset=True)
    codes = earlier or CategoryCodes.learn(table, columns, min_category_rows)
    return codes.encode(table, owner, **checks), codes


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
        values = _distinct(_present(*_column(X, j)))
        is_joined = ~np.isnan(_codes(values, earlier.joined.get(j, values[:0])))
        unknown = values[np.isnan(_codes(values, earlier.known[j])) & ~is_joined]
        if unknown.size:
            raise ValueError(
                f"{type(owner).__name__} goes on from an earlier fit, but column "
                f"{column_name(X, j)} has the category {unknown.tolist()[0]!r} now, which that fit "
                "did not see; fit a new model, without warm_start."
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
    if not codes.known:
        settings = {"accept_sparse": "csr", **_NUMBERS, **checks}
        if _is_plain(owner, X) and (not settings["ensure_all_finite"] or not np.isinf(X).any()):
            return X
        return read_numbers(owner, X, reset=False, **settings)
    if issparse(X):
        raise ValueError("X is sparse, but the table of fit had categories and was dense.")
    table = _as_table(X)
    _check_feature_names(owner, table, reset=False)
    _check_n_features(owner, table, reset=False)
    return codes.encode(table, owner, **checks)


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
