"""The memory of a run: what there is, what the user allows, and what a fit will take."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Any

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


# ---- What there is -------------------------------------------------------------------------------


def available_bytes(root: Path = Path("/")) -> int:
    """Return the memory that this process may still take: of the machine, or of its container.

    Parameters
    ----------
    root : Path
        Where ``proc`` and ``sys`` are.

    Returns
    -------
    int

    Examples
    --------
    >>> available_bytes() > 0
    True
    """
    of_machine = _machine_bytes(root)
    return max(1, min([of_machine, *_container_bytes(root)]))


def _machine_bytes(root: Path) -> int:
    with suppress(OSError, KeyError, ValueError, IndexError):
        lines = (root / "proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return 1024 * int(fields["MemAvailable"].split()[0])
    # Not Linux: what is free is not known without psutil, so half of the memory is presumed.
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _container_bytes(root: Path) -> Iterator[int]:
    """Yield what each control group of this process, and each of their parents, has left."""
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                names = ("memory.max", "memory.current", "inactive_file")
                yield from _groups_bytes(root / "sys/fs/cgroup", path, names)
            elif "memory" in controllers.split(","):
                names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
                yield from _groups_bytes(root / "sys/fs/cgroup/memory", path, names)


def _groups_bytes(mount: Path, path: str, names: tuple[str, str, str]) -> Iterator[int]:
    # A container may see its own group as the root, under a path that does not exist in it: the
    # folders of the path that do not exist are passed over.
    group = mount / path.lstrip("/")
    for folder in (group, *group.parents):
        if folder.is_relative_to(mount):
            with suppress(OSError, ValueError, KeyError):  # "max" is no number, and no limit
                yield _group_bytes(folder, *names)


def _group_bytes(folder: Path, limit: str, usage: str, cache: str) -> int:
    allowed = int((folder / limit).read_text())
    used = int((folder / usage).read_text())
    lines = (folder / "memory.stat").read_text().splitlines()
    reclaimable = int(dict(line.split() for line in lines)[cache])  # pages of files
    return allowed - used + reclaimable
