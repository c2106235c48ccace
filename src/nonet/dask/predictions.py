"""Lazy predictions of any fitted model on Dask's arrays and data frames, block by block."""

from __future__ import annotations

from typing import Any

import dask
import dask.array
import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array
from nonet._base.errors import one_sentence, show
from nonet.dask.collections import is_array, is_frame


def predict(model: Any, X: Any) -> Any:
    """Predict the rows of a Dask collection, lazily.

    Parameters
    ----------
    model : fitted estimator
        Of this library, or any other with the methods of scikit-learn.
    X : dask array or dask data frame of shape (n_samples, n_features)
        Rows, in blocks of whole rows.

    Returns
    -------
    y : dask array or dask series of shape (n_samples,)
        Computed when it is needed, each block from one block of X.

    Examples
    --------
    >>> import dask.array, nonet, nonet.dask
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = nonet.RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> blocks = dask.array.from_array(X, chunks=(50, 4))
    >>> found = nonet.dask.predict(model, blocks).compute(scheduler="threads")
    >>> bool((found == model.predict(X)).all())
    True
    """
    return _by_blocks(model, X, "predict")


def predict_proba(model: Any, X: Any) -> Any:
    """Predict the probabilities of the classes for the rows of a Dask collection, lazily.

    Parameters
    ----------
    model : fitted classifier
        Of this library, or any other with the methods of scikit-learn.
    X : dask array or dask data frame of shape (n_samples, n_features)
        Rows, in blocks of whole rows.

    Returns
    -------
    probabilities : dask array or dask data frame of shape (n_samples, n_classes)
        A data frame has the classes as names of its columns.

    Examples
    --------
    >>> import dask.array, nonet, nonet.dask
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = nonet.RandomForestClassifier(20, random_state=0).fit(X, y)
    >>> nonet.dask.predict_proba(model, dask.array.from_array(X, chunks=(50, 4))).shape
    (150, 3)
    """
    return _by_blocks(model, X, "predict_proba")


def decision_function(model: Any, X: Any) -> Any:
    """Compute the scores of the rows of a Dask collection, lazily.

    Parameters
    ----------
    model : fitted classifier
        A model that has a ``decision_function``.
    X : dask array or dask data frame of shape (n_samples, n_features)
        Rows, in blocks of whole rows.

    Returns
    -------
    scores : dask array, series or data frame
        One score per row, or one per class.

    Examples
    --------
    >>> import dask.array, nonet, nonet.dask
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = nonet.HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    >>> blocks = dask.array.from_array(X, chunks=(200, 30))
    >>> nonet.dask.decision_function(model, blocks).shape
    (569,)
    """
    return _by_blocks(model, X, "decision_function")


def _by_blocks(model: Any, X: Any, method: str) -> Any:
    check_is_fitted(model)
    if not hasattr(model, method):
        raise ValueError(f"{type(model).__name__} has no {method}, so rows have none either.")
    if is_array(X):
        return _predict_array(model, X, method)
    if is_frame(X):
        return _predict_frame(model, X, method)
    raise TypeError(
        f"X must be a dask array or a dask data frame, but got {show(X)}; for data in memory call "
        f"model.{method}(X)."
    )


def _predict_array(model: Any, X: Any, method: str) -> Any:
    if X.ndim != 2:
        raise ValueError(f"X must have 2 dimensions (rows, columns), got {X.ndim}.")
    rows = X.rechunk({1: -1})
    some = _predict_some(model, np.zeros((1, X.shape[1]), dtype=X.dtype), method)
    # The model goes to each worker once, as a task of its own.
    shape = {"drop_axis": 1} if some.ndim == 1 else {"chunks": (rows.chunks[0], some.shape[1:])}
    return dask.array.map_blocks(
        _predict_block,
        rows,
        model=dask.delayed(model, pure=True),
        method=method,
        empty=some[:0],
        dtype=some.dtype,
        meta=some[:0],
        **shape,
    )


def _predict_frame(model: Any, X: Any, method: str) -> Any:
    first = X._meta_nonempty.iloc[:1]
    some = _predict_some(model, first, method)
    names = getattr(model, "classes_", None) if some.ndim == 2 else None
    meta = _as_frame(some[:0], first.index[:0], names)
    return X.map_partitions(
        _predict_partition,
        model=dask.delayed(model, pure=True),
        method=method,
        empty=some[:0],
        names=names,
        meta=meta,
    )


def _predict_some(model: Any, rows: Any, method: str) -> Array:
    """Return the prediction of a made-up row, which has the dtype and width of all others."""
    try:
        return np.asarray(getattr(model, method)(rows))
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{type(model).__name__} cannot read the columns of X: {one_sentence(str(error))}"
        ) from None


def _predict_block(rows: Any, *, model: Any, method: str, empty: Array) -> Array:
    if len(rows) == 0:  # a filter may leave nothing of a block
        return empty
    return np.asarray(getattr(model, method)(rows))


def _predict_partition(rows: Any, *, model: Any, method: str, empty: Array, names: Any) -> Any:
    predictions = _predict_block(rows, model=model, method=method, empty=empty)
    return _as_frame(predictions, rows.index, names)


def _as_frame(predictions: Array, index: Any, names: Any) -> Any:
    import pandas

    if predictions.ndim == 1:
        return pandas.Series(predictions, index=index)
    return pandas.DataFrame(predictions, index=index, columns=names)
