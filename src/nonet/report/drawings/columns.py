"""Figures of the columns: importance, contributions, interactions, partial dependence."""

from __future__ import annotations

from typing import Any

from nonet._base.pictures.labels import shorten
from nonet._base.pictures.number_format import format_number, format_value
from nonet.report.drawings.view import Facts, View, enumerate_words, every, in_words
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.lines import Line, Marks, draw_lines
from nonet.report.figures.points import Strip, draw_strips
from nonet.report.markup import cell, name, number, percent, with_error

_ARROWS = {"raises": "↑", "lowers": "↓", "mixed": "↕"}
_MOST_LINES = 21
_MOST_LEVELS = 15


def draw_importance(part: Facts, key: str) -> View | None:
    """Draw how much the loss rises if the values of a column are shuffled."""
    if not part["list"]:
        return None
    bars = [
        Bar(
            one["column"],
            one["value"],
            format_number(one["value"], 3),
            one["standard_error"],
            mark=_ARROWS.get(one["direction"], ""),
        )
        for one in part["list"]
    ]
    loss = in_words(part["loss"])
    svg = draw_bars(
        bars,
        key=key,
        title="Importance of the columns",
        description=enumerate_words(_importance_in_words(one) for one in part["list"]),
    )
    body = [
        [
            name(one["column"]),
            with_error(one["value"], one["standard_error"]),
            percent(one["fraction"]),
            one["direction"] or "not known",
            number(one["direction_strength"], 2),
        ]
        for one in part["list"]
    ]
    head = ["column", f"rise of {loss}", "fraction", "higher values", "rank correlation"]
    left_out = f" {part['n_left_out']:,} columns are not shown." * bool(part["n_left_out"])
    caption = f"{part['what']} ↑ higher values raise the output, ↓ lower it, ↕ both.{left_out}"
    return View(svg, caption, part["rows"], head, body)


def draw_contributions(part: Facts, key: str) -> View | None:
    """Draw the contribution of each column to the output, a point per row."""
    if not part["list"]:
        return None
    strips = [_strip(one) for one in part["list"]]
    svg = draw_strips(
        strips,
        key=key,
        title="Contributions of the columns",
        description=enumerate_words(
            f"{shorten(one['column'])}: mean size {format_number(one['mean_absolute'], 3)}"
            for one in part["list"]
        ),
        x_label=f"contribution ({part['scale']})",
    )
    body = [
        [
            name(one["column"]),
            with_error(one["mean_absolute"], one["standard_error"]),
            one["direction"] or "not known",
        ]
        for one in part["list"]
    ]
    head = ["column", "mean size", "higher values"]
    return View(svg, part["what"], part["rows"], head, body)


def draw_interactions(part: Facts, key: str) -> View | None:
    """Draw the strongest interactions of two columns."""
    if not part["list"]:
        return None
    bars = [
        Bar(_pair(one), one["strength"], format_number(one["strength"], 3), one["standard_error"])
        for one in part["list"]
    ]
    svg = draw_bars(
        bars,
        key=key,
        title="Interactions of columns",
        description=enumerate_words(f"{bar.name}: {bar.text}" for bar in bars),
        room=190.0,
    )
    body = [
        [
            *(name(column) for column in one["columns"]),
            with_error(one["strength"], one["standard_error"]),
        ]
        for one in part["list"]
    ]
    return View(svg, part["what"], part["rows"], ["column", "and column", "strength"], body)


def draw_dependence(part: Facts, key: str, output: str, rows: str) -> View | None:
    """Draw the mean output over the values of one column."""
    if all(mean is None for mean in part["mean"]):
        return None
    what = output if part["label"] is None else f"probability of {shorten(part['label'], 24)}"
    is_number = part["positions"] is not None or all(map(_is_number, part["grid"]))
    svg = (_dependence_line if is_number else _dependence_bars)(part, key, what)
    lists = (part["grid"], part["mean"], part["standard_error"], part["density"])
    lines = every(list(zip(*lists, strict=True)), _MOST_LINES)
    body = [[cell(x), with_error(mean, error), percent(n)] for x, mean, error, n in lines]
    caption = f"Mean {what} if {shorten(part['column'])} had each value in all rows."
    return View(svg, caption, rows, [shorten(part["column"]), "mean", "rows near it"], body)


def _dependence_line(part: Facts, key: str, what: str) -> str:
    x = part["positions"] or part["grid"]
    mean, error = part["mean"], part["standard_error"]
    low, high = ([_moved(m, e, s) for m, e in zip(mean, error, strict=True)] for s in (-1, 1))
    return draw_lines(
        [Line("mean", x, mean, low, high)],
        key=key,
        title=f"Partial dependence on {shorten(part['column'])}",
        description=_dependence_in_words(part),
        x_label=str(part["column"]),
        y_label=what,
        marks=Marks(
            behind=[Line("row", x, row) for row in part["lines"]],
            density=part["density"],
            x_ticks=_ticks(part),
        ),
    )


def _dependence_bars(part: Facts, key: str, what: str) -> str:
    bars = [
        Bar("missing" if level is None else str(level), mean, format_number(mean, 3), error)
        for level, mean, error in zip(
            part["grid"], part["mean"], part["standard_error"], strict=True
        )
        if mean is not None
    ]
    return draw_bars(
        bars[:_MOST_LEVELS],
        key=key,
        title=f"Partial dependence on {shorten(part['column'])}",
        description=_dependence_in_words(part),
    )


def _dependence_in_words(part: Facts) -> str:
    pairs = every(list(zip(part["grid"], part["mean"], strict=True)), 5)
    return enumerate_words(
        f"at {shorten(_value(x), 24)}: {format_number(mean, 3)}" for x, mean in pairs
    )


def _strip(one: Facts) -> Strip:
    points = [point for point in one["points"] if point[1] is not None]
    return Strip(one["column"], [p[1] for p in points], [p[0] for p in points])


def _ticks(part: Facts) -> list[tuple[float, str]]:
    """Return ticks for dates and for whole numbers that may be years; else none."""
    grid = part["grid"]
    if part["positions"] is not None:
        return every(list(zip(part["positions"], grid, strict=True)), 3)
    if all(1_000 <= value < 10_000 and value == round(value) for value in grid):
        return [(value, format_value(value)) for value in every(grid, 4)]
    return []


def _importance_in_words(one: Facts) -> str:
    direction = f", {one['direction']} the output" if one["direction"] else ""
    return f"{shorten(one['column'])}: {format_number(one['value'], 3)}{direction}"


def _pair(one: Facts) -> str:
    return " \N{MULTIPLICATION SIGN} ".join(shorten(column, 20) for column in one["columns"])


def _moved(mean: float | None, error: float | None, sign: int) -> float | None:
    return None if mean is None else mean + sign * (error or 0.0)


def _value(value: Any) -> str:
    return format_value(value) if _is_number(value) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
