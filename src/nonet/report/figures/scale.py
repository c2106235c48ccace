"""Scales: from a range of numbers to a range of pixels, with round ticks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from nonet._base.pictures.number_format import tick_label


@dataclass(frozen=True)
class Scale:
    """A linear scale.

    Examples
    --------
    >>> scale = Scale(0.0, 1.0, 40.0, 240.0)
    >>> scale.position(0.5), scale.ticks(3)
    (140.0, [(0.0, '0'), (0.5, '0.5'), (1.0, '1')])
    """

    low: float
    high: float
    start: float
    end: float

    def position(self, value: float) -> float:
        """Return the pixel of a value; values outside of the range are moved to its ends."""
        kept = min(max(value, self.low), self.high)
        return self.start + (kept - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, n: int = 6) -> list[tuple[float, str]]:
        """Return about ``n`` round values in the range, with their labels."""
        step = _round_step((self.high - self.low) / max(n - 1, 1))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [(i * step, tick_label(i * step, step)) for i in range(first, last + 1)]


def spread(values: Iterable[float | None], padding: float = 0.05) -> tuple[float, float]:
    """Return a range that holds all finite values, with room at both ends.

    Examples
    --------
    >>> spread([1.0, None, 3.0], padding=0.5), spread([]), spread([2.0])
    ((0.0, 4.0), (0.0, 1.0), (1.0, 3.0))
    """
    finite = [float(v) for v in values if v is not None and isfinite(v)]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        room = abs(low) / 2 or 1.0
        return low - room, high + room
    return low - padding * (high - low), high + padding * (high - low)


def _round_step(step: float) -> float:
    power = 10.0 ** floor(log10(step))
    return float(next(m for m in (1, 2, 2.5, 5, 10) if m * power >= step * 0.999) * power)
