"""Constraints on columns as text, as XGBoost and LightGBM take them."""

from __future__ import annotations

from ast import literal_eval
from typing import Any

from nonet._base.errors import ParameterError, show

_WORDS = ("pairwise", "no_interactions")


def parse_constraints(kind: str, name: str, value: Any) -> Any:
    """Return constraints that are given as text as lists; others as they are.

    Parameters
    ----------
    kind, name : str
        The estimator's class and the parameter, for errors.
    value : object
        What was given.

    Examples
    --------
    >>> parse_constraints("a booster", "monotone_constraints", "(1,-1)")
    [1, -1]
    >>> parse_constraints("a booster", "interaction_constraints", "[0,1],[2,3]")
    [[0, 1], [2, 3]]
    """
    if not isinstance(value, str) or value in _WORDS:
        return value
    text = value.strip()
    try:
        parsed = literal_eval(f"{text}," if _is_one_group(name, text) else text)
    except (SyntaxError, ValueError):
        raise ParameterError(
            f"{kind}: parameter {name!r} must be a list, or its text such as '(1,-1)' or "
            f"'[[0,1],[2,3]]', but got {show(value)}."
        ) from None
    return list(parsed) if isinstance(parsed, tuple) else parsed if _is_list(parsed) else [parsed]


def _is_one_group(name: str, text: str) -> bool:
    """Return whether text such as '[0,1]' is one group of LightGBM's."""
    return name == "interaction_constraints" and text.count("[") == 1


def _is_list(parsed: Any) -> bool:
    return isinstance(parsed, list | dict)
