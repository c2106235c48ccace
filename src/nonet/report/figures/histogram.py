"""Histograms of one or two groups of values, upright, with shared bins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonet._base.pictures.number_format import format_number
from nonet._base.pictures.svg import WIDTH, element, label, line, picture
from nonet.report.figures.frame import Frame, legend, make_frame


@dataclass(frozen=True)
class Counts:
    """The counts of one group of values in the bins of a histogram."""

    name: str
    counts: Sequence[float]


def draw_histogram(
    edges: Sequence[float],
    groups: Sequence[Counts],
    *,
    key: str,
    title: str,
    description: str,
    x_label: str,
    y_label: str = "rows",
    marked: float | None = None,
) -> str:
    """Return a histogram; the bars of several groups stand on each other."""
    totals = [sum(group.counts[i] for group in groups) for i in range(len(edges) - 1)]
    above, height = legend([group.name for group in groups], drawn_as="boxes")
    frame = make_frame(
        (edges[0], edges[-1] if edges[-1] > edges[0] else edges[0] + 1),
        (0.0, max([*totals, 1.0]) * 1.05),
        height=236 + height,
        top=26 + height,
    )
    parts = [above, frame.axes(x_label, y_label), *_bars(frame, edges, groups)]
    if marked is not None and edges[0] <= marked <= edges[-1]:
        parts.append(_mark(frame, marked))
    return picture(WIDTH, frame.height, parts, key=key, title=title, description=description)


def _bars(frame: Frame, edges: Sequence[float], groups: Sequence[Counts]) -> list[str]:
    parts, below = [], [0.0] * (len(edges) - 1)
    for tone, group in enumerate(groups):
        for i, count in enumerate(group.counts):
            if count:
                parts.append(_bar(frame, edges[i : i + 2], below[i], count, tone))
            below[i] += count
    return parts


def _bar(frame: Frame, ends: Sequence[float], below: float, count: float, tone: int) -> str:
    left, low = frame.point(ends[0], below)
    right, high = frame.point(ends[1], below + count)
    tooltip = element("title", f"{format_number(ends[0])} to {format_number(ends[1])}: {count:g}")
    return element(
        "rect",
        tooltip,
        x=left + 0.5,
        y=high,
        width=max(right - left - 1, 0.6),
        height=max(low - high, 0.6),
        class_=f"fill-{tone}",
    )


def _mark(frame: Frame, value: float) -> str:
    x = frame.x.position(value)
    side = "end" if x > WIDTH * 0.7 else "start"
    text_x = x - 5 if side == "end" else x + 5
    return line(x, frame.y.start, x, frame.y.end, "reference") + label(
        text_x, frame.y.end + 10, format_number(value), class_=f"tick {side}"
    )
