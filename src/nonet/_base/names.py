"""Lookup of rules by short name; an unknown name raises with the known names."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

from nonet._base.errors import ParameterError

T = TypeVar("T")


def look_up(table: Mapping[str, T], name: str, what: str) -> T:
    """Return ``table[name]``; an unknown name raises with the nearest one and the whole list."""
    if name in table:
        return table[name]
    near = get_close_matches(name, table, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    known = ", ".join(repr(key) for key in table)
    raise ParameterError(f"{what} {name!r} is not known{hint}; the known names are {known}.")
