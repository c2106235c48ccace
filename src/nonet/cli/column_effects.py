"""What an explanation finds: an effect for each column, how it was computed, and on which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet._base.aliases import Floats


@dataclass(frozen=True, eq=False)
class ColumnEffects:
    r"""Effects of columns, on all predictions or on one.

    Attributes
    ----------
    method : str
        How they were computed.
    unit : str
        What the numbers are.
    rows : str
        Which rows they are from.
    names : sequence of str
        The columns.
    effects : ndarray of shape (n_columns,)
    errors : ndarray of shape (n_columns,) or None
        Standard errors; None if the effects are exact.
    values : sequence or None
        The values of the columns, if it is about one row.
    of_row : dict
        About the row: its prediction, and what the effects are added to.

    Examples
    --------
    >>> found = ColumnEffects("exact", "rooms", "1 row", ["size"], np.array([1.5]))
    >>> print(*found.lines(), sep="\n")
    exact, 1 row; rooms
      column  effect
      size       1.5
    """

    method: str
    unit: str
    rows: str
    names: Sequence[str]
    effects: Floats
    errors: Floats | None = None
    values: Sequence[Any] | None = None
    of_row: dict[str, Any] = field(default_factory=dict)

    @property
    def order(self) -> list[int]:
        """The columns from the largest effect to the smallest."""
        return [int(j) for j in np.argsort(-np.abs(self.effects), kind="stable")]

    def lines(self, n_shown: int = 20) -> list[str]:
        """Return a table as lines.

        Parameters
        ----------
        n_shown : int, default=20
            How many columns at most.
        """
        width = max([len(name) for name in self.names] + [6])
        head = f"  {'column':<{width}}  {'effect':>6}"
        head += "" if self.errors is None else f"  {'error':>8}"
        head += "" if self.values is None else "  value"
        lines = [f"{self.method}, {self.rows}; {self.unit}"]
        lines += [f"{name}: {_short(value)}" for name, value in self.of_row.items()]
        lines += [head, *(self._line(j, width) for j in self.order[:n_shown])]
        n_more = len(self.names) - n_shown
        return [*lines, f"  ... and {n_more} more"] if n_more > 0 else lines

    def _line(self, j: int, width: int) -> str:
        line = f"  {self.names[j]:<{width}}  {self.effects[j]:>6.3g}"
        line += "" if self.errors is None else f"  {self.errors[j]:>8.2g}"
        return line + ("" if self.values is None else f"  {self.values[j]}")

    def document(self) -> dict[str, Any]:
        """Return the same for JSON."""
        columns = []
        for j in self.order:
            column: dict[str, Any] = {"column": self.names[j], "effect": self.effects[j]}
            if self.errors is not None:
                column["standard_error"] = self.errors[j]
            if self.values is not None:
                column["value"] = self.values[j]
            columns.append(column)
        of_row = {name.replace(" ", "_"): value for name, value in self.of_row.items()}
        about = {"method": self.method, "unit": self.unit, "rows": self.rows}
        return {**about, **of_row, "columns": columns}


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
