"""Reliability diagram: observed frequency against predicted probability, with rows per bin.

The area of a disc grows with the rows of its bin. No line joins the discs: between a bin of a
thousand rows and one of two it would show little but noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nonet._base.pictures.number_format import format_fraction, format_number
from nonet._base.pictures.svg import WIDTH, element, label, line, marker, picture
from nonet.report.figures.frame import Frame, make_frame

_BARS = 44.0
_HEIGHT = 360.0
_CENTRED = "axis-label middle"


@dataclass(frozen=True)
class ReliabilityBin:
    """A bin: the mean predicted probability, the observed frequency with its interval, the rows."""

    predicted: float
    observed: float
    n_rows: float
    low: float | None = None
    high: float | None = None


def draw_reliability(
    bins: Sequence[ReliabilityBin], *, key: str, title: str, description: str
) -> str:
    """Return the diagram; the rows per bin are bars below it, on the same x axis."""
    frame = make_frame((0.0, 1.0), (0.0, 1.0), height=_HEIGHT - _BARS - 10.0)
    most = max([one.n_rows for one in bins] + [1])
    floor = frame.y.start + 26 + _BARS
    parts = [
        replace(frame, height=_HEIGHT).axes("", "observed frequency"),
        line(*frame.point(0, 0), *frame.point(1, 1), "reference"),
        *(_whisker(frame, one) for one in bins),
        *(_point(frame, one, most) for one in bins),
        *(_bar(frame, one, floor, most) for one in bins),
        line(frame.x.start, floor, frame.x.end, floor, "axis"),
        label(WIDTH / 2, floor + 18, "predicted probability, and rows per bin", class_=_CENTRED),
    ]
    return picture(WIDTH, _HEIGHT, parts, key=key, title=title, description=description)


def _whisker(frame: Frame, one: ReliabilityBin) -> str:
    if one.low is None or one.high is None:
        return ""
    x, low = frame.point(one.predicted, one.low)
    return line(x, low, x, frame.y.position(one.high), "whisker tone-0")


def _point(frame: Frame, one: ReliabilityBin, most: float) -> str:
    text = (
        f"predicted {format_fraction(one.predicted)}, observed {format_fraction(one.observed)}, "
        f"{format_number(one.n_rows)} rows"
    )
    dot = marker(
        *frame.point(one.predicted, one.observed),
        0,
        2.5 + 4 * (one.n_rows / most) ** 0.5,
        class_="fill-0",
    )
    return element("g", element("title", text), dot)


def _bar(frame: Frame, one: ReliabilityBin, floor: float, most: float) -> str:
    tall = max(_BARS * one.n_rows / most, 1.0)
    x = frame.x.position(one.predicted)
    return element("rect", x=x - 8, y=floor - tall, width=16, height=tall, class_="fill-5")
