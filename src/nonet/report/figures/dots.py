"""Dots with error bars, one per line: scores of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonet._base.pictures.labels import fit_width, text_width
from nonet._base.pictures.svg import WIDTH, group, label, line, marker, picture
from nonet.report.figures.frame import Frame
from nonet.report.figures.scale import Scale, spread

_LINE = 24.0
_NAMES = 120.0


@dataclass(frozen=True)
class Dot:
    """One line of a dot plot; ``strong`` marks the line that the plot is about.

    A line whose value is None has its name alone.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    strong: bool = False
    detail: str = ""

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the error bar, or the value twice; None without a value."""
        if self.value is None:
            return None
        low = self.value if self.low is None else self.low
        return low, self.value if self.high is None else self.high


def dot_with_error(
    name: str, value: float | None, error: float | None, *, strong: bool = False, detail: str = ""
) -> Dot:
    """Return a dot with an error bar of one standard error on each side."""
    if error is None or value is None:
        return Dot(name, value, strong=strong, detail=detail)
    return Dot(name, value, value - error, value + error, strong, detail)


def draw_dots(
    dots: Sequence[Dot],
    *,
    key: str,
    title: str,
    description: str,
    x_label: str,
    marked: float | None = None,
    room: float = _NAMES,
) -> str:
    """Return a dot plot; a vertical line marks ``marked``, or the value of the strong dot.

    ``room`` is the most that names may take of the width.
    """
    edges: list[float | None] = [v for dot in dots for v in dot.ends or ()]
    edges.append(marked)
    names = min(max(_name_width(dot, room) for dot in dots), room) + 14
    bottom = 8.0 + _LINE * len(dots)
    x = Scale(*spread(edges, 0.08), names, WIDTH - 16)
    frame = Frame(x, Scale(0.0, 1.0, bottom, 8.0), bottom + 42)
    parts = [
        *(line(x.position(v), 8, x.position(v), bottom, "grid") for v, _ in x.ticks()),
        *_reference(dots, x, bottom, marked),
        *(_line_of(dot, x, room, 8 + _LINE * (i + 0.5)) for i, dot in enumerate(dots)),
        frame.x_axis(x_label),
    ]
    return picture(WIDTH, frame.height, parts, key=key, title=title, description=description)


def _reference(dots: Sequence[Dot], x: Scale, bottom: float, marked: float | None) -> list[str]:
    strong = [dot.value for dot in dots if dot.strong and dot.value is not None]
    values = strong if marked is None else [marked]
    return [line(x.position(v), 8, x.position(v), bottom, "reference") for v in values[:1]]


def _name_width(dot: Dot, room: float) -> float:
    return text_width(fit_width(dot.name, room)) * (1.12 if dot.strong else 1.0)


def _line_of(dot: Dot, x: Scale, room: float, y: float) -> str:
    tone = 0 if dot.strong else 5
    parts = [
        label(
            x.start - 10,
            y + 4,
            dot.name,
            width=room / (1.12 if dot.strong else 1.0),
            class_="name end" + " bold" * dot.strong,
        )
    ]
    if dot.ends and dot.ends[0] < dot.ends[1]:
        left, right = map(x.position, dot.ends)
        parts.append(line(left, y, right, y, f"whisker tone-{tone}"))
    if dot.value is not None:
        shape = 0 if dot.strong else 1
        parts.append(marker(x.position(dot.value), y, shape, 4.5, class_=f"fill-{tone}"))
    return group(parts, dot.detail)
