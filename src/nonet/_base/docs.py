"""Texts that several docstrings share, filled in where a class or function names them in braces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Kind = TypeVar("Kind")


def fill_docstring(kind: Kind, texts: Mapping[str, str]) -> Kind:
    """Put each text in the place of its name in braces, in the docstring of a class or function."""
    if kind.__doc__ is not None:  # python -OO leaves docstrings out
        for name, text in texts.items():
            kind.__doc__ = kind.__doc__.replace(f"{{{name}}}", text)
    return kind
