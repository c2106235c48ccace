"""Docs shared by several docstrings, filled in where a docstring names them in braces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Kind = TypeVar("Kind")


def fill_docstring(kind: Kind, docs: Mapping[str, str]) -> Kind:
    """Replace each name in braces by its text, in the docstring of a class or function."""
    if kind.__doc__ is not None:  # python -OO leaves docstrings out
        for name, text in docs.items():
            kind.__doc__ = kind.__doc__.replace(f"{{{name}}}", text)
    return kind
