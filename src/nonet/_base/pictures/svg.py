"""Elements of SVG as text. Attributes and text are escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from nonet._base.pictures.labels import clean, fit_width

# Narrow enough for a phone, on which letters keep about their size.
WIDTH = 360.0
LETTER = 12.0


def element(name: str, *children: str, **attributes: Any) -> str:
    """Return an element; ``children`` are markup, attributes are escaped.

    An underscore in the name of an attribute is written as a hyphen, one at its end is left out
    (``class_``), and an attribute that is None is left out.

    Examples
    --------
    >>> element("circle", r=2.04, class_="tone-0", data_name='a"b')
    '<circle r="2" class="tone-0" data-name="a&quot;b"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{''.join(children)}</{name}>"


def picture(
    width: float, height: float, parts: Iterable[str], *, key: str, title: str, description: str
) -> str:
    """Return a whole picture, named for screen readers by ``title`` and ``description``."""
    return element(
        "svg",
        element("title", escape(clean(title)), id=f"{key}-title"),
        element("desc", escape(clean(description)), id=f"{key}-desc"),
        *parts,
        class_="picture",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        style=f"max-width:{_value(width * 1.2)}px",
    )


def label(x: float, y: float, text: Any, *, width: float | None = None, **attributes: Any) -> str:
    """Return text at a point, shortened to ``width``; the full text is then its tooltip."""
    full = clean(text)
    shown = full if width is None else fit_width(full, width, LETTER)
    tooltip = "" if shown == full else element("title", escape(full))
    return element("text", tooltip + escape(shown), x=x, y=y, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """Return a straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def path(points: Iterable[tuple[float, float]], *, closed: bool = False, **attributes: Any) -> str:
    """Return a line through points."""
    body = "L".join(f"{_value(x)},{_value(y)}" for x, y in points)
    return element("path", d=f"M{body}{'Z' if closed else ''}", **attributes)


def point_cloud(points: Iterable[tuple[float, float]], class_: str) -> str:
    """Return many points as one path of lines without length, whose round ends are the discs.

    An element per point would take four times the bytes.
    """
    return element(
        "path", d="".join(f"M{_value(x)} {_value(y)}h0" for x, y in points), class_=class_
    )


def group(parts: Iterable[str], tooltip: str = "") -> str:
    """Return elements that belong together, with a tooltip for all of them."""
    title = element("title", escape(clean(tooltip))) if tooltip else ""
    return element("g", title, *parts)


def marker(x: float, y: float, shape: int = 0, size: float = 4.0, **attributes: Any) -> str:
    """Return a disc, square, diamond or triangle, so that colour is never the only difference."""
    if shape % 4 == 0:
        return element("circle", cx=x, cy=y, r=size, **attributes)
    offsets = _SHAPES[shape % 4]
    corners = [(x + dx * size, y + dy * size) for dx, dy in offsets]
    return path(corners, closed=True, **attributes)


_SHAPES = {
    1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    2: ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    3: ((0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
}


def _value(value: Any) -> str:
    if isinstance(value, float):
        text = f"{value:.1f}".removesuffix(".0")
        return "0" if text == "-0" else text
    return str(value)
