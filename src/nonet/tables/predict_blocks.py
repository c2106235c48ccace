"""Predictions for rows that need not fit into memory, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet._base.frame_columns import FrameColumns
from nonet._base.frames import as_objects_of
from nonet.tables.row_sources import RowBlock, open_source
from nonet.tables.table import Column, LeveledColumn, Table
from nonet.tables.table_files import NeedsLibrary


def predict_blocks(model: Any, source: Any, *, method: str = "predict") -> Iterator[Any]:
    """Predict the rows of a source block by block, in constant memory.

    Parameters
    ----------
    model : estimator
        A fitted model of nonet or scikit-learn. If it knows names of columns, it finds them among
        those of files and frames, which may have others beside.
    source : path, list of paths, array, frame, list, or callable
        Where the rows come from, as in `make_bins`.
    method : str, default='predict'
        What is called with each block, such as ``'predict_proba'``.

    Returns
    -------
    iterator of ndarray
        The predictions of one block of rows after another.

    See Also
    --------
    make_bins : Fit on rows that do not fit into memory.

    Examples
    --------
    >>> import nonet
    >>> X = np.arange(8.0).reshape(4, 2)
    >>> model = nonet.DecisionTreeRegressor().fit(X, X[:, 0])
    >>> np.save("rows.npy", X)
    >>> np.concatenate(list(nonet.predict_blocks(model, "rows.npy")))
    array([0., 2., 4., 6.])
    """
    check_is_fitted(model)
    predict = getattr(model, method, None)
    if not callable(predict):
        raise ValueError(f"{type(model).__name__} has no method {show(method)}.")
    read = open_source(source, None, None).read
    return (predict(_rows_for(model, block)) for block in read() if block.n_rows)


def _rows_for(model: Any, block: RowBlock) -> Any:
    """Return the rows of a block as the model reads them."""
    if not isinstance(block.X, FrameColumns):
        return block.X
    known = getattr(model, "feature_names_in_", None)
    names = block.X.names if known is None else [str(name) for name in known]
    absent = [name for name in names if name not in block.X.names]
    if absent:
        raise ValueError(
            f"{type(model).__name__} reads the column {absent[0]!r}, which the rows to predict do "
            f"not have; they have {list(block.X.names)}."
        )
    frame = block.X.frame
    if isinstance(frame, Table):
        return _as_frame({name: frame[name] for name in names}, has_names=known is not None)
    if known is None:
        return frame
    return frame[names] if hasattr(frame, "iloc") else frame.select(names)


def _as_frame(columns: dict[str, Column], *, has_names: bool) -> Any:
    """Return columns of a file as a matrix of numbers, or as a frame of pandas."""
    has_text = any(isinstance(column, LeveledColumn) for column in columns.values())
    if not (has_names or has_text):
        return np.column_stack([np.asarray(column) for column in columns.values()])
    try:
        import pandas
    except ImportError as why:
        raise NeedsLibrary("Reading named columns of a file needs pandas: install it.") from why
    return pandas.DataFrame({name: _values_of(column) for name, column in columns.items()})


def _values_of(column: Column) -> Array:
    if not isinstance(column, LeveledColumn):
        return column
    return as_objects_of(list(column.values()))
