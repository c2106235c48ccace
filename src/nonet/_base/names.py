"""Lookup of rules by short name; an unknown name raises with the known names."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from nonet._base.errors import ParameterError, show

T = TypeVar("T")


def look_up(table: Mapping[str, T], name: Any, what: str) -> T:
    """Return ``table[name]``; an unknown name raises with the nearest one and the whole list."""
    is_text = isinstance(name, str)
    if is_text and name in table:
        return table[name]
    near = get_close_matches(name, table, n=1) if is_text else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    known = ", ".join(repr(key) for key in table)
    raise ParameterError(f"{what} {show(name)} is not known{hint}; the known names are {known}.")
