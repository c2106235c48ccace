"""Checks of the calculators' arguments, and results in the shape of the arguments.

A scalar argument is an array without axes, so one formula serves both; at the end a result
without axes becomes a plain Python number again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice, Integer, Real, bad_parameter

Prediction: TypeAlias = Any
"""A Python number if all arguments were scalars, otherwise an array."""

PROBABILITY = Real(0, 1)
COUNT = Integer(1)
TIE = Choice("coin", "wrong", "right")


def check_numbers(owner: str, name: str, value: Any, rule: Real | Integer) -> Floats:
    """Return the numbers as float64 if the rule allows every one of them."""
    if isinstance(value, int) and rule.allows(value) and Real().allows(value):
        return np.asarray(float(value))  # also one that is too long for NumPy's integers
    numbers = _as_array(owner, name, value, rule)
    # A rule is an interval: it holds an array if it holds its two ends (NaN is never inside).
    for end in [numbers.min().item(), numbers.max().item()] if numbers.size else []:
        if not rule.allows(end):
            raise bad_parameter(owner, name, rule.describe(), end)
    return numbers.astype(np.float64)


def _as_array(owner: str, name: str, value: Any, rule: Real | Integer) -> Array:
    try:
        numbers = np.asarray(value)
    except ValueError as why:  # rows of different lengths
        raise bad_parameter(owner, name, rule.describe(), value) from why
    if numbers.size and numbers.dtype.kind not in ("iu" if isinstance(rule, Integer) else "iuf"):
        raise bad_parameter(owner, name, rule.describe(), value)
    return numbers


def check_choice(owner: str, name: str, value: Any, rule: Choice) -> str:
    """Return the word if it is one of those allowed."""
    if not rule.allows(value):
        raise bad_parameter(owner, name, rule.describe(), value)
    return str(value)


def check_matrix(owner: str, name: str, value: Any, rule: Real | Integer, shape: str) -> Floats:
    """Return a matrix that has entries, all of them allowed by the rule; True is 1, False 0."""
    if getattr(value, "dtype", None) == np.bool_:
        value = np.asarray(value, dtype=np.int8)
    matrix = check_numbers(owner, name, value, rule)
    if matrix.ndim != 2 or not matrix.size:
        allowed = f"a matrix of shape {shape} with at least one entry"
        raise bad_parameter(owner, name, allowed, f"shape {matrix.shape}")
    return matrix


def check_shape(owner: str, name: str, values: Array, shape: tuple[int, ...], why: str) -> None:
    """Raise if the values have not the shape that another argument requires."""
    if values.shape != shape:
        raise bad_parameter(owner, name, f"of shape {shape}, {why}", f"shape {values.shape}")


def check_voters(owner: str, name: str, value: Any, rule: Real | Integer) -> Floats:
    """Return numbers with one voter (or round) along the last axis, at least one of them."""
    numbers = check_numbers(owner, name, value, rule)
    if numbers.ndim == 0 or numbers.shape[-1] == 0:
        raise bad_parameter(owner, name, "array-like, with at least one entry", value)
    return numbers


def as_requested(prediction: Any) -> Prediction:
    """Return a Python number for a result without axes, the array otherwise."""
    prediction = np.asarray(prediction)
    return prediction.item() if prediction.ndim == 0 else prediction


def for_each(formula: Callable[..., Any], *arguments: Floats, whole: bool = False) -> Prediction:
    """Apply a formula of scalars to every combination that broadcasting makes."""
    kind = np.int64 if whole else np.float64
    together = np.broadcast_arrays(*arguments)
    predictions = [formula(*values) for values in zip(*(a.flat for a in together), strict=True)]
    if together[0].ndim == 0:
        return int(predictions[0]) if whole else float(predictions[0])
    return np.array(predictions, dtype=kind).reshape(together[0].shape)
