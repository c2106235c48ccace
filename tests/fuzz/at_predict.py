"""Faults at predict: wrong columns, wrong names, odd values, models that are not fitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from fuzz.case import Case, Expect, Outcome, predict_case
from fuzz.dtypes import WrappedArray, masked, structured, with_object
from fuzz.layouts import OF_X, memory_map
from fuzz.subject import Subject, predict, quietly
from fuzz.values import MAX, put

Change = Callable[[Any], Any]

EQUAL: dict[str, Change] = {
    **{f"rows {name}": change for name, change in OF_X.items()},
    "rows as a list": lambda X: X.tolist(),
    "rows as ints": lambda X: X.astype(int),
    "rows as objects": lambda X: X.astype(object),
    "rows as float32": lambda X: X.astype(np.float32),
    "rows of a stranger": WrappedArray,
    "a memory map": memory_map("r"),
}
PICKED: dict[str, tuple[Change, Change]] = {
    "the first row alone": (lambda X: X[:1], lambda found: found[:1]),
    "rows backwards": (lambda X: X[::-1], lambda found: found[::-1]),
    "every third row": (lambda X: X[::3], lambda found: found[::3]),
    "rows given twice": (lambda X: np.vstack([X, X]), lambda found: np.concatenate([found] * 2)),
}
RIGHT_OR_REFUSED: dict[str, Change] = {
    "an infinity": put(np.inf),
    "a NaN": put(np.nan),
    "all NaN": put(np.nan, slice(None), slice(None)),
    "None among objects": with_object(None),
    "a huge number": put(1e300),
    "the largest number": put(MAX),
    "numbers far outside": lambda X: X * 1e9,
    "no rows": lambda X: X[:0],
}
REFUSED: dict[str, Change] = {
    "a column too many": lambda X: np.hstack([X, X[:, :1]]),
    "a column too few": lambda X: X[:, :-1],
    "no columns": lambda X: X[:, :0],
    "one dimension": lambda X: X[0],
    "three dimensions": lambda X: X[:, :, np.newaxis],
    "nothing": lambda X: None,
    "a number": lambda X: 3.0,
    "a word": lambda X: "rows",
    "an empty list": lambda X: [],
    "a dictionary": lambda X: {"a": 1},
    "a ragged list": lambda X: [[1.0], [1.0, 2.0]],
    "words": lambda X: np.where(X > 4, "high", "low"),
    "a word among objects": with_object("Private"),
    "complex numbers": lambda X: X + 1j,
    "a structured array": structured,
    "a masked value": masked,
    "a series": lambda X: pd.Series(X[:, 0]),
    "an empty frame": lambda X: pd.DataFrame(),
}


# ---- Names of columns --------------------------------------------------------------------------


def named(X: Any, names: str = "abc") -> Any:
    return pd.DataFrame(X, columns=list(names))


def after_named_fit(name: str, expect: Expect, X: Change) -> Case:
    def run(subject: Subject) -> Outcome:
        model = subject.fitted_on_names
        rows = X(subject.X)
        found = predict(model, rows)
        return Outcome(model, rows, found, subject.predictions_of_plain())

    return Case(name, expect, run)


NAMED = [
    after_named_fit("the same names", Expect.EQUAL, named),
    after_named_fit(
        "the same names in polars",
        Expect.EQUAL,
        lambda X: pl.DataFrame(X.copy(), schema=list("abc")),
    ),
    after_named_fit("names forgotten", Expect.EQUAL, lambda X: X),
    after_named_fit(
        "another index", Expect.EQUAL, lambda X: named(X).set_index(np.arange(len(X))[::-1])
    ),
    after_named_fit("other names", Expect.REFUSED, lambda X: named(X, "xyz")),
    after_named_fit("one name of another letter", Expect.REFUSED, lambda X: named(X, "abC")),
    after_named_fit("names permuted", Expect.REFUSED, lambda X: named(X, "bca")),
    after_named_fit("a name missing", Expect.REFUSED, lambda X: named(X)[["a", "b"]]),
    after_named_fit("a name too many", Expect.REFUSED, lambda X: named(X).assign(d=1.0)),
    after_named_fit(
        "names of two kinds", Expect.REFUSED, lambda X: pd.DataFrame(X, columns=["a", 1, "c"])
    ),
    after_named_fit("no rows under the names", Expect.RIGHT_OR_REFUSED, lambda X: named(X)[:0]),
]


# ---- Models that are not fitted, and methods beside predict ------------------------------------


def unfitted(method: str) -> Case:
    def run(subject: Subject) -> Outcome:
        model = subject.make()
        found = getattr(model, method)(subject.X)
        found = list(found) if hasattr(found, "__next__") else found
        return Outcome(model, subject.X, found)

    return Case(
        f"{method} before fit",
        Expect.REFUSED,
        run,
        suits=lambda subject: callable(getattr(subject.fitted, method, None)),
    )


def other_method(method: str, what: str, X: Change) -> Case:
    """Return the case of a method that must refuse what predict refuses."""

    def run(subject: Subject) -> Outcome:
        rows = X(subject.X)
        return Outcome(subject.fitted, rows, getattr(subject.fitted, method)(rows))

    return Case(
        f"{method}: {what}",
        Expect.REFUSED,
        run,
        suits=lambda subject: callable(getattr(subject.fitted, method, None)),
    )


METHODS = ("predict_proba", "decision_function", "transform", "apply", "staged_predict")


def same_again(subject: Subject) -> None:
    again = quietly(predict, subject.fitted, subject.X)
    assert np.array_equal(again, subject.predictions_of_plain()), "a second predict differs"


def rows_are_left_alone(subject: Subject) -> None:
    rows = subject.X.copy()
    quietly(predict, subject.fitted, rows)
    assert np.array_equal(rows, subject.X), "predict wrote into X"


def data_are_left_alone(subject: Subject) -> None:
    X, y = subject.X.copy(), subject.y.copy()
    quietly(subject.fit, X, y)
    assert np.array_equal(X, subject.X), "fit wrote into X"
    assert np.array_equal(y, subject.y), "fit wrote into y"


CASES: list[Case] = [
    *[predict_case(name, Expect.EQUAL, change) for name, change in EQUAL.items()],
    *[
        predict_case(name, Expect.EQUAL, change, pick=pick)
        for name, (change, pick) in PICKED.items()
    ],
    *[
        predict_case(name, Expect.RIGHT_OR_REFUSED, change)
        for name, change in RIGHT_OR_REFUSED.items()
    ],
    *[predict_case(name, Expect.REFUSED, change) for name, change in REFUSED.items()],
    *NAMED,
    *[unfitted(method) for method in ("predict", *METHODS)],
    *[
        other_method(method, what, REFUSED[what])
        for method in METHODS
        if method != "staged_predict"
        for what in ("a column too many", "one dimension", "words")
    ],
    Case("predict twice", Expect.RIGHT, same_again),
    Case("predict leaves X alone", Expect.RIGHT, rows_are_left_alone),
    Case("fit leaves X and y alone", Expect.RIGHT, data_are_left_alone),
]
