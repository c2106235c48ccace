"""Which rows a report reads: all of them, or a random sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Codes
from nonet.report.wording import some_of


def sample_positions(n_rows: int, max_rows: int, random_state: int) -> Codes:
    """Return the positions of a random sample of rows in increasing order; all if they are few.

    Parameters
    ----------
    n_rows, max_rows, random_state : int

    Returns
    -------
    positions : ndarray of int

    Examples
    --------
    >>> sample_positions(3, 5, random_state=0)
    array([0, 1, 2])
    >>> len(sample_positions(1000, 5, random_state=0))
    5
    """
    if n_rows <= max_rows:
        return np.arange(n_rows)
    chosen = np.random.default_rng(random_state).choice(n_rows, max_rows, replace=False)
    return np.sort(chosen)


def sampling_facts(
    n_rows: int, n_sampled: int, rows: str, source: str, settings: dict[str, int]
) -> dict[str, Any]:
    """Return which rows the report reads.

    Parameters
    ----------
    n_rows, n_sampled : int
        Rows there are, and rows that are read.
    rows : str
        All rows in words.
    source : str
        'held-out rows', 'new rows' or 'rows given to the report'.
    settings : dict
        ``max_rows`` and ``random_state``.

    Returns
    -------
    facts : dict
    """
    words = some_of(n_sampled, rows)
    is_held_out = source == "held-out rows"
    exact = " The score is from all of them." if is_held_out else ""
    all_of = f"All numbers are from {words}."
    part = f"Tables and pictures are from {words}.{exact}"
    return {
        "n_rows": n_rows,
        "n_sampled": n_sampled,
        "is_sampled": n_sampled < n_rows,
        **settings,
        "are_held_out": is_held_out,
        "source": source,
        "rows": words,
        "sentence": part if n_sampled < n_rows else all_of,
    }
