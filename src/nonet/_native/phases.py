"""Where the time of native calls goes, for benchmarks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from nonet import _core


@dataclass(frozen=True)
class PhaseTime:
    """Seconds of one phase of the core.

    Parameters
    ----------
    wall : float
        Seconds of the thread that called the core.
    in_regions : float
        Those of them in parallel regions: the rest is serial, whatever the number of threads.
    at_tasks : float
        Seconds of all threads together at the tasks of these regions.
    n_regions : int
        Number of regions: each is a time at which all threads wait for the last one.
    """

    wall: float
    in_regions: float
    at_tasks: float
    n_regions: int

    @property
    def serial(self) -> float:
        """Seconds outside parallel regions."""
        return max(self.wall - self.in_regions, 0.0)


@contextlib.contextmanager
def measure_phases() -> Iterator[dict[str, PhaseTime]]:
    """Measure the phases of the native calls inside the block, of all threads together.

    Yields
    ------
    dict of str to PhaseTime
        Filled when the block ends, by the name of the phase. Those of which nothing was called are
        left out.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet._native.data import BinnedDataset
    >>> with measure_phases() as times:
    ...     _ = BinnedDataset(np.arange(100.0)[:, np.newaxis])
    >>> list(times)
    ['binning']
    """
    times: dict[str, PhaseTime] = {}
    _core.measure_phases(True)
    try:
        yield times
    finally:
        _core.measure_phases(False)
        by_name = {name: PhaseTime(*numbers) for name, numbers in _core.phase_times().items()}
        times.update({name: time for name, time in by_name.items() if time.wall > 0})
