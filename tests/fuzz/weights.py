"""Odd sample weights: they mean repetition, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from fuzz.case import Case, Expect, Outcome, fit_case, predict_after_fit
from fuzz.subject import Subject

SCALES = (1e-300, 1e-160, 1e-12, 1e-6, 0.5, 3.0, 1e6, 1e12, 1e160, 1e300)


def ones_but(value: Any, rows: Any = 2) -> Callable[[int], Any]:
    def make(n_rows: int) -> Any:
        weights = np.ones(n_rows, dtype=float if isinstance(value, float) else object)
        weights[rows] = value
        return weights

    return make


EQUAL_TO_ONES: dict[str, Callable[[int], Any]] = {
    "a list": lambda n: [1.0] * n,
    "a tuple": lambda n: (1.0,) * n,
    "whole numbers": lambda n: np.ones(n, dtype=int),
    "booleans": lambda n: np.ones(n, dtype=bool),
    "float32": lambda n: np.ones(n, dtype=np.float32),
    "objects": lambda n: np.ones(n, dtype=object),
    "a series": lambda n: pd.Series(np.ones(n)),
    "a series of another index": lambda n: pd.Series(np.ones(n), index=np.arange(n)[::-1] + 7),
    "a nullable series": lambda n: pd.Series(np.ones(n), dtype="Float64"),
}
RIGHT_OR_REFUSED: dict[str, Callable[[int], Any]] = {
    "some are 0": ones_but(0.0, slice(None, None, 4)),
    "only one is above 0": lambda n: np.eye(1, n)[0],
    "one huge": ones_but(1e300),
    "one tiny": ones_but(1e-300),
    "tiny and huge": lambda n: np.where(np.arange(n) % 2, 1e-150, 1e150),
    "one number for all rows": lambda n: 1.0,
    "a column": lambda n: np.ones((n, 1)),
    "numbers as text": lambda n: np.ones(n).astype(str),
}
REFUSED: dict[str, Callable[[int], Any]] = {
    "all 0": np.zeros,
    "one negative": ones_but(-1.0),
    "all negative": lambda n: -np.ones(n),
    "one NaN": ones_but(np.nan),
    "one infinite": ones_but(np.inf),
    "one None": ones_but(None),
    "one word": ones_but("heavy"),
    "one too few": lambda n: np.ones(n - 1),
    "one too many": lambda n: np.ones(n + 1),
    "none at all": lambda n: [],
    "a table": lambda n: np.ones((n, 2)),
    "words": lambda n: ["heavy"] * n,
    "one word for all": lambda n: "balanced",
    "complex": lambda n: np.ones(n) + 1j,
    "dates": lambda n: np.ones(n).astype("int64").astype("datetime64[D]"),
    "a dictionary": lambda n: {0: 1.0, 1: 2.0},
}


def without_weight_on_a_class(subject: Subject) -> Outcome:
    weights = (subject.y != subject.y[0]).astype(float)
    model = subject.fit(subject.X, subject.y, sample_weight=weights)
    return Outcome(model, subject.X, predict_after_fit(model, subject.X))


CASES: list[Case] = [
    *[
        fit_case(
            name,
            Expect.EQUAL,
            weight=make,
            plain=lambda subject: subject.predictions_of_equal_weights,
        )
        for name, make in EQUAL_TO_ONES.items()
    ],
    *[
        fit_case(f"all {scale}", Expect.LEARNED, weight=lambda n, scale=scale: np.full(n, scale))
        for scale in SCALES
    ],
    *[
        fit_case(name, Expect.RIGHT_OR_REFUSED, weight=make)
        for name, make in RIGHT_OR_REFUSED.items()
    ],
    *[fit_case(name, Expect.REFUSED, weight=make) for name, make in REFUSED.items()],
    Case(
        "a class without weight",
        Expect.RIGHT_OR_REFUSED,
        without_weight_on_a_class,
        suits=lambda subject: subject.takes_weights and subject.has_classes,
    ),
]
