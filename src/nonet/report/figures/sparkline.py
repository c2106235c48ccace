"""Small pictures without axes that stand in a table: the histogram of a column."""

from __future__ import annotations

from collections.abc import Sequence

from nonet._base.pictures.svg import element

_WIDTH, _HEIGHT = 96.0, 24.0


def draw_sparkline(counts: Sequence[float], description: str) -> str:
    """Return bars of the counts as one path.

    Examples
    --------
    >>> draw_sparkline([1, 2], "histogram").count("<path")
    1
    """
    wide = min(_WIDTH / max(len(counts), 1), 14.0)
    most = max([*counts, 1])
    bars = "".join(
        f"M{i * wide:.1f} {_HEIGHT:.0f}v{-max(_HEIGHT * count / most, 1):.1f}"
        f"h{wide - 1:.1f}V{_HEIGHT:.0f}z"
        for i, count in enumerate(counts)
        if count
    )
    return element(
        "svg",
        element("path", d=bars, class_="fill-5"),
        class_="sparkline",
        viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}",
        role="img",
        aria_label=description,
    )
