"""Odd dtypes of X: those that hold the same numbers give the same predictions."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from fuzz.case import ROUNDING, Case, Expect, fit_case

SAME_NUMBERS = [
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "longdouble", "object"),
]
SHORT_FLOATS = {"float16", "float32"}  # linear members compute in what they are given


class WrappedArray:
    """A stranger that only knows how to become an array."""

    def __init__(self, values: Any) -> None:
        self.values = values
        self.shape = values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.values, dtype=dtype)


class OwnArray(np.ndarray):
    """A subclass of arrays that adds nothing."""


def structured(X: Any) -> Any:
    kind = [(f"c{j}", float) for j in range(X.shape[1])]
    return np.array([tuple(row) for row in X], dtype=kind)


def with_object(value: Any) -> Callable[[Any], Any]:
    def change(X: Any) -> Any:
        changed = X.astype(object)
        changed[3, 1] = value
        return changed

    return change


def of_objects(kind: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda X: np.array([[kind(int(value)) for value in row] for row in X], dtype=object)


def masked(X: Any) -> Any:
    hidden = np.zeros(X.shape, dtype=bool)
    hidden[2, 1] = True
    return np.ma.MaskedArray(np.where(hidden, 1e6, X), hidden)


def bits(X: Any) -> Any:
    return (X > 4).astype(float)


EQUAL: dict[str, Callable[[Any], Any]] = {
    "a masked array with nothing masked": lambda X: np.ma.MaskedArray(X),
    "a subclass of arrays": lambda X: X.view(OwnArray),
    "a stranger that becomes an array": WrappedArray,
    "objects of NumPy's scalars": of_objects(np.float64),
    "objects of Python's ints": of_objects(int),
}
EQUAL_OR_REFUSED: dict[str, Callable[[Any], Any]] = {
    "objects of Decimal": of_objects(Decimal),
    "objects of Fraction": of_objects(Fraction),
    "complex numbers that are real": lambda X: X.astype(complex),
    "numbers as text": lambda X: X.astype(str),
    "numbers as bytes": lambda X: X.astype(bytes),
    "numbers as objects of text": of_objects(str),
}
RIGHT_OR_REFUSED: dict[str, Callable[[Any], Any]] = {
    "infinity among objects": with_object(np.inf),
    "None among objects": with_object(None),
    "NaN among objects": with_object(np.nan),
    "dates": lambda X: X.astype("int64").astype("datetime64[D]"),
    "durations": lambda X: X.astype("int64").astype("timedelta64[s]"),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "complex numbers": lambda X: X + 1j,
    "words": lambda X: np.where(X > 4, "high", "low"),
    "a word among objects": with_object("Private"),
    "a list among objects": with_object([1, 2]),
    "a dictionary among objects": with_object({}),
    "a huge int among objects": with_object(10**400),
    "a class among objects": with_object(int),
    "a structured array": structured,
    "a record array": lambda X: structured(X).view(np.recarray),
    "raw bytes": lambda X: np.zeros(X.shape, dtype="V8"),
    "a masked array with a masked value": masked,
    "a matrix": np.asmatrix,
}

CASES: list[Case] = [
    fit_case("dtype bool", Expect.EQUAL, X=lambda X: X > 4, like=bits),
    *[
        fit_case(
            f"dtype {name}",
            Expect.EQUAL,
            X=lambda X, name=name: X.astype(name),
            tolerance=1e-3 if name in SHORT_FLOATS else ROUNDING,
        )
        for name in SAME_NUMBERS
    ],
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
]
