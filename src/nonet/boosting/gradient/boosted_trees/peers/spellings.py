"""What can be said about a parameter of LightGBM or XGBoost: four kinds of entries of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Renamed:
    """Another name of one of our parameters.

    Parameters
    ----------
    own : str
        Our name.
    values : mapping, default={}
        Values that are spelt differently, and ours.

    Examples
    --------
    >>> Renamed("num_leaves", {0: None}).translate(0) is None
    True
    """

    own: str
    values: Mapping[Any, Any] = field(default_factory=dict)

    def translate(self, value: Any) -> Any:
        """Return a value in our spelling."""
        return translate_value(value, self.values)


@dataclass(frozen=True)
class Neutral:
    """A parameter that is accepted at the values that describe what we do anyway.

    Parameters
    ----------
    values : sequence
        These values.
    way_out : str
        What to do instead of any other value, as the end of a sentence.

    Examples
    --------
    >>> Neutral([1], "use a forest").allows(1), Neutral([1], "use a forest").allows(2)
    (True, False)
    """

    values: Sequence[Any]
    way_out: str

    def allows(self, value: Any) -> bool:
        """Return whether a value changes nothing."""
        return any(are_same(value, neutral) for neutral in self.values)


@dataclass(frozen=True)
class Unneeded:
    """A parameter that is accepted and has no effect, for a reason that the guide gives."""


@dataclass(frozen=True)
class Special:
    """A parameter that is translated together with others."""


Spelling = Renamed | Neutral | Unneeded | Special


def translate_value(value: Any, values: Mapping[Any, Any]) -> Any:
    """Return the value that a table has for a word or a number, or the value itself.

    Examples
    --------
    >>> translate_value(-1, {-1: None}) is None, translate_value(True, {1: None})
    (True, True)
    """
    is_plain = isinstance(value, str | int | float | np.number) and not isinstance(value, bool)
    return values.get(value, value) if is_plain else value


def are_same(one: Any, other: Any) -> bool:
    """Return whether two values of a parameter mean the same.

    Examples
    --------
    >>> are_same(float("nan"), float("nan")), are_same([0, 1], [0, 2]), are_same("auto", 31)
    (True, False, False)
    """
    if one is other:
        return True
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    try:
        return bool(np.array_equal(one, other) or (one != one and other != other))
    except (TypeError, ValueError):
        return False
