"""Names of columns: strings, all different, none empty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Notes = list[str] | None
"""Where sentences about repairs are collected; None if nobody wants them."""


def add_note(notes: Notes, sentence: str) -> None:
    """Append a sentence, if sentences are collected."""
    if notes is not None:
        notes.append(sentence)


def list_names(names: Sequence[str], n_shown: int = 8) -> str:
    """Return names for a message; of many, the first ones and their number.

    Examples
    --------
    >>> list_names(["size", "city"])
    "'size', 'city'"
    """
    shown = ", ".join(repr(name) for name in names[:n_shown])
    n_more = len(names) - n_shown
    return f"{shown} and {n_more} more" if n_more > 0 else shown


def count_rows(n_rows: int) -> str:
    """Return a number of rows in words.

    Examples
    --------
    >>> count_rows(1), count_rows(2)
    ('1 row', '2 rows')
    """
    return count_of(n_rows, "row")


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, which gets an s unless there is one.

    Examples
    --------
    >>> count_of(1, "column"), count_of(1200, "prediction")
    ('1 column', '1200 predictions')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def repair_names(names: Sequence[Any], notes: Notes = None) -> tuple[str, ...]:
    """Return names as different strings; what had to be changed is noted.

    Parameters
    ----------
    names : sequence
        Names as a frame or the first line of a file has them; pandas' names of several levels are
        joined by "_".
    notes : list of str, optional
        Gets a sentence for each repair.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> notes = []
    >>> repair_names(["size", "", "size"], notes)
    ('size', 'column_2', 'size_2')
    >>> notes[1]
    "The name 'size' stood twice: column 3 is called 'size_2'."
    """
    plain = [_as_text(name) for name in names]
    taken = set(plain)
    repaired: list[str] = []
    for position, name in enumerate(plain, 1):
        if not name:
            name = _free_name(f"column_{position}", taken)
            add_note(notes, f"Column {position} had no name: it is called {name!r}.")
        elif name in repaired:
            former, name = name, _free_name(name, taken)
            add_note(
                notes, f"The name {former!r} stood twice: column {position} is called {name!r}."
            )
        taken.add(name)
        repaired.append(name)
    return tuple(repaired)


def _as_text(name: Any) -> str:
    if isinstance(name, tuple):
        return "_".join(str(level) for level in name if str(level))
    return "" if name is None else str(name).strip()


def _free_name(name: str, taken: set[str]) -> str:
    """Return the name, or the first of name_2, name_3, ... that no column has."""
    free, number = name, 2
    while free in taken:
        free, number = f"{name}_{number}", number + 1
    return free
