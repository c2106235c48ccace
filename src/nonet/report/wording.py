"""Phrases of the report: rows in words, numbers in sentences."""

from __future__ import annotations

import re

_FIRST_NUMBER = re.compile(r"^\d+")

LOSS_NAMES = {
    "log_loss": "log loss",
    "zero_one": "fraction of errors",
    "squared_error": "squared error",
    "brier": "Brier score",
}


def with_commas(rows: str) -> str:
    """Return rows in words with their number as 1,234.

    Examples
    --------
    >>> with_commas("1200 held-out rows of 5 folds")
    '1,200 held-out rows of 5 folds'
    """
    return _FIRST_NUMBER.sub(lambda found: f"{int(found.group()):,}", rows)


def some_of(n_some: int, rows: str) -> str:
    """Return in words that some of the rows were sampled; the same words if it is all of them.

    Examples
    --------
    >>> some_of(500, "1,200 held-out rows of 5 folds")
    '500 of 1,200 held-out rows of 5 folds, sampled at random'
    >>> some_of(200, "500 of 1,200 new rows, sampled at random")
    '200 of 1,200 new rows, sampled at random'
    """
    start = f"{n_some:,} "
    if rows.startswith(start):
        return rows
    whole = rows.removesuffix(", sampled at random")
    return f"{start}of {whole.partition(' of ')[2] if whole != rows else rows}, sampled at random"


def number(value: float | None) -> str:
    """Return a number for a sentence: four digits.

    Examples
    --------
    >>> number(0.123456), number(12345.6), number(None)
    ('0.1235', '12,346', 'not known')
    """
    if value is None:
        return "not known"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
