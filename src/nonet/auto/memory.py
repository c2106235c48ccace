"""The memory of a run: what the user allows, and what a fit will take."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from math import ceil
from typing import Any

from nonet._base.memory import available_bytes
from nonet._base.params import bad_parameter

_UNITS = {"": 1, "b": 1}
_UNITS |= {f"{letter}b": 1000**power for power, letter in enumerate("kmgt", 1)}
_UNITS |= {f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", 1)}
_SIZE = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-zA-Z]*)\s*")
_MAX_HISTOGRAMS = 256 * 1024**2  # of one grower
_MAX_BRANCH_BINS = 16 * 1024**2  # per thread


def read_memory_limit(memory_limit: Any, owner: Any = "AutoEnsemble") -> int:
    """Return a limit of memory in bytes.

    Parameters
    ----------
    memory_limit : int, float, str or None
        Bytes, or a number with a unit such as ``"4 GB"`` or ``"512MiB"``; None is what is available
        now.
    owner : estimator or str
        Whose parameter it is, for the message.

    Returns
    -------
    int

    Examples
    --------
    >>> read_memory_limit("4 GB"), read_memory_limit("1.5 MiB"), read_memory_limit(100)
    (4000000000, 1572864, 100)
    >>> read_memory_limit("4 pounds")
    Traceback (most recent call last):
        ...
    nonet._base.errors.ParameterError: AutoEnsemble: parameter 'memory_limit' must be None, a
    positive number of bytes, or text such as '4 GB' or '512 MiB', but got '4 pounds'.
    """
    if memory_limit is None:
        return available_bytes()
    found = None if isinstance(memory_limit, bool) else _SIZE.fullmatch(_plain_text(memory_limit))
    if found is not None and found[2].lower() in _UNITS:
        n_bytes = int(min(float(found[1]) * _UNITS[found[2].lower()], sys.maxsize))
        if n_bytes > 0:
            return n_bytes
    allowed = "None, a positive number of bytes, or text such as '4 GB' or '512 MiB'"
    raise bad_parameter(owner, "memory_limit", allowed, memory_limit)


def _plain_text(size: Any) -> str:
    with suppress(TypeError, ValueError, OverflowError):  # infinities and NaN, too
        return size if isinstance(size, str) else str(int(size))
    return ""


# ---- What a fit will take ------------------------------------------------------------------------


def predict_bytes(
    n_rows: int,
    n_columns: int,
    n_scores: int,
    n_threads: int,
    n_bags: int,
    *,
    n_leaves: int = 255,
) -> int:
    """Return the memory that boosted trees take in addition to their input.

    This is the formula of the page on architecture, with the larger of two values wherever the data
    decides: rows that are wide, columns whose bins are all stored, random thresholds.

    Parameters
    ----------
    n_rows, n_columns : int
        The table of the fit.
    n_scores : int
        Trees per round: the number of classes if there are more than two, otherwise 1.
    n_threads : int
        Threads of the fit.
    n_bags : int
        Boosters on bags of rows, which share the binned columns; 1 without bags.
    n_leaves : int, default=255
        Maximum number of leaves of a tree.

    Returns
    -------
    int
        Bytes.

    Examples
    --------
    >>> round(predict_bytes(1_000_000, 50, 1, n_threads=2, n_bags=1) / 1e6)
    261
    """
    words_per_row = ceil(n_columns / 8)
    bins = n_rows * (n_columns + 8 * words_per_row)
    branch = min(16 * n_rows * words_per_row, _MAX_BRANCH_BINS * n_threads)
    histograms = min(4160 * n_columns * (n_leaves + 1), _MAX_HISTOGRAMS)
    grower = n_rows * (8 + 32) + branch + histograms + 2048 * n_columns * n_threads
    n_growers = min(n_scores, n_threads)  # trees of several classes grow side by side
    # Bags predict the rows that they left out, to choose the number of rounds: measured.
    held_out = 64 * n_rows * n_scores if n_bags > 1 else 0
    return bins + held_out + n_bags * (n_growers * grower + 28 * n_rows * n_scores)


# ---- What was taken ------------------------------------------------------------------------------


def peak_bytes() -> int:
    """Return the most memory that this process has held; 0 where the system does not report it.

    Examples
    --------
    >>> peak_bytes() >= 0
    True
    """
    try:
        import resource  # not on Windows
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
