"""Rules in words: what diagrams and reports call F and C.

A rule is called by its name and the parameters that differ from their defaults. A class that needs
other words than its name has an attribute ``in_words``, a string; so may the rules of users.
"""

from __future__ import annotations

import re
from inspect import signature
from typing import Any

from nonet._base.errors import show

_LONGEST_VALUE = 40
_NEW_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def rule_in_words(rule: Any) -> str:
    """Return what a rule is called, bound to an ensemble or not.

    Parameters
    ----------
    rule : object

    Returns
    -------
    words : str

    Examples
    --------
    >>> from nonet.combine import COMBINATION_RULES, TrimmedMean
    >>> rule_in_words(COMBINATION_RULES["min"]), rule_in_words(TrimmedMean(0.25))
    ('min', 'trimmed mean (proportion=0.25)')
    """
    own = getattr(rule, "in_words", None)
    if isinstance(own, str):
        return own
    name = getattr(rule, "name", None)
    if isinstance(name, str):
        return name.replace("_", " ")
    return class_in_words(rule) + parameters_in_words(rule)


def class_in_words(thing: Any) -> str:
    """Return the name of the class of an object, or of a function, as words.

    Examples
    --------
    >>> from nonet.decide import MinimumCost
    >>> class_in_words(MinimumCost()), class_in_words(max)
    ('minimum cost', 'max')
    """
    name = getattr(thing, "__name__", type(thing).__name__)
    return _NEW_WORD.sub(" ", str(name)).replace("_", " ").strip().lower()


def parameters_in_words(rule: Any) -> str:
    """Return the parameters that differ from their defaults, in brackets; '' if none does.

    A parameter that was tuned has its tuned value, which is in the attribute with an underscore.

    Examples
    --------
    >>> from nonet.decide import Abstain
    >>> parameters_in_words(Abstain(0.8, abstain_label="?")), parameters_in_words(Abstain())
    (" (min_support=0.8, abstain_label='?')", '')
    """
    if not hasattr(rule, "get_params"):
        return ""
    changed = [
        f"{name}={_value_in_words(getattr(rule, f'{name}_', getattr(rule, name)))}"
        for name, parameter in signature(type(rule)).parameters.items()
        if not _is_same(getattr(rule, name, parameter.default), parameter.default)
    ]
    return f" ({', '.join(changed)})" if changed else ""


def _value_in_words(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    return show(value, _LONGEST_VALUE)


def _is_same(value: Any, default: Any) -> bool:
    """Return whether a value is the default; an array never is."""
    return value is default or (isinstance(value, (str, int, float, bool)) and value == default)
