"""Figures of errors: residuals, predicted against true, slices."""

from __future__ import annotations

from nonet._base.pictures.labels import shorten
from nonet._base.pictures.number_format import format_number, format_with_error
from nonet.report.drawings.view import Facts, View, enumerate_words, in_words
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.dots import Dot, dot_with_error, draw_dots
from nonet.report.figures.histogram import Counts, draw_histogram
from nonet.report.figures.lines import Line, Marks, draw_lines
from nonet.report.figures.scatter import draw_scatter
from nonet.report.markup import interval, name, number, with_error


def draw_residuals(part: Facts, key: str) -> View:
    """Draw the distribution of truth less prediction."""
    edges, counts = part["histogram"]["edges"], part["histogram"]["counts"]
    svg = draw_histogram(
        edges,
        [Counts("rows", counts)],
        key=key,
        title="Residuals",
        description=(
            f"Mean {format_number(part['mean'], 3)}, standard deviation "
            f"{format_number(part['standard_deviation'], 3)}."
        ),
        x_label="true value less prediction",
        marked=0.0,
    )
    body = [[f"quantile {level}", number(value)] for level, value in part["quantiles"].items()]
    caption = "Residuals; the first and the last bin hold all rows beyond."
    return View(svg, caption, part.get("rows", ""), ["of the residuals", "value"], body)


def draw_predicted_true(part: Facts, key: str) -> View:
    """Draw the true value against the prediction."""
    both = zip(part["predicted"], part["true"], strict=True)
    pairs = [(x, y) for x, y in both if x is not None and y is not None]
    svg = draw_scatter(
        pairs,
        key=key,
        title="True values against predictions",
        description=f"{len(pairs):,} rows; the diagonal is where both are equal.",
        x_label="predicted",
        y_label="true",
    )
    return View(svg, "True value against prediction, a point per row.", part["rows"])


def draw_residual_bands(part: Facts, key: str) -> View | None:
    """Draw quantiles of the residuals over the prediction."""
    groups = part["by_prediction"]
    if not groups:
        return None
    middles = [(group["low"] + group["high"]) / 2 for group in groups]
    low, median, high = (
        [group[f"quantile_{level}"] for group in groups] for level in ("05", "50", "95")
    )
    svg = draw_lines(
        [Line("median", middles, median, low, high, points=True)],
        key=key,
        title="Residuals by prediction",
        description="Median of the residuals, with their 5 % and 95 % quantiles as a band.",
        x_label="prediction",
        y_label="true value less prediction",
        marks=Marks(horizontals=[(0.0, "")]),
    )
    terms = ["n_rows", "mean", "quantile_05", "quantile_50", "quantile_95"]
    body = [
        [interval(group["low"], group["high"]), *(number(group[term], 3) for term in terms)]
        for group in groups
    ]
    head = ["prediction", "rows", "mean", "5 %", "median", "95 %"]
    caption = "Median of the residuals by prediction; 90 % of the rows are in the band."
    return View(svg, caption, part.get("rows", ""), head, body)


def draw_slices(part: Facts, key: str) -> View | None:
    """Draw how much larger the loss of each slice is than that of all other rows."""
    if not part["list"]:
        return None
    loss = in_words(part["loss"])
    dots = [_slice_dot(one) for one in part["list"]]
    svg = draw_dots(
        dots,
        key=key,
        title="Slices with larger loss",
        description=enumerate_words(dot.detail for dot in dots),
        x_label=f"{loss} of the slice less that of the other rows",
        marked=0.0,
        room=175.0,
    )
    return View(svg, part["what"], part["rows"])


def draw_column_slices(part: Facts, key: str, loss: str, rows: str) -> View | None:
    """Draw the loss of all slices of a column."""
    if not part["slices"]:
        return None
    bars = [
        Bar(str(s["slice"]), s["loss"], format_number(s["loss"], 3), error=s["standard_error"])
        for s in part["slices"]
    ]
    svg = draw_bars(
        bars,
        key=key,
        title=f"{in_words(loss).capitalize()} by {shorten(part['column'])}",
        description=enumerate_words(f"{shorten(bar.name)}: {bar.text}" for bar in bars),
    )
    body = [
        [name(s["slice"]), number(s["n_rows"]), with_error(s["loss"], s["standard_error"])]
        for s in part["slices"]
    ]
    caption = f"{in_words(loss).capitalize()} by {shorten(part['column'])}, with standard errors."
    return View(svg, caption, rows, ["slice", "rows", in_words(loss)], body)


def _slice_dot(one: Facts) -> Dot:
    label = f"{shorten(one['column'], 24)}: {shorten(one['slice'], 24)}"
    text = format_with_error(one["difference"], one["difference_error"])
    return dot_with_error(
        label,
        one["difference"],
        one["difference_error"],
        strong=one["is_clear"],
        detail=f"{label}: {text}, {one['n_rows']:,} rows",
    )
