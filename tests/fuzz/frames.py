"""Frames of pandas, polars and Arrow, with odd dtypes, names and indexes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from fuzz.case import Case, Expect, fit_case


def names(X: Any) -> list[str]:
    return [f"c{j}" for j in range(X.shape[1])]


def pandas_frame(dtype: Any = None, **settings: Any) -> Callable[[Any], Any]:
    """Return the change of an array into a frame of one dtype."""

    def change(X: Any) -> Any:
        frame = pd.DataFrame(X, **{"columns": names(X), **settings})
        return frame if dtype is None else frame.astype(dtype)

    return change


def with_index(make: Callable[[int], Any]) -> Callable[[Any], Any]:
    return lambda X: pd.DataFrame(X, columns=names(X), index=make(len(X)))


def with_column(dtype: Any, value: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the change that makes the second column one of another kind."""

    def change(X: Any) -> Any:
        frame = pd.DataFrame(X, columns=names(X))
        frame["c1"] = pd.Series(value(X[:, 1]), index=frame.index, dtype=dtype)
        return frame

    return change


def with_gap(column: Any) -> list[Any]:
    return [None, *column[1:].tolist()]


def words(column: Any) -> Any:
    return np.where(column > 4, "high", "low").astype(object)


def polars_frame(**columns: Any) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        frame = pl.DataFrame(np.ascontiguousarray(X), schema=names(X))
        new = [make(X[:, 1]).alias(name) for name, make in columns.items()]
        return frame.with_columns(new)

    return change


def arrow_table(X: Any) -> Any:
    return pa.table({name: X[:, j] for j, name in enumerate(names(X))})


def shuffled(n_rows: int) -> Any:
    return np.random.default_rng(0).permutation(n_rows) + 5


EQUAL: dict[str, Callable[[Any], Any]] = {
    "pandas": pandas_frame(),
    "pandas ints": pandas_frame("int64"),
    "pandas objects": pandas_frame(object),
    "pandas nullable ints": pandas_frame("Int64"),
    "pandas nullable floats": pandas_frame("Float64"),
    "pandas Arrow floats": pandas_frame("double[pyarrow]"),
    "pandas Arrow ints": pandas_frame("int64[pyarrow]"),
    "pandas mixed numbers": lambda X: pandas_frame()(X).astype({"c0": "int8", "c1": "Int64"}),
    "pandas in Fortran order": lambda X: pd.DataFrame(np.asfortranarray(X), columns=names(X)),
    "names that are numbers": lambda X: pd.DataFrame(X),
    "names of odd letters": lambda X: pd.DataFrame(X, columns=["", " ", "[ü]<\n"]),
    "shuffled index": with_index(shuffled),
    "index of one value": with_index(lambda n: [3] * n),
    "index of dates": with_index(lambda n: pd.date_range("2020", periods=n)),
    "index of words": with_index(lambda n: [f"row {i}" for i in range(n)]),
    "index of several levels": with_index(
        lambda n: pd.MultiIndex.from_arrays([range(n), ["a"] * n])
    ),
    "polars": polars_frame(),
    "polars ints": polars_frame(c1=lambda column: pl.Series(column).cast(pl.Int16)),
}
EQUAL_OR_REFUSED: dict[str, Callable[[Any], Any]] = {
    "pandas sparse columns": pandas_frame(pd.SparseDtype("float", 0.0)),
    "an Arrow table": arrow_table,
    "lazy polars": lambda X: polars_frame()(X).lazy(),
    "pandas Decimals": pandas_frame(pd.ArrowDtype(pa.decimal128(20, 2))),
    "names in several levels": lambda X: pd.DataFrame(
        X, columns=pd.MultiIndex.from_arrays([["a"] * X.shape[1], names(X)])
    ),
    "names given twice": lambda X: pd.DataFrame(X, columns=["a"] * X.shape[1]),
    "numbers as text": pandas_frame(str),
}
RIGHT_OR_REFUSED: dict[str, Callable[[Any], Any]] = {
    "infinity in pandas": lambda X: pandas_frame()(X).replace(0.0, np.inf),
    "nullable with a gap": with_column("Int64", with_gap),
    "nullable floats with a gap": with_column("Float64", with_gap),
    "Arrow floats with a gap": with_column("double[pyarrow]", with_gap),
    "nullable booleans with a gap": with_column("boolean", lambda c: [None, *(c[1:] > 4).tolist()]),
    "objects with pd.NA": with_column(object, lambda c: [pd.NA, *c[1:].tolist()]),
    "a column of categories": with_column("category", words),
    "a column of number categories": with_column("category", lambda c: c),
    "a column of text": with_column(object, words),
    "a column of nullable text": with_column("string", words),
    "a column of dates": with_column("datetime64[ns]", lambda c: c.astype("int64")),
    "a column of durations": with_column("timedelta64[ns]", lambda c: c.astype("int64")),
    "polars with a gap": polars_frame(c1=lambda column: pl.Series(with_gap(column))),
    "polars text": polars_frame(c1=lambda column: pl.Series(words(column).tolist())),
    "polars categories": polars_frame(
        c1=lambda column: pl.Series(words(column).tolist(), dtype=pl.Categorical)
    ),
    "polars dates": polars_frame(c1=lambda column: pl.Series(column.astype(int)).cast(pl.Date)),
    "polars lists": polars_frame(c1=lambda column: pl.Series([[v] for v in column.tolist()])),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "pandas without rows": lambda X: pandas_frame()(X)[:0],
    "pandas without columns": lambda X: pandas_frame()(X)[[]],
    "pandas without anything": lambda X: pd.DataFrame(),
    "polars without rows": lambda X: polars_frame()(X)[:0],
    "polars without anything": lambda X: pl.DataFrame(),
    "names of two kinds": lambda X: pd.DataFrame(X, columns=["a", 1, "b"]),
    "a series": lambda X: pd.Series(X[:, 0]),
    "a column of complex numbers": lambda X: pandas_frame()(X).assign(c1=X[:, 1] + 1j),
    "a column of lists": lambda X: pandas_frame()(X).assign(c1=[[v] for v in X[:, 1]]),
}
EMPTY = {name for name in REFUSED if "without" in name}


def bits(X: Any) -> Any:
    return (X > 4).astype(float)


CASES: list[Case] = [
    *[fit_case(name, Expect.EQUAL, X=change) for name, change in EQUAL.items()],
    *[
        fit_case(name, Expect.EQUAL_OR_REFUSED, X=change)
        for name, change in EQUAL_OR_REFUSED.items()
    ],
    *[
        fit_case(name, Expect.RIGHT_OR_REFUSED, X=change)
        for name, change in RIGHT_OR_REFUSED.items()
    ],
    *[fit_case(name, Expect.REFUSED, X=change) for name, change in REFUSED.items()],
    fit_case(
        "pandas booleans",
        Expect.EQUAL,
        X=lambda X: pd.DataFrame(X > 4, columns=names(X)),
        like=bits,
    ),
    fit_case(
        "pandas nullable booleans",
        Expect.EQUAL,
        X=lambda X: pd.DataFrame(X > 4, columns=names(X)).astype("boolean"),
        like=bits,
    ),
    fit_case("pandas float32", Expect.EQUAL, X=pandas_frame("float32"), tolerance=1e-3),
    fit_case(
        "X and y of different indexes",
        Expect.EQUAL,
        X=with_index(shuffled),
        y=lambda y: pd.Series(np.asarray(y), index=np.arange(len(y))[::-1]),
    ),
]
