"""The leaderboard of a run: what was and was not run, how well it did, and on which rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np

from nonet._base.pictures.html_table import rows_table
from nonet._base.results import Result


@dataclass(frozen=True)
class LeaderboardRow:
    """One line of the leaderboard.

    Attributes
    ----------
    name : str
        The configuration, or 'ensemble'.
    score : float
        The metric on the rows that ``rows`` names; NaN if it was not run.
    standard_error : float
    weight : float
        The weight in the ensemble, as a fraction of all.
    seconds : float
        What its tasks took.
    rows : str
        Which rows the score is from, or why there is none.
    us_per_row : float, default=NaN
        Microseconds that the prediction of a row takes, with the models of all folds, in a batch;
        NaN if it is not part of the ensemble.

    Examples
    --------
    >>> LeaderboardRow("default", 0.25, 0.01, 1.0, 2.5, "100 held-out rows of 5 folds").score
    0.25
    """

    name: str
    score: float
    standard_error: float
    weight: float
    seconds: float
    rows: str
    us_per_row: float = float("nan")


@dataclass(frozen=True)
class Leaderboard(Result):
    """All configurations of a run, the best first.

    Attributes
    ----------
    metric : str
        The metric of the scores.
    better : {'smaller', 'larger'}
        Which scores are better.
    rows : list of LeaderboardRow

    Examples
    --------
    >>> row = LeaderboardRow("default", 0.25, 0.01, 1.0, 2.5, "100 held-out rows of 5 folds")
    >>> print(Leaderboard("log_loss", "smaller", [row]))
    Leaderboard: log_loss, smaller is better
      name      score    error  weight  seconds  rows
      default    0.25     0.01   1.000      2.5  100 held-out rows of 5 folds
    """

    _shown: ClassVar[tuple[str, ...]] = ("metric", "better", "rows")

    metric: str
    better: str
    rows: Sequence[LeaderboardRow] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.rows)

    def as_columns(self) -> dict[str, list[Any]]:
        """Return the columns by name, as ``pandas.DataFrame`` takes them."""
        names = tuple(one.name for one in fields(LeaderboardRow))
        return {name: [getattr(row, name) for row in self.rows] for name in names}

    def with_costs(self, costs: Mapping[str, float]) -> Leaderboard:
        """Return the leaderboard with the microseconds per row of members of the ensemble."""
        known = {**costs, "ensemble": sum(costs.values())}
        rows = [replace(row, us_per_row=known.get(row.name, float("nan"))) for row in self.rows]
        return replace(self, rows=rows)

    def _repr_html_(self) -> str:
        """Return the configurations that were run as a table, and how many were not."""
        run = [row for row in self.rows if not np.isnan(row.score)]
        n_others, n_all = len(self.rows) - len(run), len(self.rows) - 1  # all but the ensemble
        others = f"; {n_others} of {n_all} configurations not run" if n_others else ""
        return rows_table(self._title() + others, ("name", *_COLUMNS), map(_cells, run))

    def _title(self) -> str:
        return f"Leaderboard: {self.metric}, {self.better} is better"

    def __str__(self) -> str:
        width = max([len(row.name) for row in self.rows] + [4])
        head = self._title()
        names = f"  {'name':<{width}}  {'score':>7}  {'error':>7}  weight  seconds  rows"
        return "\n".join([head, names, *(_line(row, width) for row in self.rows)])


def _line(row: LeaderboardRow, width: int) -> str:
    score, error = _short(row.score), _short(row.standard_error)
    return (
        f"  {row.name:<{width}}  {score:>7}  {error:>7}  {row.weight:6.3f}  {row.seconds:7.1f}  "
        f"{row.rows}"
    )


_COLUMNS = ("score", "error", "weight", "seconds", "rows")


def _cells(row: LeaderboardRow) -> tuple[str, ...]:
    score, error = _short(row.score), _short(row.standard_error)
    return row.name, score, error, f"{row.weight:.3f}", f"{row.seconds:.1f}", row.rows


def _short(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:.4g}"
