"""What a drawing returns, and the words that several drawings use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

Facts = Mapping[str, Any]

_WORDS = {
    "zero_one": "error rate",
    "brier": "Brier score",
    "brier_score": "Brier score",
    "roc_auc": "ROC AUC",
    "r2": "R²",
    "rmse": "root mean squared error",
    "mae": "mean absolute error",
}
_MOST_NAMED = 12


@dataclass(frozen=True)
class View:
    """A figure as the page shows it.

    Attributes
    ----------
    svg : str
        The picture.
    caption : str
        What it shows.
    rows : str
        The rows that its numbers are from.
    head : sequence of str
        The columns of the table of its numbers.
    body : sequence of sequence of str or Markup
        The lines of that table.
    """

    svg: str
    caption: str
    rows: str
    head: Sequence[str] = ()
    body: Sequence[Sequence[str | Markup]] = field(default_factory=list)

    def is_numeric(self, column: int) -> bool:
        """Whether a column of the table holds numbers, which are aligned at their right."""
        return all("<data" in line[column] or "absent" in line[column] for line in self.body)

    @property
    def picture(self) -> Markup:
        """The picture as markup; ``figures`` has escaped all that came from the user."""
        return Markup(self.svg)


def in_words(metric: Any) -> str:
    """Return the name of a metric or a loss as a reader writes it.

    Examples
    --------
    >>> in_words("log_loss"), in_words("zero_one")
    ('log loss', 'error rate')
    """
    return _WORDS.get(str(metric), str(metric).replace("_", " "))


def enumerate_words(items: Iterable[str], most: int = _MOST_NAMED) -> str:
    """Return items separated by semicolons, and how many are left out.

    Examples
    --------
    >>> enumerate_words("abcd", most=2)
    'a; b; and 2 more.'
    """
    named = list(items)
    rest = [f"and {len(named) - most:,} more"] if len(named) > most else []
    return "; ".join([*named[:most], *rest]) + "."


def every(items: Sequence[Any], most: int) -> list[Any]:
    """Return at most about ``most`` items at equal distances, with the first and the last.

    Examples
    --------
    >>> every(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(items) <= most:
        return list(items)
    step = (len(items) - 1) / (most - 1)
    return [items[round(i * step)] for i in range(most)]
