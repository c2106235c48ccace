"""Checks of (name, estimator) pairs; a model can be dropped by its name."""

from __future__ import annotations

from typing import Any

from nonet._base.errors import ParameterError, show
from nonet._base.params import bad_parameter

DROPPED = "drop"


def check_named_models(
    owner: str, pairs: Any, parameter: str = "estimators"
) -> list[tuple[str, Any]]:
    """Return the pairs that are not dropped; raise if the list is not one of named models."""
    if not _are_pairs(pairs):
        allowed = "a non-empty list of (name, estimator) pairs"
        raise bad_parameter(owner, parameter, allowed, pairs)
    for name, model in pairs:
        if not _is_model(model):
            raise ParameterError(
                f"{owner}: member {name!r} must be an estimator or 'drop', but got {show(model)}."
            )
    kept = list(filter(takes_part, pairs))
    if not kept:
        raise ValueError(f"{owner}: all estimators are dropped; at least one must remain.")
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"{owner}: the names of the estimators are not unique: {names}.")
    return kept


def is_well_formed(pairs: Any) -> bool:
    """Return whether this is a non-empty list of (name, estimator) pairs."""
    return _are_pairs(pairs) and all(_is_model(model) for _, model in pairs)


def _is_model(model: Any) -> bool:
    if isinstance(model, str):
        return model == DROPPED
    return not isinstance(model, type) and hasattr(model, "fit")


def _are_pairs(pairs: Any) -> bool:
    return (
        isinstance(pairs, (list, tuple))
        and len(pairs) > 0
        and all(
            isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[0], str)
            for pair in pairs
        )
    )


def takes_part(pair: tuple[str, Any]) -> bool:
    """Return whether the model of a pair is not dropped."""
    return not (isinstance(pair[1], str) and pair[1] == DROPPED)
