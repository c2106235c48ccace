"""Lines over a common x axis, with bands, points, and marks: curves of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from nonet._base.pictures.svg import WIDTH, element, label, line, marker, path, picture
from nonet.report.figures.frame import DASHES, Frame, legend, make_frame
from nonet.report.figures.scale import spread

Values = Sequence[float | None]


@dataclass(frozen=True)
class Line:
    """One line; ``low`` and ``high`` are the edges of its band."""

    name: str
    x: Values
    y: Values
    low: Values = ()
    high: Values = ()
    points: bool = False


@dataclass(frozen=True)
class Marks:
    """What a plot of lines shows besides.

    ``verticals`` and ``horizontals`` are reference lines with their names, ``behind`` are thin
    lines, ``density`` is the fraction of rows near each x of the first line, and ``x_ticks`` are
    ticks with labels of their own, such as dates.
    """

    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    verticals: Sequence[tuple[float | None, str]] = ()
    horizontals: Sequence[tuple[float | None, str]] = ()
    diagonal: bool = False
    behind: Sequence[Line] = ()
    density: Values = ()
    x_ticks: Sequence[tuple[float, str]] = ()


def draw_lines(
    lines: Sequence[Line],
    *,
    key: str,
    title: str,
    description: str,
    x_label: str,
    y_label: str,
    marks: Marks | None = None,
) -> str:
    """Return a plot of lines."""
    marks = marks or Marks()
    drawn_as: Literal["lines", "points"] = "points" if any(o.points for o in lines) else "lines"
    above, height = legend([one.name for one in lines], drawn_as=drawn_as)
    frame = make_frame(
        marks.x_range or spread([v for one in lines for v in one.x], 0.02),
        marks.y_range or _y_range(lines, marks),
        height=250 + height,
        top=26 + height,
    )
    parts = [
        above,
        frame.axes(x_label, y_label, x_ticks=marks.x_ticks),
        *(_density(frame, lines[0].x, marks.density) if len(marks.density) else []),
        *_references(frame, marks, lines),
        *(_band(frame, one, tone) for tone, one in enumerate(lines) if len(one.low)),
        *(_curve(frame, one, tone) for tone, one in enumerate(lines)),
    ]
    return picture(WIDTH, frame.height, parts, key=key, title=title, description=description)


def _y_range(lines: Sequence[Line], marks: Marks) -> tuple[float, float]:
    shown = [*lines, *marks.behind]
    values = [v for one in shown for part in (one.y, one.low, one.high) for v in part]
    return spread([*values, *(value for value, _ in marks.horizontals)], 0.08)


def _references(frame: Frame, marks: Marks, lines: Sequence[Line]) -> list[str]:
    parts = [_vertical(frame, v, text) for v, text in marks.verticals if v is not None]
    parts += [_horizontal(frame, v, text, lines) for v, text in marks.horizontals if v is not None]
    if marks.diagonal:
        low = max(frame.x.low, frame.y.low)
        high = min(frame.x.high, frame.y.high)
        if low < high:
            parts.append(line(*frame.point(low, low), *frame.point(high, high), "reference"))
    return parts + [_thin(frame, one) for one in marks.behind]


def _vertical(frame: Frame, value: float, text: str) -> str:
    x = frame.x.position(value)
    side, shift = ("end", -5) if x > WIDTH * 0.6 else ("start", 5)
    return line(x, frame.y.start, x, frame.y.end, "reference") + label(
        x + shift, frame.y.start - 7, text, width=200, class_=f"tick {side} halo"
    )


def _horizontal(frame: Frame, value: float, text: str, lines: Sequence[Line]) -> str:
    """Return a reference line; its name is at the right if a curve is in the way at the left."""
    y = frame.y.position(value)
    firsts = [known[0][1] for known in (_known(one.x, one.y) for one in lines) if known]
    is_free = max(firsts, default=value) <= value
    side, x = ("start", frame.x.start + 3) if is_free else ("end", frame.x.end - 3)
    return line(frame.x.start, y, frame.x.end, y, "reference") + label(
        x, y - 5, text, width=260, class_=f"tick {side} halo"
    )


def _thin(frame: Frame, one: Line) -> str:
    points = [frame.point(x, y) for x, y in _known(one.x, one.y)]
    return path(points, class_="thin") if points else ""


def _density(frame: Frame, x: Values, density: Values) -> list[str]:
    pairs = _known(x, density)
    most = max((n for _, n in pairs), default=0.0) or 1.0
    bars = []
    for value, n in pairs:
        left, tall = frame.x.position(value), 16.0 * n / most
        bars.append(
            element("rect", x=left - 2, y=frame.y.start - tall, width=4, height=tall, class_="rug")
        )
    return bars


def _band(frame: Frame, one: Line, tone: int) -> str:
    below, above = _known(one.x, one.low), _known(one.x, one.high)
    points = [frame.point(x, y) for x, y in [*below, *above[::-1]]]
    return path(points, closed=True, class_=f"band fill-{tone % 6}") if points else ""


def _curve(frame: Frame, one: Line, tone: int) -> str:
    points = [frame.point(x, y) for x, y in _known(one.x, one.y)]
    if not points:
        return ""
    dash = DASHES[tone % len(DASHES)]
    drawn = path(points, class_=f"line tone-{tone % 6} {dash}".strip())
    if one.points or len(points) == 1:
        drawn += "".join(marker(x, y, tone, 3.5, class_=f"fill-{tone % 6}") for x, y in points)
    return drawn


def _known(x: Values, y: Values) -> list[tuple[float, float]]:
    """Return the points of which both numbers are known."""
    return [
        (float(a), float(b))
        for a, b in zip(x, y, strict=True)
        if a is not None and b is not None and isfinite(a) and isfinite(b)
    ]
