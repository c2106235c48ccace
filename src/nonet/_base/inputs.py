"""Checks of X and y before fit and predict.

`number_tables` checks whether X holds numbers, where numbers are needed: the members of an ensemble
may take text or images.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse
from sklearn.base import ClassifierMixin, RegressorMixin

from nonet._base.aliases import Array
from nonet._base.arrays import check_sample_weight
from nonet._base.errors import SparseTargetError, show
from nonet._base.frames import (
    are_strings,
    as_frame,
    column_dtypes,
    column_names,
    count_rows,
    find_missing,
)

Method = TypeVar("Method", bound=Callable[..., Any])


def checks_inputs(method: Method) -> Method:
    """Decorate a fit method so that it checks X, y and weights first.

    Parameters
    ----------
    method : callable
        A method such as ``fit``; its signature and docstring are kept.

    Returns
    -------
    callable
    """
    taken = signature(method).parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in taken.values())

    @wraps(method)
    def check_and_learn(self: Any, X: Any, y: Any = None, *args: Any, **kwargs: Any) -> Any:
        unknown = [name for name in kwargs if name not in taken]
        if unknown and not takes_any:  # Python would name the parent class that defines the method
            raise TypeError(
                f"{type(self).__name__}.{method.__name__}() got an unexpected keyword argument "
                f"{unknown[0]!r}; it takes {', '.join(list(taken)[1:])}."
            )
        X = as_frame(X)
        check_is_training_table(self, X)
        if y is not None and isinstance(self, ClassifierMixin | RegressorMixin):
            y = check_target(self, y)
        if kwargs.get("sample_weight") is not None:
            n_rows = count_rows(X)
            any_scale = getattr(self, "_divides_weights", False)
            weights = check_sample_weight(kwargs["sample_weight"], n_rows, any_scale=any_scale)
            kwargs = {**kwargs, "sample_weight": weights}
        result = method(self, X, y, *args, **kwargs)
        _keep_dtypes(self, X)
        return result

    return check_and_learn  # type: ignore[return-value]


def _keep_dtypes(owner: Any, X: Any) -> None:
    """Keep the dtypes of the columns of a frame, for the signature in a model file."""
    vars(owner).pop("_column_dtypes", None)
    dtypes = [] if column_names(X) is None else column_dtypes(X)
    if dtypes:
        owner._column_dtypes = [str(dtype) for dtype in dtypes]


# ---- X -----------------------------------------------------------------------------------------


def check_is_table(owner: Any, X: Any) -> None:
    """Raise unless X is an array, a sparse matrix, a frame or a list.

    Parameters
    ----------
    owner : estimator or None
        The estimator, for messages.
    X : anything
        Its values are not looked at.
    """
    if type(X) is np.ndarray and X.size and X.dtype.kind in "biufO" and X.ndim:
        return
    who = "" if owner is None else f"{type(owner).__name__}: "
    if not _has_rows(X):
        raise TypeError(
            f"{who}X must be an array, a sparse matrix, a frame or a list of rows, but got "
            f"{show(X)}."
        )
    _check_array_kind(who, "X", X)
    if issparse(X) and X.format in ("csr", "csc"):
        _check_entries(who, X)
    shape = tuple(getattr(X, "shape", ()))
    if shape[1:2] == (0,):
        raise _nothing_there(owner, "feature", shape)
    names = column_names(X)
    if names is not None and len(set(names)) < len(names):
        twice = next(name for position, name in enumerate(names) if name in names[:position])
        raise ValueError(f"{who}columns of X must have different names, but {twice!r} is repeated.")


def check_is_training_table(owner: Any, X: Any) -> None:
    """Raise unless X is a table with rows and columns.

    Parameters
    ----------
    owner : estimator
        The estimator, for messages.
    X : anything
        Its values are not looked at.
    """
    check_is_table(owner, X)
    shape = tuple(X.shape) if hasattr(X, "shape") else (count_rows(X),)
    if shape[0] == 0:
        raise _nothing_there(owner, "sample", shape)


def _nothing_there(owner: Any, unit: str, shape: tuple[int, ...]) -> ValueError:
    # In scikit-learn's words, which its checks look for.
    by = "" if owner is None else f" by {type(owner).__name__}"
    return ValueError(
        f"Found array with 0 {unit}(s) (shape={shape}) while a minimum of 1 is required{by}."
    )


def _check_entries(who: str, X: Any) -> None:
    """Raise if a compressed sparse matrix names entries that it does not have.

    SciPy does not look at arrays that are changed later, and compiled code would read beyond them.
    """
    starts, positions = X.indptr, X.indices
    n_lines, n_positions = X.shape if X.format == "csr" else X.shape[::-1]
    wrong = ""
    if len(starts) != n_lines + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        wrong = "indptr does not rise from 0 in as many steps as there are lines"
    elif starts[-1] > min(len(positions), len(X.data)):
        wrong = f"indptr ends at {starts[-1]}, beyond its {len(X.data)} entries"
    elif starts[-1]:
        named = positions[: starts[-1]]
        lowest, highest = int(named.min()), int(named.max())
        if lowest < 0 or highest >= n_positions:
            found = lowest if lowest < 0 else highest
            wrong = f"indices holds {found}, which must be from 0 to {n_positions - 1}"
    if wrong:
        raise ValueError(
            f"{who}X is a damaged sparse matrix: {wrong}; make it again, for example by "
            "scipy.sparse.coo_array((values, (rows, columns)))."
        )


def _has_rows(values: Any) -> bool:
    if issparse(values):  # some of SciPy's are dictionaries
        return True
    if isinstance(values, str | bytes | Mapping | Set | type):
        return False
    shape = getattr(values, "shape", None)
    if shape is None:
        return hasattr(values, "__len__") or hasattr(values, "__array__")
    return bool(shape != ())


def _check_array_kind(who: str, what: str, values: Any) -> None:
    """Raise for arrays that NumPy would convert to something else."""
    if isinstance(values, np.matrix):
        raise TypeError(f"{who}{what} is an np.matrix; np.asarray({what}) turns it into an array.")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(
            f"{who}{what} has masked values, which NumPy would read as what is behind the mask; "
            f"{what}.astype(float).filled(np.nan) marks them as missing."
        )
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind == "V":
        raise TypeError(
            f"{who}{what} is an array of dtype {show(values.dtype)}, which has no numbers in "
            f"columns; numpy.lib.recfunctions.structured_to_unstructured({what}) makes columns of "
            "fields."
        )
    if kind == "c":
        raise ValueError(
            f"{who}Complex data not supported, but {what} has dtype {values.dtype}; real and "
            "imaginary parts can be columns of their own."
        )


# ---- y -----------------------------------------------------------------------------------------


def check_target(owner: Any, y: Any) -> Any:
    """Return y, or raise if it cannot be a target.

    Parameters
    ----------
    owner : classifier or regressor
        The estimator, for messages.
    y : anything
        The target.

    Returns
    -------
    y : array-like
        The same, except that objects which are all numbers become an array of numbers.
    """
    if type(y) is np.ndarray and y.ndim in (1, 2) and y.dtype.kind in "biuf":
        return y
    who = f"{type(owner).__name__}: "
    if not _has_rows(y):
        raise TypeError(f"{who}y must be an array or a list of targets, but got {show(y)}.")
    _check_array_kind(who, "y", y)
    if issparse(y):
        if not getattr(owner, "_takes_sparse_labels", False):
            raise SparseTargetError(f"{who}y is sparse, but must be dense; give y.toarray().")
        return y
    values = _as_array(who, y)
    if values.dtype.kind == "O":
        y = _check_objects(who, values)
    if isinstance(owner, RegressorMixin):
        _check_numbers(who, np.asarray(y))
    return y


def _as_array(who: str, y: Any) -> Array:
    try:
        values = np.asarray(y)
    except ValueError as why:
        raise ValueError(f"{who}the rows of y must be of one length, but got {show(y)}.") from why
    _check_array_kind(who, "y", values)
    if values.ndim > 2:
        raise ValueError(
            f"{who}y must have one dimension, or two for several targets, but has shape "
            f"{values.shape}."
        )
    return values


def _check_objects(who: str, values: Array) -> Array:
    """Convert objects to numbers, or to labels of one type."""
    if are_strings(values):
        return values
    flat = values.ravel()
    missing = np.flatnonzero(find_missing(flat))
    if missing.size:
        raise ValueError(
            f"{who}y is missing ({flat[missing[0]]!r}) in row {missing[0]}; drop rows without a "
            "target."
        )
    natural = np.array(flat.tolist()) if _are_scalars(flat) else flat
    if natural.dtype.kind in "biuf":
        return natural.reshape(values.shape)
    kinds = sorted({type(value).__name__ for value in flat})
    if len(kinds) > 1:
        raise TypeError(
            f"{who}y must hold targets of one type, but has {' and '.join(kinds[:3])}; make all of "
            "them strings, or numbers."
        )
    return values


def _are_scalars(values: Array) -> bool:
    return all(isinstance(value, bool | int | float | np.generic) for value in values)


def _check_numbers(who: str, values: Array) -> None:
    if values.dtype.kind in "biuf":
        return
    example = values.ravel()[0] if values.size else values.dtype
    if values.dtype.kind != "O" or not _can_be_numbers(values):
        raise ValueError(f"{who}y must be numbers, but holds {show(example)}.")


def _can_be_numbers(values: Array) -> bool:
    try:
        values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
