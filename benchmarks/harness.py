"""Timing pieces that the benchmarks share.

Contenders are timed in turns (all of them once, then all of them again), so that a slow moment of
the machine falls on everyone, and the minimum time of each counts. Processor time stands beside
wall time: it shows threads, and it is not disturbed by other programs as much.
"""

from __future__ import annotations

import gc
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Contender:
    """Something to time; `scale` > 1 means that it does only 1/scale of the work."""

    name: str
    run: Callable[[], object]
    scale: float = 1.0


@dataclass(frozen=True)
class Timing:
    """Minimum wall and processor seconds, scaled to the whole work."""

    name: str
    wall: float
    processor: float
    scale: float


# Every contender starts from the same rest. Threads of OpenBLAS and OpenMP may spin for a while
# after their work is done; how much that matters here has not been shown.
REST_SECONDS = 0.2


def time_once(contender: Contender, rest: float = REST_SECONDS) -> Timing:
    clear_what_others_left()
    time.sleep(rest)
    wall, processor = time.perf_counter(), time.process_time()
    _kept = contender.run()  # to free it is not what is timed
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    scale = contender.scale
    return Timing(contender.name, wall * scale, processor * scale, scale)


def clear_what_others_left() -> None:
    """Let nobody pay for the garbage of the contender before.

    Objects in cycles wait for the collector, and thousands of freed blocks for the next large
    request, which sorts them all: a third of a millisecond after a model of LightGBM.
    """
    gc.collect()
    bytes(1 << 16)


def race(
    contenders: Sequence[Contender],
    n_repeats: int,
    *,
    patience: float = math.inf,
    seconds: float = 8.0,
) -> list[Timing]:
    """Time contenders in turns; give the best of each, in their order.

    A quick race runs more often than requested, up to so many seconds: short times vary the most,
    and the speed of memory on a shared machine goes up and down over seconds. Who takes more
    seconds than `patience` has one turn. A race of one turn only shows that everyone runs, and
    takes no rests.
    """
    rest = REST_SECONDS if n_repeats > 1 else 0.0
    found: list[list[Timing]] = [[] for _ in contenders]
    start = time.perf_counter()
    n_rounds = 0
    while n_rounds < n_repeats or (n_repeats > 1 and time.perf_counter() < start + seconds):
        for contender, timings in zip(contenders, found, strict=True):
            if not timings or timings[0].wall / timings[0].scale <= patience:
                timings.append(time_once(contender, rest))
        n_rounds += 1
    return [best(timings) for timings in found]


def best(timings: Iterable[Timing]) -> Timing:
    timings = list(timings)
    return Timing(
        timings[0].name,
        min(timing.wall for timing in timings),
        min(timing.processor for timing in timings),
        timings[0].scale,
    )


@contextmanager
def reader(numbers: np.ndarray, n_threads: int) -> Iterator[Contender]:
    """Give a contender that only reads an array from memory, by NumPy's sum of long slices."""
    parts = np.array_split(numbers.reshape(-1), n_threads)
    with ThreadPoolExecutor(n_threads) as executor:
        yield Contender("read", lambda: list(executor.map(np.sum, parts)))


def peak_memory() -> int:
    """Return the peak resident size of this process so far, in bytes.

    The system call for it (getrusage) would not do: a new process inherits its parent's peak there.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        raise RuntimeError("Peak memory is read from /proc/self/status, which only Linux has.")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def peak_in_own_process(script: str, facts: Sequence[object]) -> int:
    """Let a script measure one peak in a process of its own: it prints the bytes last.

    It is called with ``--peak`` and the facts as JSON, and reports by `print_peak_of`.
    """
    command = [sys.executable, script, "--peak", json.dumps(facts)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(output.split()[-1])


def print_peak_of(run: Callable[[], object]) -> None:
    """Print by how many bytes a run lifts the peak above what is resident before it."""
    # Without a new start, a higher peak while the data were made would hide part of the run.
    Path("/proc/self/clear_refs").write_text("5")
    before = peak_memory()
    kept = run()
    print(peak_memory() - before)
    del kept  # held until the peak was read


def processor_name() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def version_of(package: str) -> str:
    """Give the version of a distribution, or of the one that brings the module of this name."""
    try:
        return version(package)
    except PackageNotFoundError:
        return version(packages_distributions()[package][0])


def machine(packages: Sequence[str]) -> str:
    """Return one sentence about the machine of the measurements."""
    versions = ", ".join(f"{name} {version_of(name)}" for name in packages)
    return (
        f"{processor_name()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}, {versions}"
    )


def timing_rows(
    races: dict[str, list[Timing]], *, digits: int, ratio_digits: int = 1
) -> list[list[str]]:
    """Write milliseconds of wall and processor time, each also as times those of the first."""
    return [
        [
            title if position == 0 else "",
            timing.name,
            f"{1e3 * timing.wall:,.{digits}f}",
            f"{1e3 * timing.processor:,.{digits}f}",
            f"{timing.wall / timings[0].wall:.{ratio_digits}f}",
            f"{timing.processor / timings[0].processor:.{ratio_digits}f}",
        ]
        for title, timings in races.items()
        for position, timing in enumerate(timings)
    ]


def markdown_table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, n_labels: int = 1
) -> str:
    """Lay out a table whose columns after the labels are numbers."""
    marks = ["---"] * n_labels + ["---:"] * (len(header) - n_labels)
    lines = [header, marks, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
