"""Models by name: (name, estimator) pairs, checked; a model can be dropped by its name."""

from __future__ import annotations

from typing import Any

DROPPED = "drop"


def check_named_models(owner: str, pairs: Any) -> list[tuple[str, Any]]:
    """Return the pairs that take part; raise if the list is not one of named models."""
    if not is_well_formed(pairs):
        raise ValueError(
            f"{owner}: parameter 'estimators' must be a non-empty list of "
            f"(name, estimator) pairs, but got {pairs!r}."
        )
    kept = list(filter(takes_part, pairs))
    if not kept:
        raise ValueError(f"{owner}: all estimators are dropped; at least one must remain.")
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"{owner}: the names of the estimators are not unique: {names}.")
    return kept


def is_well_formed(pairs: Any) -> bool:
    """Tell whether this is a non-empty list of (name, estimator) pairs."""
    return (
        isinstance(pairs, (list, tuple))
        and len(pairs) > 0
        and all(
            isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[0], str)
            for pair in pairs
        )
    )


def takes_part(pair: tuple[str, Any]) -> bool:
    """Tell whether the model of a pair is not dropped."""
    return not (isinstance(pair[1], str) and pair[1] == DROPPED)
