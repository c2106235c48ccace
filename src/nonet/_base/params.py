"""Parameter rules as data, and the error for a bad parameter.

A rule checks a value and describes in words what it allows; rules are joined with ``|``::

    rules = {"n_jobs": Nothing() | Integer(), "voting": Choice("hard", "soft")}
    check_params(estimator, rules)
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.errors import ParameterError, show


class Rule:
    """What a parameter may be."""

    def allows(self, value: Any) -> bool:
        """Return whether the value is allowed."""
        raise NotImplementedError

    def describe(self) -> str:
        """Describe in words what is allowed."""
        raise NotImplementedError

    def __or__(self, other: Rule) -> Rule:
        return Either(self, other)


class Either(Rule):
    """One rule or the other."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules

    def allows(self, value: Any) -> bool:
        return any(rule.allows(value) for rule in self.rules)

    def describe(self) -> str:
        return " or ".join(rule.describe() for rule in self.rules)


class Nothing(Rule):
    """None is allowed."""

    def allows(self, value: Any) -> bool:
        return value is None

    def describe(self) -> str:
        return "None"


class Choice(Rule):
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def allows(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.options

    def describe(self) -> str:
        words = ", ".join(repr(option) for option in self.options)
        return words if len(self.options) == 1 else f"one of {words}"


class Boolean(Rule):
    """True or False."""

    def allows(self, value: Any) -> bool:
        return isinstance(value, (bool, np.bool_))

    def describe(self) -> str:
        return "True or False"


class Integer(Rule):
    """A whole number, at least ``low`` and at most ``high``; a bool is not one."""

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self.low, self.high = low, high

    def allows(self, value: Any) -> bool:
        if not _is_number(value, numbers.Integral):
            return False
        number = int(value)
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )

    def describe(self) -> str:
        return "a whole number" + _range_words(self.low, self.high)


class Real(Rule):
    """A finite number in [low, high]; ``open_low``/``open_high`` leave the end out."""

    def __init__(
        self,
        low: float | None = None,
        high: float | None = None,
        *,
        open_low: bool = False,
        open_high: bool = False,
    ) -> None:
        self.low, self.high = low, high
        self.open_low, self.open_high = open_low, open_high

    def allows(self, value: Any) -> bool:
        if not _is_number(value, numbers.Real):
            return False
        try:
            number = float(value)
        except OverflowError:  # an integer beyond the range of float
            return False
        if not math.isfinite(number):
            return False
        above = self.low is None or number > self.low or (number == self.low and not self.open_low)
        below = (
            self.high is None or number < self.high or (number == self.high and not self.open_high)
        )
        return above and below

    def describe(self) -> str:
        words = _range_words(self.low, self.high)
        if self.low is not None and self.open_low:
            words = words.replace("of at least", "above", 1)
        if self.high is not None and self.open_high:
            words = words.replace("of at most", "below", 1).replace("at most", "below", 1)
        return "a finite number" + words


class Having(Rule):
    """An object with the named methods and at least one of ``any_of``, described by a noun."""

    def __init__(self, noun: str, *methods: str, any_of: tuple[str, ...] = ()) -> None:
        self.noun, self.methods, self.any_of = noun, methods, any_of

    def allows(self, value: Any) -> bool:
        if isinstance(value, type):
            return False
        has = [callable(getattr(value, method, None)) for method in self.any_of]
        return all(callable(getattr(value, method, None)) for method in self.methods) and (
            not has or any(has)
        )

    def describe(self) -> str:
        return self.noun


class Instance(Rule):
    """An object of one of the given types, described by a noun."""

    def __init__(self, noun: str, *types: type) -> None:
        self.noun, self.types = noun, types

    def allows(self, value: Any) -> bool:
        return isinstance(value, self.types)

    def describe(self) -> str:
        return self.noun


class ArrayLike(Rule):
    """A list, tuple, array or series."""

    def allows(self, value: Any) -> bool:
        return not isinstance(value, (str, bytes)) and (
            hasattr(value, "__len__") or hasattr(value, "__array__")
        )

    def describe(self) -> str:
        return "array-like"


class Anything(Rule):
    """No constraint here: the value is checked where the data are known."""

    def allows(self, value: Any) -> bool:
        return True

    def describe(self) -> str:
        return "anything"


def _is_number(value: Any, kind: type) -> bool:
    """Return whether the value is a number of that kind; True and False are not numbers here."""
    if type(value) is int:  # the common case, without the slow check of an abstract class
        return True
    return isinstance(value, kind) and not isinstance(value, (bool, np.bool_))


def _range_words(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" of at least {low} and at most {high}"
    if low is not None:
        return f" of at least {low}"
    if high is not None:
        return f" of at most {high}"
    return ""


def bad_parameter(owner: Any, name: str, allowed: str, received: Any) -> ParameterError:
    """Return the error for a bad parameter."""
    kind = owner if isinstance(owner, str) else type(owner).__name__
    return ParameterError(
        f"{kind}: parameter {name!r} must be {allowed}, but got {show(received)}."
    )


def check_params(owner: Any, rules: Mapping[str, Rule]) -> None:
    """Check the attributes of ``owner`` against its rules; the first bad one raises."""
    for name, rule in rules.items():
        value = getattr(owner, name)
        if not rule.allows(value):
            raise bad_parameter(owner, name, rule.describe(), value)
