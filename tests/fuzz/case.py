"""What a case is: an odd call, and what may come of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from fuzz.subject import Subject, predict

# Linear members add up in the order of the memory that they are given.
ROUNDING = 1e-9


class Expect(Enum):
    """What may come of a case; every refusal must be one sentence of our own."""

    RIGHT = "a right prediction"
    EQUAL = "the predictions of the plain input"
    REFUSED = "a refusal"
    RIGHT_OR_REFUSED = "a right prediction, or a refusal"
    EQUAL_OR_REFUSED = "the predictions of the plain input, or a refusal"
    LEARNED = "a prediction that is not constant, or a refusal, or a warning"

    @property
    def may_refuse(self) -> bool:
        return self not in (Expect.RIGHT, Expect.EQUAL)

    @property
    def may_predict(self) -> bool:
        return self is not Expect.REFUSED

    @property
    def compares(self) -> bool:
        return self in (Expect.EQUAL, Expect.EQUAL_OR_REFUSED)


@dataclass(frozen=True)
class Outcome:
    """What came of a case.

    Attributes
    ----------
    model : estimator
        Fitted.
    X : table
        The rows that it predicted.
    predictions : ndarray
        Its predictions.
    plain : ndarray or None
        The predictions of the plain input, if they are to be equal.
    """

    model: Any
    X: Any
    predictions: Any
    plain: Any = None


class AcceptedThenRefusedError(Exception):
    """A fit took rows that the predict after it refused."""


@dataclass(frozen=True)
class Case:
    """A named odd call.

    Attributes
    ----------
    name : str
        What is odd.
    expect : Expect
        What may come of it.
    run : callable
        Does it to a subject and returns an Outcome, or None if all that can be said was asserted.
    tolerance : float
        By which relative error predicted numbers may differ from those of the plain input.
    """

    name: str
    expect: Expect
    run: Callable[[Subject], Outcome | None]
    tolerance: float = ROUNDING
    suits: Callable[[Subject], bool] = lambda subject: True


Change = Callable[[Any], Any]


def fit_case(
    name: str,
    expect: Expect,
    *,
    X: Change | None = None,
    y: Change | None = None,
    weight: Change | None = None,
    like: Change | None = None,
    plain: Callable[[Subject], Any] | None = None,
    tolerance: float = ROUNDING,
    suits: Callable[[Subject], bool] = lambda subject: True,
) -> Case:
    """Return the case of a fit on changed data, and of the predictions for the same rows.

    `weight` gets the number of rows; `like` is the plain change of X whose predictions are to be
    equal, and `plain` returns them where they do not come from another table.
    """

    def run(subject: Subject) -> Outcome:
        table = subject.X if X is None else X(subject.X)
        target = subject.y if y is None else y(subject.y)
        params = {} if weight is None else {"sample_weight": weight(len(subject.y))}
        model = subject.fit(table, target, **params)
        predictions = predict_after_fit(model, table)
        expected = None
        if expect.compares:
            expected = plain(subject) if plain else subject.predictions_of_plain(like)
        return Outcome(model, table, predictions, expected)

    if weight is None:
        return Case(name, expect, run, tolerance, suits)
    return Case(name, expect, run, tolerance, lambda one: one.takes_weights and suits(one))


def predict_after_fit(model: Any, X: Any) -> Any:
    """Return predictions for the rows of the fit: what fit accepts, predict must accept."""
    try:
        return predict(model, X)
    except Exception as why:
        raise AcceptedThenRefusedError(f"{type(why).__name__}: {why}") from why


def predict_case(
    name: str,
    expect: Expect,
    X: Change,
    *,
    pick: Change | None = None,
    suits: Callable[[Subject], bool] = lambda subject: True,
) -> Case:
    """Return the case of odd rows for a model fitted on plain ones.

    `pick` takes from the predictions of the plain table those that the odd rows must have.
    """

    def run(subject: Subject) -> Outcome:
        rows = X(subject.X)
        predictions = predict(subject.fitted, rows)
        plain = None
        if expect.compares:
            plain = subject.predictions_of_plain()
            plain = plain if pick is None else pick(plain)
        return Outcome(subject.fitted, rows, predictions, plain)

    return Case(name, expect, run, suits=suits)
