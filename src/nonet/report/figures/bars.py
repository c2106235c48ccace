"""Horizontal bars, one per line, with a number at their ends: importances, weights, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonet._base.pictures.labels import fit_width, text_width
from nonet._base.pictures.svg import WIDTH, element, group, label, line, picture
from nonet.report.figures.scale import Scale

_LINE = 24.0
_NAMES = 120.0


@dataclass(frozen=True)
class Bar:
    """One line of a bar chart; ``text`` is what is written at the end of the bar.

    A line whose value is None has no bar.
    """

    name: str
    value: float | None
    text: str
    error: float | None = None
    tone: int = 0
    mark: str = ""


def draw_bars(
    bars: Sequence[Bar],
    *,
    key: str,
    title: str,
    description: str,
    highest: float | None = None,
    room: float = _NAMES,
) -> str:
    """Return a bar chart with the zero line where the signs of the values need it.

    ``room`` is the most that names may take of the width.
    """
    names = min(max(text_width(fit_width(bar.name, room)) for bar in bars), room) + 12
    numbers = max(text_width(_end_text(bar)) for bar in bars) + 14
    x = _scale(bars, names, WIDTH - numbers, highest)
    height = _LINE * len(bars) + 12
    parts = [
        *(_line_of(bar, x, (names, room), 6 + _LINE * (i + 0.5)) for i, bar in enumerate(bars)),
        line(x.position(0), 4, x.position(0), height - 4, "axis"),
    ]
    return picture(WIDTH, height, parts, key=key, title=title, description=description)


def _scale(bars: Sequence[Bar], left: float, right: float, highest: float | None) -> Scale:
    known = [(bar.value, bar.error or 0.0) for bar in bars if bar.value is not None]
    low = min([value - error for value, error in known if value < 0] + [0.0])
    high = max([value + error for value, error in known] + [highest or 0.0])
    return Scale(low, high if high > low else low + 1.0, left + (30 if low < 0 else 0), right)


def _line_of(bar: Bar, x: Scale, names: tuple[float, float], y: float) -> str:
    name = label(names[0] - 8, y + 4, bar.name, width=names[1], class_="name end")
    drawn, end = ("", x.position(0)) if bar.value is None else _bar(bar, bar.value, x, y)
    number = label(end + 6, y + 4, _end_text(bar), class_="tick")
    return group([name, drawn, number], f"{bar.name}: {bar.text}")


def _bar(bar: Bar, value: float, x: Scale, y: float) -> tuple[str, float]:
    """Return the bar with its error, and where it ends."""
    start, end = sorted((x.position(0), x.position(value)))
    wide = max(end - start, 1.0)
    drawn = element("rect", x=start, y=y - 7, width=wide, height=14, class_=f"fill-{bar.tone}")
    if not bar.error:
        return drawn, end
    left, right = x.position(value - bar.error), x.position(value + bar.error)
    return drawn + line(left, y, right, y, "whisker ink"), max(end, right)


def _end_text(bar: Bar) -> str:
    return f"{bar.text} {bar.mark}".strip()
