"""Hostile parameters, made from the rules of each estimator.

What a rule forbids must be refused, with the sentence that names class, parameter and value. What
it allows must lead to a right prediction, or to a refusal where data and parameter meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from fuzz.case import Case, Expect, Outcome, predict_after_fit
from fuzz.subject import Subject
from nonet._base.params import Anything, Boolean, Choice, Either, Integer, Real, Rule


class Unwanted:
    """Nothing that any parameter allows."""

    def __repr__(self) -> str:
        return "<unwanted>"


HOSTILE: dict[str, Any] = {
    "an object": Unwanted(),
    "NaN": float("nan"),
    "infinity": float("inf"),
    "-1": -1,
    "-0.5": -0.5,
    "0": 0,
    "a huge int": 10**400,
    "a typo": "tpyo",
    "an empty string": "",
    "bytes": b"mean",
    "None": None,
    "True": True,
    "an empty list": [],
    "a dictionary": {},
    "a class": dict,
    "a complex number": 1 + 2j,
    "an array": np.array([1.0, np.nan]),
}
# More of these is more work, so that a huge one never ends.
MEANS_WORK = {
    "n_estimators",
    "max_iter",
    "max_updates",
    "max_samples",
    "n_jobs",
    "n_bags",
    "n_rounds",
    "cv",
}


def rules_of(subject: Subject) -> dict[str, Rule]:
    rules = getattr(subject.kind, "_rules", {})
    return {name: rules.get(name, Anything()) for name in subject.params}


def parts_of(rule: Rule) -> Iterator[Rule]:
    if isinstance(rule, Either):
        for part in rule.rules:
            yield from parts_of(part)
    else:
        yield rule


def allowed_ends(name: str, rule: Rule) -> Iterator[tuple[str, Any]]:
    """Yield the words of a choice, and the ends of a range."""
    for part in parts_of(rule):
        if isinstance(part, Choice):
            yield from ((repr(word), word) for word in part.options)
            yield "a word in capitals", part.options[0].upper()
        if isinstance(part, Boolean):
            yield from (("True", True), ("False", False))
        if isinstance(part, Integer) and part.low is not None:
            yield from (("its lowest", part.low), ("below its lowest", part.low - 1))
        if isinstance(part, Integer) and name not in MEANS_WORK:
            yield "a large int", 2**31
        if isinstance(part, Real):
            yield from _ends_of_range(part)


def _ends_of_range(rule: Real) -> Iterator[tuple[str, Any]]:
    if rule.low is not None:
        yield from (
            ("its low end", rule.low),
            ("just below its low end", np.nextafter(rule.low, -1e9)),
        )
        yield "just above its low end", np.nextafter(rule.low, 1e9)
    if rule.high is not None:
        yield from (
            ("its high end", rule.high),
            ("just above its high end", np.nextafter(rule.high, 1e9)),
        )
    else:
        yield "a large number", 1e300


def with_parameter(name: str, what: str, value: Any, rule: Rule) -> Case:
    allowed = rule.allows(value)

    def run(subject: Subject) -> Outcome:
        model = subject.make()
        model.set_params(**{name: value})
        with redirect_stdout(None):
            subject.fit(subject.X, subject.y, model=model)
            return Outcome(model, subject.X, predict_after_fit(model, subject.X))

    return Case(f"{name}={what}", Expect.RIGHT_OR_REFUSED if allowed else Expect.REFUSED, run)


def values_for(name: str, rule: Rule) -> Iterator[tuple[str, Any]]:
    for what, value in {**HOSTILE, **dict(allowed_ends(name, rule))}.items():
        too_much = isinstance(value, int) and value > 100 and name in MEANS_WORK
        if not (too_much and rule.allows(value)):
            yield what, value


def cases(subject: Subject) -> list[Case]:
    return [
        with_parameter(name, what, value, rule)
        for name, rule in rules_of(subject).items()
        for what, value in values_for(name, rule)
    ]
