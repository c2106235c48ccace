"""Odd targets: labels of every type, numbers of every size, and what is neither."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy import sparse

from fuzz.case import Case, Expect, Outcome, fit_case, predict_after_fit
from fuzz.dtypes import WrappedArray
from fuzz.subject import Subject, predict

Change = Callable[[Any], Any]


def classes_only(subject: Subject) -> bool:
    return subject.has_classes


def numbers_only(subject: Subject) -> bool:
    return subject.has_numbers


def supervised(subject: Subject) -> bool:
    return subject.is_supervised


# ---- Classes under other names -----------------------------------------------------------------

OTHER_NAMES: dict[str, list[Any]] = {  # each in sorted order, so that nothing else changes
    "text": ["ash", "birch", "cedar trees"],
    "text of other letters": ["", "ß", "漢字"],
    "negative ints": [-5, -3, -1],
    "big ints": [2**40, 2**41, 2**62],
    "floats": [0.0, 1.0, 2.0],
    "negative floats": [-2.0, -1.0, 0.0],
    "small ints": list(np.arange(3, dtype=np.uint8)),
}


def renamed(name: str, labels: list[Any], dtype: Any = None, expect: Expect = Expect.EQUAL) -> Case:
    """Return the case of other names for the classes: predictions must be renamed likewise."""
    values = np.array(labels, dtype=dtype)

    def run(subject: Subject) -> Outcome:
        model = subject.fit(subject.X, values[subject.y])
        plain = values[subject.predictions_of_plain()]
        return Outcome(model, subject.X, predict_after_fit(model, subject.X), plain)

    return Case(f"labels as {name}", expect, run, suits=classes_only)


def as_booleans(subject: Subject) -> Outcome:
    """Compare with the same two classes as ints."""
    model = subject.fit(subject.X, subject.y > 0)
    plain = predict(subject.fit(subject.X, (subject.y > 0).astype(int)), subject.X)
    return Outcome(model, subject.X, predict_after_fit(model, subject.X), plain.astype(bool))


# ---- The same target in other containers -------------------------------------------------------

SAME: dict[str, Change] = {
    "a list": lambda y: y.tolist(),
    "a tuple": lambda y: tuple(y.tolist()),
    "objects": lambda y: y.astype(object),
    "float32": lambda y: y.astype(np.float32),
    "a series": pd.Series,
    "a series of another index": lambda y: pd.Series(y, index=np.arange(len(y))[::-1]),
    "a nullable series": lambda y: pd.Series(y, dtype="Float64"),
    "a series of objects": lambda y: pd.Series(y, dtype=object),
    "a polars series": lambda y: pl.Series(y.tolist()),
    "a column vector": lambda y: y.reshape(-1, 1),
    "a frame of one column": lambda y: pd.DataFrame({"y": y}),
    "a stranger that becomes an array": WrappedArray,
    "a masked array with nothing masked": np.ma.MaskedArray,
}
SAME_OR_REFUSED: dict[str, Change] = {
    "an Arrow array": pa.array,
    "Arrow numbers in a series": lambda y: pd.Series(y, dtype="double[pyarrow]"),
    "a row vector": lambda y: y.reshape(1, -1),
    "a sparse column": lambda y: sparse.csr_array(y.reshape(-1, 1)),
    "a polars frame of one column": lambda y: pl.DataFrame({"y": y.tolist()}),
    "a dictionary": lambda y: dict(enumerate(y.tolist())),
    "a generator": lambda y: (value for value in y),
}
# float32 labels are other labels than int64 ones, of the same values.


def with_value(value: Any, row: int = 3) -> Change:
    def change(y: Any) -> Any:
        changed = y.astype(float) if isinstance(value, float) else y.astype(object)
        changed[row] = value
        return changed

    return change


NOT_A_TARGET: dict[str, Change] = {
    "nothing": lambda y: None,
    "one NaN": with_value(np.nan),
    "all NaN": lambda y: np.full(len(y), np.nan),
    "one infinity": with_value(np.inf),
    "one None": with_value(None),
    "pd.NA in a series": lambda y: pd.Series([pd.NA, *y[1:].tolist()], dtype="Float64"),
    "pd.NA among objects": with_value(pd.NA),
    "a list among objects": with_value([1, 2]),
    "one too few": lambda y: y[:-1],
    "one too many": lambda y: np.append(y, y[:1]),
    "no targets": lambda y: y[:0],
    "an empty list": lambda y: [],
    "one number": lambda y: 1.0,
    "one word": lambda y: "target",
    "three dimensions": lambda y: y.reshape(-1, 1, 1),
    "complex numbers": lambda y: y + 1j,
    "a structured array": lambda y: np.array([(v,) for v in y], dtype=[("a", float)]),
    "raw bytes": lambda y: np.zeros(len(y), dtype="V8"),
    "a masked array with a masked value": lambda y: np.ma.MaskedArray(y, np.arange(len(y)) == 2),
    "a ragged list": lambda y: [[1], *[[1, 2]] * (len(y) - 1)],
    "a function": lambda y: len,
    "a set": lambda y: set(range(len(y))),
}
NOT_CLASSES: dict[str, Change] = {
    "numbers that are no classes": lambda y: y + np.linspace(0, 0.5, len(y)),
    "text and numbers": with_value("a"),
    "missing text": lambda y: np.where(np.arange(len(y)) == 2, None, y.astype(str)),
}
CLASSES_OR_REFUSED: dict[str, Change] = {
    "one class": np.zeros_like,
    "one class of text": lambda y: np.full(len(y), "only"),
    "a class of one row": lambda y: np.where(np.arange(len(y)) == 7, 9, y),
    "many classes": lambda y: np.arange(len(y)) // 4,
    "dates": lambda y: y.astype("datetime64[D]"),
    "several columns": lambda y: np.column_stack([y, y % 2]),
    "indicators of labels": lambda y: np.column_stack([y == 0, y == 1]).astype(int),
    "sparse indicators": lambda y: sparse.csr_array(np.column_stack([y == 0, y == 1]).astype(int)),
    "a series of categories": lambda y: pd.Series(y.astype(str), dtype="category"),
    "a series of text": lambda y: pd.Series(y.astype(str), dtype="string"),
    "a polars series of text": lambda y: pl.Series(y.astype(str).tolist()),
}
NOT_NUMBERS: dict[str, Change] = {
    "words": lambda y: np.full(len(y), "word"),
    "one word": with_value("word"),
    "dates": lambda y: y.astype("int64").astype("datetime64[D]"),
    "durations": lambda y: y.astype("int64").astype("timedelta64[s]"),
    "a dictionary among objects": with_value({}),
    "a huge int among objects": with_value(10**400),
    "words as bytes": lambda y: np.full(len(y), b"word"),
}
NUMBERS: dict[str, Change] = {
    "ints": lambda y: y.astype(int),
    "booleans": lambda y: y > np.median(y),
    "float16": lambda y: y.astype(np.float16),
    "constant": np.ones_like,
    "all 0": np.zeros_like,
    "constant but for one": lambda y: np.eye(1, len(y))[0],
    "negative": lambda y: -y,
}
NUMBERS_OR_REFUSED: dict[str, Change] = {
    "several columns": lambda y: np.column_stack([y, -y]),
    "objects of Decimal": lambda y: np.array([Decimal(int(v)) for v in y]),
    "numbers as text": lambda y: y.astype(str),
}
SCALES = (1e-300, 1e-160, 1e-30, 1e30, 1e150, 1e160, 1e300)


CASES: list[Case] = [
    *[renamed(name, labels) for name, labels in OTHER_NAMES.items()],
    renamed("objects of text", OTHER_NAMES["text"], object),
    renamed("bytes", [b"a", b"b", b"c"], expect=Expect.EQUAL_OR_REFUSED),
    Case("labels as booleans", Expect.EQUAL, as_booleans, suits=classes_only),
    renamed("ints in objects", [1, 2, 3], object),
    *[
        fit_case(f"y as {name}", Expect.EQUAL, y=change, suits=supervised, tolerance=1e-6)
        for name, change in SAME.items()
    ],
    *[
        fit_case(f"y as {name}", Expect.EQUAL_OR_REFUSED, y=change, suits=supervised)
        for name, change in SAME_OR_REFUSED.items()
    ],
    *[
        fit_case(f"y: {name}", Expect.REFUSED, y=change, suits=supervised)
        for name, change in NOT_A_TARGET.items()
    ],
    *[
        fit_case(f"classes: {name}", Expect.REFUSED, y=change, suits=classes_only)
        for name, change in NOT_CLASSES.items()
    ],
    *[
        fit_case(f"classes: {name}", Expect.RIGHT_OR_REFUSED, y=change, suits=classes_only)
        for name, change in CLASSES_OR_REFUSED.items()
    ],
    *[
        fit_case(f"numbers: {name}", Expect.REFUSED, y=change, suits=numbers_only)
        for name, change in NOT_NUMBERS.items()
    ],
    *[
        fit_case(f"numbers: {name}", Expect.RIGHT, y=change, suits=numbers_only)
        for name, change in NUMBERS.items()
    ],
    *[
        fit_case(f"numbers: {name}", Expect.RIGHT_OR_REFUSED, y=change, suits=numbers_only)
        for name, change in NUMBERS_OR_REFUSED.items()
    ],
    *[
        fit_case(
            f"numbers times {scale}",
            Expect.LEARNED,
            y=lambda y, scale=scale: y * scale,
            suits=numbers_only,
        )
        for scale in SCALES
    ],
    fit_case(
        "an offset far above the numbers", Expect.LEARNED, y=lambda y: y + 1e9, suits=numbers_only
    ),
    fit_case(
        "y is not looked at",
        Expect.EQUAL,
        y=lambda y: None,
        suits=lambda subject: not subject.is_supervised,
    ),
]
