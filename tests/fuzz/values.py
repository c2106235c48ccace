"""Odd values in X: missing, infinite, huge, tiny, constant, repeated, tied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzz.case import Case, Expect, fit_case


def put(value: float, rows: Any = 3, columns: Any = 1) -> Callable[[Any], Any]:
    """Return the change that writes a value into some cells."""

    def change(X: Any) -> Any:
        changed = X.copy()
        changed[rows, columns] = value
        return changed

    return change


EVERY, HALF = slice(None), slice(None, None, 2)
MAX = np.finfo(float).max

MISSING: dict[str, Callable[[Any], Any]] = {
    "one NaN": put(np.nan),
    "NaN in the first row": put(np.nan, 0, 0),
    "NaN in every other row of a column": put(np.nan, HALF, 0),
    "a row of NaN": put(np.nan, 5, EVERY),
    "a column of NaN": put(np.nan, EVERY, 2),
    "all NaN": put(np.nan, EVERY, EVERY),
    "a NaN of negative sign": put(-np.nan),
}
INFINITE: dict[str, Callable[[Any], Any]] = {
    "one infinity": put(np.inf),
    "one negative infinity": put(-np.inf, -1, -1),
    "a column of infinities": put(np.inf, EVERY, 0),
    "infinity beside NaN": lambda X: put(np.inf, 2, 0)(put(np.nan)(X)),
}
EXTREME: dict[str, Callable[[Any], Any]] = {
    "one huge number": put(1e300),
    "one number beyond float32": put(1e39),
    "the largest number": put(MAX),
    "largest of both signs": lambda X: put(-MAX, 4, 1)(put(MAX)(X)),
    "all numbers huge": lambda X: X * 1e300,
    "all numbers tiny": lambda X: X * 1e-300,
    "all numbers denormal": lambda X: X * 5e-324,
    "columns of far scales": lambda X: X * [1e200, 1.0, 1e-200],
    "a large offset": lambda X: X + 1e15,
    "an offset that swallows the numbers": lambda X: X + 1e30,
    "whole numbers beyond 2**53": lambda X: X + 2.0**60,
    "huge of alternating signs": lambda X: (
        X * np.where(np.arange(len(X)) % 2, 1e300, -1e300)[:, None]
    ),
}
DULL: dict[str, Callable[[Any], Any]] = {
    "all zeros": np.zeros_like,
    "all the same number": lambda X: np.full_like(X, 7.5),
    "a constant column": put(4.0, EVERY, 0),
    "constant but for one row": lambda X: put(1.0, 0, 0)(np.zeros_like(X)),
    "every row twice": lambda X: np.repeat(X[: len(X) // 2], 2, axis=0),
    "two different rows": lambda X: X[np.arange(len(X)) % 2],
    "equal columns": lambda X: np.repeat(X[:, :1], X.shape[1], axis=1),
    "columns of two values": lambda X: (X > 4).astype(float),
    "sorted rows": lambda X: np.sort(X, axis=0),
    "neighbouring floats": lambda X: 1.0 + X * np.finfo(float).eps,
}

CASES: list[Case] = [
    *[fit_case(name, Expect.RIGHT_OR_REFUSED, X=change) for name, change in MISSING.items()],
    *[fit_case(name, Expect.RIGHT_OR_REFUSED, X=change) for name, change in INFINITE.items()],
    *[fit_case(name, Expect.RIGHT_OR_REFUSED, X=change) for name, change in EXTREME.items()],
    *[fit_case(name, Expect.RIGHT, X=change) for name, change in DULL.items()],
    fit_case("negative zeros", Expect.EQUAL, X=lambda X: np.where(X == 0, -0.0, X)),
]
