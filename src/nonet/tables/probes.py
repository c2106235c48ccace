"""Probes: warnings about a table before anything is fitted; none of them drops a thing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonet.tables.column_names import count_rows
from nonet.tables.target import Target

_N_SHOWN = 8


@dataclass(frozen=True)
class TableWarning:
    """Something about a table that a user should know.

    Attributes
    ----------
    what : str
        The probe, such as 'rare classes'.
    columns : tuple of str
        The columns that it is about.
    sentence : str
        What was found, and what to do about it.

    Examples
    --------
    >>> TableWarning("leak", ("refund",), "Column 'refund' decides the target.").columns
    ('refund',)
    """

    what: str
    columns: tuple[str, ...]
    sentence: str


def rare_classes(target: Target, n_folds: int) -> list[TableWarning]:
    """Return a warning about classes that have fewer rows than there are folds.

    Parameters
    ----------
    target : Target
        The target.
    n_folds : int
        The number of folds.

    Returns
    -------
    list of TableWarning

    Examples
    --------
    >>> from nonet.tables.target import understand_target
    >>> target = understand_target(np.array([0, 1] * 20 + [2]), "y", "classification")
    >>> rare_classes(target, n_folds=5)[0].sentence
    "Classes with fewer rows than the 5 folds cannot be in all of them: '2' (1 row)."
    """
    if target.classes is None:
        return []
    counts = np.bincount(target.values, minlength=len(target.classes))
    rare = np.flatnonzero(counts < n_folds)
    if not rare.size:
        return []
    shown = rare[:_N_SHOWN]
    counted = [f"{str(target.classes[code])!r} ({count_rows(counts[code])})" for code in shown]
    more = f" and {rare.size - _N_SHOWN} more" if rare.size > _N_SHOWN else ""
    sentence = (
        f"Classes with fewer rows than the {n_folds} folds cannot be in all of them: "
        f"{', '.join(counted)}{more}."
    )
    return [TableWarning("rare classes", (target.name,), sentence)]
