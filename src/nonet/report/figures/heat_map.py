"""Heat map of a table of numbers: correlations of errors, disagreement."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from nonet._base.pictures.labels import fit_width, text_width
from nonet._base.pictures.number_format import format_fixed
from nonet._base.pictures.svg import WIDTH, element, label, picture

_NAMES = 100.0
_TOP = 22.0
# Above this many columns a number no longer fits into its cell.
_MOST_WITH_NUMBERS = 8
N_SHADES = 10

Matrix = Sequence[Sequence[float | None]]


def draw_heat_map(
    names: Sequence[str], values: Matrix, *, key: str, title: str, description: str
) -> str:
    """Return a heat map of a square matrix; negative values have another colour.

    The shade is the value as a fraction of the largest one off the diagonal. It never gets so
    dark that the number in the cell could not be read. Columns are numbered as the rows are.
    """
    left = min(max(text_width(fit_width(name, _NAMES)) for name in names) + 36, _NAMES + 36)
    side = (WIDTH - left - 4) / len(names)
    tall = min(side, 34.0)
    parts = [
        *(label(left + side * (j + 0.5), 14, j + 1, class_="tick middle") for j in _seen(names)),
        *(_row_name(i, name, left, _TOP + tall * (i + 0.5)) for i, name in enumerate(names)),
        *_cells(values, left, side, tall),
    ]
    if len(names) <= _MOST_WITH_NUMBERS:
        parts += _numbers(values, left, side, tall)
    height = _TOP + 6 + tall * len(names)
    return picture(WIDTH, height, parts, key=key, title=title, description=description)


def shade_of(value: float | None, most: float) -> int:
    """Return the shade of a value: 0 for none, up to ``N_SHADES``.

    Examples
    --------
    >>> shade_of(0.5, 1.0), shade_of(None, 1.0), shade_of(3.0, 1.0)
    (5, 0, 10)
    """
    if value is None or not isfinite(value) or most <= 0:
        return 0
    return min(round(abs(value) / most * N_SHADES), N_SHADES)


def _seen(names: Sequence[str]) -> range:
    return range(0, len(names), 1 + len(names) // 16)


def _row_name(i: int, name: str, left: float, y: float) -> str:
    return label(left - 8, y + 4, i + 1, class_="tick end") + label(
        left - 28, y + 4, name, width=_NAMES, class_="name end"
    )


def _cells(values: Matrix, left: float, side: float, tall: float) -> list[str]:
    """Return one path per shade, because an element per cell would be heavy."""
    most = _largest(values)
    boxes: dict[str, list[str]] = {}
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            tone = 1 if value is not None and value < 0 else 0
            box = f"M{left + side * j:.1f} {_TOP + tall * i:.1f}h{side - 1:.1f}v{tall - 1:.1f}"
            shade = f"heat-{shade_of(value, most)} fill-{tone}"
            boxes.setdefault(shade, []).append(f"{box}h{1 - side:.1f}z")
    return [element("path", d="".join(box), class_=name) for name, box in sorted(boxes.items())]


def _numbers(values: Matrix, left: float, side: float, tall: float) -> list[str]:
    return [
        label(
            left + side * (j + 0.5) - 0.5,
            _TOP + tall * (i + 0.5) + 3.5,
            "" if value is None else format_fixed(value, 2),
            class_="cell-number middle",
        )
        for i, row in enumerate(values)
        for j, value in enumerate(row)
    ]


def _largest(values: Matrix) -> float:
    off = [
        abs(value)
        for i, row in enumerate(values)
        for j, value in enumerate(row)
        if i != j and value is not None and isfinite(value)
    ]
    return max(off, default=1.0)
