"""Scatter plots: points, or shaded squares where there are too many points to see each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite, log1p

from nonet._base.pictures.svg import WIDTH, element, line, picture, point_cloud
from nonet.report.figures.frame import Frame, make_frame
from nonet.report.figures.scale import spread

# More discs than this hide each other and make the page heavy.
_MOST_POINTS = 600
_N_SQUARES = 28

Points = Sequence[tuple[float, float]]


def draw_scatter(
    points: Points, *, key: str, title: str, description: str, x_label: str, y_label: str
) -> str:
    """Return a scatter plot of two quantities of one unit, with the diagonal.

    Above 600 points it shows the number of points per square.
    """
    finite = [(x, y) for x, y in points if isfinite(x) and isfinite(y)]
    both = spread([value for point in finite for value in point], 0.04)
    frame = make_frame(both, both, height=320.0)
    diagonal = line(*frame.point(both[0], both[0]), *frame.point(both[1], both[1]), "reference")
    drawn = _squares(frame, finite) if len(finite) > _MOST_POINTS else _discs(frame, finite)
    parts = [frame.axes(x_label, y_label), *drawn, diagonal]
    return picture(WIDTH, frame.height, parts, key=key, title=title, description=description)


def _discs(frame: Frame, points: Points) -> list[str]:
    return [point_cloud([frame.point(x, y) for x, y in points], "points see-through tone-0")]


def _squares(frame: Frame, points: Points) -> list[str]:
    wide = (frame.x.end - frame.x.start) / _N_SQUARES
    tall = (frame.y.start - frame.y.end) / _N_SQUARES
    counts: Counter[tuple[int, int]] = Counter()
    for x, y in points:
        left, top = frame.point(x, y)
        column = min(int((left - frame.x.start) / wide), _N_SQUARES - 1)
        counts[column, min(int((top - frame.y.end) / tall), _N_SQUARES - 1)] += 1
    most = max(counts.values())
    return [_square(frame, i, j, n / most, n, (wide, tall)) for (i, j), n in sorted(counts.items())]


def _square(
    frame: Frame, i: int, j: int, fraction: float, n: int, size: tuple[float, float]
) -> str:
    return element(
        "rect",
        element("title", f"{n:,} rows"),
        x=frame.x.start + i * size[0],
        y=frame.y.end + j * size[1],
        width=size[0],
        height=size[1],
        class_="fill-0",
        # Counts are skewed: with shades by count all squares but a few would look empty.
        style=f"fill-opacity:{0.12 + 0.88 * log1p(n) / log1p(n / fraction):.2f}",
    )
