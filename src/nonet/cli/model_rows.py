"""Rows of a table in the form that a model reads.

Models of runs read tables. Others were fitted on arrays or frames in Python: they get an array of
numbers, or a frame if a column holds text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.cli.command_error import CommandError
from nonet.tables.column_encoders import as_levels, read_numbers
from nonet.tables.column_names import count_of, list_names
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.table import Column, LeveledColumn, Table


def rows_for(model: Any, table: Table) -> Any:
    """Return the rows of a table as a model reads them.

    Parameters
    ----------
    model : estimator
    table : Table
        A model that knows no names of columns reads all of them.

    Returns
    -------
    rows : Table, ndarray or pandas.DataFrame

    Examples
    --------
    >>> import nonet
    >>> from nonet.tables.as_table import as_table
    >>> model = nonet.DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 5.0])
    >>> rows_for(model, as_table({"size": ["0", "1"]}))
    array([[0.],
           [1.]])
    """
    if reads_tables(model):
        return table
    names = feature_names(model, table)
    columns, are_words = [table[name] for name in names], _columns_of_words(model)
    numbers = [
        None if position in are_words else _as_numbers(column)
        for position, column in enumerate(columns)
    ]
    if all(column is not None for column in numbers):
        return np.column_stack(numbers)  # type: ignore[arg-type]
    return _as_frame(model, dict(zip(names, numbers, strict=True)), columns)


def _columns_of_words(model: Any) -> set[int]:
    """Return the columns whose categories were strings, digits among them, when it was fitted."""
    codes = getattr(model, "_codes", getattr(model, "_category_codes", None))
    known = getattr(codes, "known", {})
    return {j for j, levels in known.items() if any(isinstance(one, str) for one in levels)}


def reads_tables(model: Any) -> bool:
    """Return whether a model finds the columns of a table itself.

    Examples
    --------
    >>> reads_tables(object())
    False
    """
    encoder = getattr(model, "encoder_", None)
    return bool(getattr(encoder, "kinds_", None))


def knows_names(model: Any) -> bool:
    """Return whether a model finds its columns by their names.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor
    >>> knows_names(DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 5.0]))
    False
    """
    return reads_tables(model) or getattr(model, "feature_names_in_", None) is not None


def feature_names(model: Any, table: Table) -> list[str]:
    """Return the columns of a table that a model reads.

    Parameters
    ----------
    model : estimator
    table : Table
        A model that knows no names of columns reads all of them.

    Returns
    -------
    names : list of str
    """
    if reads_tables(model):
        kinds = model.encoder_.kinds_
        return [name for name, kind in kinds.items() if kind.is_used and name in table]
    known = getattr(model, "feature_names_in_", None)
    if known is None:
        n_known = getattr(model, "n_features_in_", len(table.names))
        if len(table.names) != n_known:
            raise CommandError(
                f"the model reads {count_of(n_known, 'column')} without names, but the table "
                f"has {len(table.names)}, {list_names(table.names)}; give a table of these alone."
            )
        return list(table.names)
    names = [str(name) for name in known]
    absent = [name for name in names if name not in table]
    if absent:
        raise CommandError(f"the table lacks columns of the model: {list_names(absent)}.")
    return names


def _as_numbers(column: Column) -> Array | None:
    """Return a column as numbers, None if it holds something else."""
    numbers = read_numbers(column)
    if isinstance(column, LeveledColumn):
        used = column.codes[np.isnan(numbers) & (column.codes >= 0)]
        is_text = any(not is_missing_mark(str(column.levels[code])) for code in np.unique(used))
        return None if is_text else numbers
    return None if column.dtype.kind == "M" else numbers


def _as_frame(model: Any, numbers: dict[str, Array | None], columns: list[Column]) -> Any:
    """Return numbers as they are, and columns without numbers as categories."""
    try:
        import pandas
    except ImportError as why:
        raise CommandError(
            f"{type(model).__name__} was fitted in Python, and reading columns of text for it "
            "needs pandas: pip install pandas."
        ) from why
    values = {
        name: pandas.Categorical(as_levels(column).values()) if of_name is None else of_name
        for (name, of_name), column in zip(numbers.items(), columns, strict=True)
    }
    return pandas.DataFrame(values)
