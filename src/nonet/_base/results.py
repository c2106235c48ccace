"""The base of result objects: frozen, readable in a terminal and in a notebook.

A subclass is a frozen dataclass that names the fields to show in ``_shown``. One with a plot
is a `PlottableResult` and names its plot function in ``nonet.plots`` in ``_plot``.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from nonet._base.pictures.html_table import facts_table


@dataclass(frozen=True)
class Result:
    """Base class of all result objects."""

    _shown: ClassVar[tuple[str, ...]] = ()

    def _shown_now(self) -> tuple[str, ...]:
        """Return the names of the lines of this result: the fields of its class that are set."""
        return self._shown

    def _lines(self) -> list[tuple[str, str]]:
        return [(name, _in_words(getattr(self, name))) for name in self._shown_now()]

    def __str__(self) -> str:
        lines = self._lines()
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join([type(self).__name__, *(f"  {n:<{width}}  {v}" for n, v in lines)])

    def _repr_html_(self) -> str:
        return facts_table(type(self).__name__, self._lines())


@dataclass(frozen=True)
class PlottableResult(Result):
    """Base class of the result objects that have a plot."""

    _plot: ClassVar[str]

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the result and return the matplotlib Axes (needs the ``plots`` extra)."""
        # The one import of a higher layer: a result may draw itself, and matplotlib stays optional.
        return getattr(import_module("nonet.plots"), self._plot)(self, ax=ax, **style)


def _in_words(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray):
        if value.size > 8:
            return f"array of shape {value.shape}"
        return np.array2string(value, precision=4, separator=", ")
    return str(value)
