"""Odd shapes: no rows, one row, no columns, one dimension, three dimensions, ragged lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.case import Case, Expect, Outcome, fit_case, predict_after_fit
from fuzz.subject import Subject


def on_rows(
    name: str, expect: Expect, n_rows: int, container: Callable[[Any], Any] = np.array
) -> Case:
    """Return the case of a fit on the first rows."""

    def run(subject: Subject) -> Outcome:
        X, y = container(subject.X[:n_rows]), container(subject.y[:n_rows])
        model = subject.fit(X, y)
        return Outcome(model, X, predict_after_fit(model, X))

    return Case(name, expect, run)


def wide(X: Any) -> Any:
    return np.hstack([X, np.random.default_rng(0).normal(size=(len(X), 2 * len(X)))])


TABLES_THAT_ARE_NONE: dict[str, Callable[[Any], Any]] = {
    "no columns": lambda X: X[:, :0],
    "one dimension": lambda X: X[:, 0],
    "three dimensions": lambda X: X[:, :, np.newaxis],
    "a single number": lambda X: np.array(3.0),
    "a Python number": lambda X: 3.0,
    "nothing": lambda X: None,
    "a string": lambda X: "table",
    "a dictionary": lambda X: {"a": list(X[:, 0]), "b": list(X[:, 1])},
    "a set": lambda X: {1.0, 2.0},
    "a generator": lambda X: (row for row in X),
    "a function": lambda X: len,
    "a ragged list": lambda X: [[1.0, 2.0]] + [list(row) for row in X[1:]],
    "a list of Nones": lambda X: [None] * len(X),
    "a list of strings": lambda X: ["a b c"] * len(X),
    "fewer rows than targets": lambda X: X[:-1],
    "more rows than targets": lambda X: np.vstack([X, X]),
    "one row for many targets": lambda X: X[:1],
    "transposed": lambda X: X.T,
}
# An unsupervised fit needs no target, so that any number of rows will do.
NEED_TARGETS = {
    "fewer rows than targets",
    "more rows than targets",
    "one row for many targets",
    "transposed",
}

LISTS: dict[str, Callable[[Any], Any]] = {
    "a list of lists": lambda X: X.tolist(),
    "a list of tuples": lambda X: [tuple(row) for row in X.tolist()],
    "a tuple of lists": lambda X: tuple(X.tolist()),
    "a list of arrays": list,
    "a list of lists of whole numbers": lambda X: X.astype(int).tolist(),
}

CASES: list[Case] = [
    on_rows("no rows", Expect.REFUSED, 0),
    on_rows("an empty list", Expect.REFUSED, 0, list),
    on_rows("one row", Expect.RIGHT_OR_REFUSED, 1),
    on_rows("two rows", Expect.RIGHT_OR_REFUSED, 2),
    on_rows("three rows", Expect.RIGHT_OR_REFUSED, 3),
    on_rows("seven rows", Expect.RIGHT_OR_REFUSED, 7),
    fit_case("one column", Expect.RIGHT, X=lambda X: X[:, :1]),
    fit_case("more columns than rows", Expect.RIGHT, X=wide),
    *[
        fit_case(
            name,
            Expect.REFUSED,
            X=change,
            suits=(lambda subject: subject.is_supervised)
            if name in NEED_TARGETS
            else lambda subject: True,
        )
        for name, change in TABLES_THAT_ARE_NONE.items()
    ],
    *[fit_case(name, Expect.EQUAL, X=change) for name, change in LISTS.items()],
]
