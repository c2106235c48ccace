"""Failed and interrupted refits leave a model as it was, bit for bit; a refit forgets the first."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from contracts.interrupts import count_calls, interrupt_after
from fuzz.case import Case, Expect
from fuzz.subject import Subject, predict, quietly

FRACTIONS = (0.02, 0.2, 0.4, 0.6, 0.8, 0.98)  # of the calls of a fit, where it is interrupted


def other_data(subject: Subject) -> tuple[Any, Any]:
    """Return rows of five columns, and other labels or numbers."""
    X = np.random.default_rng(1).integers(0, 9, size=(30, 5)).astype(float)
    return X, (X[:, 1] > 4).astype(int) + 5 if subject.has_classes else X[:, 1] - 3.0


def fresh(subject: Subject) -> Any:
    return pickle.loads(subject.fitted_bytes)


def assert_same(subject: Subject, model: Any, what: str) -> None:
    assert pickle.dumps(model) == subject.fitted_bytes, f"{what} left something changed"
    found = quietly(predict, model, subject.X)
    assert np.array_equal(found, subject.predictions_of_plain()), f"{what} changed predictions"


def interrupted(fraction: float) -> Case:
    def run(subject: Subject) -> None:
        model, (X, y) = fresh(subject), other_data(subject)
        n_calls = max(1, int(fraction * subject.n_calls_of_refit))
        try:
            with interrupt_after(n_calls):
                quietly(subject.fit, X, y, model=model)
        except KeyboardInterrupt:
            assert_same(subject, model, "an interrupted refit")

    return Case(f"refit interrupted after {fraction:.0%}", Expect.RIGHT, run)


BAD: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {
    "complex numbers": lambda X, y: (X + 1j, y),
    "words": lambda X, y: (np.where(X > 4, "high", "low"), y),
    "one dimension": lambda X, y: (X[:, 0], y),
    "too few targets": lambda X, y: (X, y[:-1]),
    "NaN targets": lambda X, y: (X, np.where(np.arange(len(y)) == 5, np.nan, y)),
    "no targets": lambda X, y: (X, None),
    "no rows": lambda X, y: (X[:0], y[:0]),
}


def failed(name: str) -> Case:
    def run(subject: Subject) -> None:
        model = fresh(subject)
        try:
            quietly(subject.fit, *BAD[name](*other_data(subject)), model=model)
        except (ValueError, TypeError):
            assert_same(subject, model, "a failed refit")
            return
        assert not subject.is_supervised, "a refit on nonsense did not fail"

    return Case(f"refit fails: {name}", Expect.RIGHT, run)


def bad_weights(subject: Subject) -> None:
    model, (X, y) = fresh(subject), other_data(subject)
    try:
        quietly(subject.fit, X, y, model=model, sample_weight=np.full(len(X), -1.0))
    except (ValueError, TypeError):
        assert_same(subject, model, "a refit with bad weights")
        return
    raise AssertionError("a refit with negative weights did not fail")


def bad_parameter(subject: Subject) -> None:
    model, (X, y) = fresh(subject), other_data(subject)
    name = sorted(subject.params)[0]
    before = getattr(model, name)
    setattr(model, name, object())
    try:
        quietly(subject.fit, X, y, model=model)
    except (ValueError, TypeError):
        setattr(model, name, before)
        assert_same(subject, model, "a refit with a bad parameter")
        return
    raise AssertionError(f"object() was accepted as {name}")


def on_other_data(subject: Subject) -> None:
    model, (X, y) = fresh(subject), other_data(subject)
    quietly(subject.fit, X, y, model=model)
    alone = quietly(subject.fit, X, y)
    same = np.array_equal(quietly(predict, model, X), quietly(predict, alone, X))
    assert same, "a refit remembers something of the first fit"


def on_the_same_data(subject: Subject) -> None:
    model = quietly(subject.fit, subject.X, subject.y, model=fresh(subject))
    found = quietly(predict, model, subject.X)
    assert np.array_equal(found, subject.predictions_of_plain()), "a second fit differs"


def after_a_failure(subject: Subject) -> None:
    """Return to work: a model whose first fit failed learns what a new one does."""
    model = subject.make()
    try:
        quietly(subject.fit, "nonsense", subject.y, model=model)
    except (ValueError, TypeError):
        quietly(subject.fit, subject.X, subject.y, model=model)
        found = quietly(predict, model, subject.X)
        assert np.array_equal(found, subject.predictions_of_plain()), "a failure left a trace"
        return
    raise AssertionError("a string was accepted as X")


def predict_interrupted(subject: Subject) -> None:
    model = fresh(subject)
    n_calls = count_calls(lambda: quietly(predict, model, subject.X))
    model = fresh(subject)
    try:
        with interrupt_after(max(1, n_calls // 2)):
            quietly(predict, model, subject.X)
    except KeyboardInterrupt:
        found = quietly(predict, model, subject.X)
        assert np.array_equal(found, subject.predictions_of_plain()), "predict was left halfway"


CASES: list[Case] = [
    *map(interrupted, FRACTIONS),
    *map(failed, BAD),
    Case(
        "refit fails: bad weights", Expect.RIGHT, bad_weights, suits=lambda one: one.takes_weights
    ),
    Case(
        "refit fails: bad parameter",
        Expect.RIGHT,
        bad_parameter,
        suits=lambda one: bool(one.params),
    ),
    Case("refit on other data", Expect.RIGHT, on_other_data),
    Case("refit on the same data", Expect.RIGHT, on_the_same_data),
    Case("fit after a failed fit", Expect.RIGHT, after_a_failure),
    Case("predict interrupted", Expect.RIGHT, predict_interrupted),
]
