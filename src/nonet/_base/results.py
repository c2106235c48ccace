"""The base of result objects: frozen, readable in a terminal and in a notebook.

A child is a frozen dataclass; it names the fields worth a line in ``_shown`` and may have a
plot function in ``nonet.plots`` named in ``_plot``.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any, ClassVar

import numpy as np


@dataclass(frozen=True)
class Result:
    """Parent of all result objects."""

    _shown: ClassVar[tuple[str, ...]] = ()
    _plot: ClassVar[str | None] = None

    def _lines(self) -> list[tuple[str, str]]:
        return [(name, _in_words(getattr(self, name))) for name in self._shown]

    def __str__(self) -> str:
        lines = self._lines()
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join([type(self).__name__, *(f"  {n:<{width}}  {v}" for n, v in lines)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in self._lines()
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the result and return the matplotlib Axes (needs the ``plots`` extra)."""
        if self._plot is None:
            raise TypeError(f"{type(self).__name__} has no picture of its own.")
        # The one import that points up: a result may draw itself, and matplotlib stays optional.
        return getattr(import_module("nonet.plots"), self._plot)(self, ax=ax, **style)


def _in_words(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray):
        if value.size > 8:
            return f"array of shape {value.shape}"
        return np.array2string(value, precision=4, separator=", ")
    return str(value)
