"""The score of a run, on rows that neither members nor weights have seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nonet._base.results import Result


@dataclass(frozen=True)
class AutoScore(Result):
    """The honest score of the ensemble of a run.

    Attributes
    ----------
    metric : str
        The metric.
    better : {'smaller', 'larger'}
        Which values are better.
    score : float
        The metric on held-out rows. Each row was predicted by members that were fitted without
        its fold, combined by weights that were found without its fold. The ensemble itself
        averages the members of all folds, and is usually a little better.
    standard_error : float
        Standard error of the score, from 50 groups of rows left out in turn.
    rows : str
        Which rows these are.
    untouched_score, untouched_error : float or None
        The same for rows that were kept away from everything, from 20,000 rows on.
    untouched_rows : str or None
        Which rows these are.

    Examples
    --------
    >>> print(AutoScore("log_loss", "smaller", 0.25, 0.01, "100 held-out rows of 5 folds"))
    AutoScore
      metric          log_loss
      better          smaller
      score           0.25
      standard_error  0.01
      rows            100 held-out rows of 5 folds
    """

    _shown: ClassVar[tuple[str, ...]] = (
        "metric",
        "better",
        "score",
        "standard_error",
        "rows",
        "untouched_score",
        "untouched_error",
        "untouched_rows",
    )

    metric: str
    better: str
    score: float
    standard_error: float
    rows: str
    untouched_score: float | None = None
    untouched_error: float | None = None
    untouched_rows: str | None = None

    def _shown_now(self) -> tuple[str, ...]:
        return tuple(name for name in self._shown if getattr(self, name) is not None)
