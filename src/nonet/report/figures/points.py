"""Strips of points, one per line, shaded by a second quantity: contributions of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nonet._base.pictures.labels import fit_width, text_width
from nonet._base.pictures.svg import WIDTH, element, group, label, line, path, picture, point_cloud
from nonet.report.figures.frame import Frame
from nonet.report.figures.scale import Scale, spread

_LINE = 30.0
_NAMES = 110.0
N_SHADES = 5


@dataclass(frozen=True)
class Strip:
    """The points of one line: their values, and what shades them, from 0 to 1 or None."""

    name: str
    values: Sequence[float]
    shades: Sequence[float | None]


def draw_strips(
    strips: Sequence[Strip],
    *,
    key: str,
    title: str,
    description: str,
    x_label: str,
) -> str:
    """Return strips of points; points that would cover each other are moved up and down."""
    names = min(max(text_width(fit_width(s.name, _NAMES)) for s in strips) + 12, _NAMES + 12)
    top = 30.0
    bottom = top + _LINE * len(strips)
    values = [0.0, *(v for strip in strips for v in strip.values)]
    x = Scale(*spread(values, 0.03), names, WIDTH - 12)
    frame = Frame(x, Scale(0.0, 1.0, bottom, top), bottom + 42)
    parts = [
        *_shade_legend(),
        *(line(x.position(v), top, x.position(v), bottom, "grid") for v, _ in x.ticks()),
        line(x.position(0), top, x.position(0), bottom, "axis"),
        *(_strip(strip, x, top + _LINE * (i + 0.5)) for i, strip in enumerate(strips)),
        frame.x_axis(x_label),
    ]
    return picture(WIDTH, frame.height, parts, key=key, title=title, description=description)


def _shade_legend() -> Iterable[str]:
    right = WIDTH - 70.0
    yield label(right - 92, 14, "low value", class_="tick end")
    for shade in range(N_SHADES):
        at = right - 80 + 18 * shade
        yield path([(at, 10), (at, 10)], class_=f"points wide shade-{shade}")
    yield label(right + 4, 14, "high value", class_="tick")


def _strip(strip: Strip, x: Scale, y: float) -> str:
    by_shade: dict[str, list[tuple[float, float]]] = {}
    crowd: Counter[int] = Counter()
    for value, shade in zip(strip.values, strip.shades, strict=True):
        left = x.position(value)
        above = crowd[round(left / 4)]
        crowd[round(left / 4)] += 1
        by_shade.setdefault(_shade_class(shade), []).append((left, y + _offset(above)))
    clouds = [point_cloud(points, f"points {name}") for name, points in sorted(by_shade.items())]
    return group(
        [
            label(x.start - 8, y + 4, strip.name, width=_NAMES, class_="name end"),
            element("g", *clouds) if clouds else "",
        ]
    )


def _offset(above: int) -> float:
    """Return 0, 3, -3, 6, -6, ... within the line."""
    step = (above + 1) // 2 * 3.0
    return (step if above % 2 else -step) if step <= 12 else (above % 9 - 4) * 3.0


def _shade_class(shade: float | None) -> str:
    if shade is None:
        return "shade-none"
    return f"shade-{min(int(shade * N_SHADES), N_SHADES - 1)}"
