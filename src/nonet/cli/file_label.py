"""How tables are called in what is printed."""

from __future__ import annotations

from pathlib import Path

STANDARD_INPUT = "-"
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")


def label_of(table: str) -> str:
    """Return the name of a table's file.

    Examples
    --------
    >>> label_of("data/churn.csv"), label_of("-")
    ('churn.csv', 'standard input')
    """
    return "standard input" if table == STANDARD_INPUT else Path(table).name


def stem_of(table: str) -> str:
    """Return the name of a table's file without its endings.

    Examples
    --------
    >>> stem_of("data/churn.v2.csv.gz"), stem_of("-")
    ('churn.v2', 'table')
    """
    if table == STANDARD_INPUT:
        return "table"
    path = Path(table)
    if path.suffix.lower() in _COMPRESSED:
        path = path.with_suffix("")
    return path.stem
