"""Figures of the table: the distribution of the target, and of each column in small."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from nonet._base.pictures.labels import shorten
from nonet._base.pictures.number_format import format_fraction, format_number
from nonet.report.drawings.view import Facts, View, enumerate_words
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.histogram import Counts, draw_histogram
from nonet.report.figures.sparkline import draw_sparkline
from nonet.report.markup import name, number, percent

_MOST_CLASSES = 20


def draw_target(part: Facts, key: str) -> View | None:
    """Draw the classes of the target as bars, or its values as a histogram."""
    if part["kind"] == "classes":
        return _draw_classes(part, key)
    return _draw_values(part, key) if part["histogram"] else None


def draw_column(column: Facts) -> Markup:
    """Draw a column of the table in small: a histogram, or its most frequent levels."""
    histogram = column.get("histogram")
    counts = histogram["counts"] if histogram else [e["count"] for e in column.get("levels", [])]
    if not counts:
        return Markup("")
    what = "Histogram" if histogram else "Most frequent levels"
    return Markup(draw_sparkline(counts, f"{what} of {shorten(column['name'])}"))


def _draw_classes(part: Facts, key: str) -> View:
    shown = part["classes"][:_MOST_CLASSES]
    bars = [Bar(str(c["label"]), c["count"], format_fraction(c["fraction"])) for c in shown]
    n_hidden = len(part["classes"]) - len(shown) + part["n_left_out"]
    svg = draw_bars(
        bars,
        key=key,
        title=f"Classes of {shorten(part['name'])}",
        description=enumerate_words(f"{shorten(bar.name)}: {bar.text}" for bar in bars),
    )
    caption = "Rows of each class." + (
        f" {n_hidden:,} more classes are not shown." * bool(n_hidden)
    )
    body = [[name(c["label"]), number(c["count"]), percent(c["fraction"])] for c in part["classes"]]
    return View(svg, caption, part["rows"], ["class", "rows", "fraction"], body)


def _draw_values(part: Facts, key: str) -> View:
    edges, counts = part["histogram"]["edges"], part["histogram"]["counts"]
    svg = draw_histogram(
        edges,
        [Counts("rows", counts)],
        key=key,
        title=f"Distribution of {shorten(part['name'])}",
        description=_range_in_words(part),
        x_label=shorten(part["name"]),
    )
    body = [
        [_range(low, high), number(n)]
        for low, high, n in zip(edges, edges[1:], counts, strict=False)
    ]
    return View(svg, "Rows by the value of the target.", part["rows"], ["values", "rows"], body)


def _range_in_words(part: Facts) -> str:
    return (
        f"From {format_number(part['minimum'])} to {format_number(part['maximum'])}, "
        f"mean {format_number(part['mean'])}, median {format_number(part['quantiles']['0.5'])}."
    )


def _range(low: Any, high: Any) -> Markup:
    return number(low) + " to " + number(high)
