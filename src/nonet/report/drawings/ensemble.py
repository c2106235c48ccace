"""Figures of why an ensemble works: its parts, its errors, agreement, margins, more members."""

from __future__ import annotations

from itertools import pairwise

from markupsafe import Markup

from nonet._base.pictures.diagram import describe, draw_diagram
from nonet._base.pictures.labels import shorten
from nonet._base.pictures.number_format import format_fraction, format_number
from nonet.report.drawings.view import Facts, View, enumerate_words, every, in_words
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.dots import Dot, draw_dots
from nonet.report.figures.heat_map import draw_heat_map
from nonet.report.figures.histogram import Counts, draw_histogram
from nonet.report.figures.lines import Line, Marks, draw_lines
from nonet.report.markup import interval, name, number, percent

_MOST_POINTS = 25


def draw_parts(part: Facts, key: str) -> View:
    """Draw members, F and C."""
    body = [[name(m["name"]), name(m["kind"]), percent(m["weight"])] for m in part["members"]]
    return View(
        draw_diagram(part, key=key),
        describe(part) if len(part["members"]) <= 3 else "Members with their weights, F and C.",
        "",
        ["member", "kind", "weight"],
        body,
    )


def draw_decomposition(part: Facts, key: str) -> View:
    """Draw the error of the ensemble beside those of its members."""
    best = part["best_member"]
    bars = [
        _error_bar("mean member", part["member_error"], 5),
        _error_bar(f"best: {shorten(best['name'], 30)}", best["error"], 5),
        _error_bar("the ensemble", part["error"], 0),
    ]
    terms = ["error", "member_error", "ambiguity", "remainder", "off_mean", "good", "bad"]
    terms += ["gain_over_random", "gain_over_best", "bias", "variance", "covariance"]
    body = [
        [term.replace("_", " "), number(part[term])] for term in terms if part.get(term) is not None
    ]
    loss = in_words(part["loss"])
    svg = draw_bars(
        bars,
        key=key,
        title=f"{loss.capitalize()} of members and ensemble",
        description=enumerate_words(f"{bar.name}: {bar.text}" for bar in bars),
    )
    caption = (
        f"{loss.capitalize()} (smaller is better). Ensemble error = mean error of the members "
        "\N{MINUS SIGN} ambiguity + remainder."
    )
    return View(svg, caption, "", ["term", loss], body)


def draw_matrix(part: Facts, key: str) -> View | None:
    """Draw correlations of errors, or disagreement, of pairs of members."""
    names, matrix = part["names"], part["matrix"]
    if len(names) < 2:
        return None
    body = [
        [name(label), *(number(value, 2) for value in row)]
        for label, row in zip(names, matrix, strict=True)
    ]
    head = ["member", *(str(i + 1) for i in range(len(names)))]
    mean = format_number(part["mean"], 3)
    svg = draw_heat_map(
        names, matrix, key=key, title=part["what"], description=f"Mean of all pairs: {mean}."
    )
    hidden = f" {part['n_left_out']:,} members are not shown." if part["n_left_out"] else ""
    caption = f"{_ended(part['what'])} Mean of all pairs: {mean}.{hidden}"
    return View(svg, caption, part.get("rows", ""), head, body)


def draw_agreement(part: Facts, key: str) -> View:
    """Draw the error of the rows in groups by how far the members agree."""
    ends = list(pairwise(part["edges"]))
    groups = [
        (ends[i], n, error)
        for i, (n, error) in enumerate(zip(part["counts"], part["error"], strict=True))
        if n and error is not None
    ]
    bars = [
        Bar(
            f"{format_number(low, 3)} to {format_number(high, 3)}",
            error,
            f"{format_number(error, 3)} on {n:,.0f} row{'s' * (n != 1)}",
        )
        for (low, high), n, error in groups
    ]
    if not bars:
        return View("", _ended(part["what"]), "")
    svg = draw_bars(
        bars,
        key=key,
        title="Error by agreement of the members",
        description=enumerate_words(f"{bar.name}: {bar.text}" for bar in bars),
    )
    body = [[interval(*pair), number(n), number(error, 3)] for pair, n, error in groups]
    return View(svg, _ended(part["what"]), part.get("rows", ""), ["group", "rows", "error"], body)


def draw_margins(part: Facts, key: str) -> View:
    """Draw the distribution of the margins; negative ones are mistakes."""
    edges, counts = part["edges"], part["counts"]
    is_wrong = [low + high < 0 for low, high in pairwise(edges)]
    wrong = Counts("margin below 0", [n * w for n, w in zip(counts, is_wrong, strict=True)])
    right = Counts("margin above 0", [n * (not w) for n, w in zip(counts, is_wrong, strict=True)])
    svg = draw_histogram(
        edges,
        [right, wrong],
        key=key,
        title="Margins of the rows",
        description=_margins_in_words(part),
        x_label="margin",
        marked=0.0,
    )
    body: list[list[str | Markup]] = [
        [interval(low, high), number(n)]
        for (low, high), n in zip(pairwise(edges), counts, strict=True)
    ]
    caption = f"{_ended(part['what'])} {_margins_in_words(part)}"
    return View(svg, caption, part.get("rows", ""), ["margin", "rows"], body)


def draw_members_curve(part: Facts, key: str) -> View:
    """Draw the loss of the first members against their number."""
    loss = in_words(part["loss"])
    sizes, losses = part["sizes"], part["losses"]
    full = [] if part["full"] is None else [(part["full"], "full: all, as the model combines them")]
    svg = draw_lines(
        [Line("first members", sizes, losses, points=len(sizes) <= 30)],
        key=key,
        title=f"{loss.capitalize()} by number of members",
        description=(
            f"{format_number(losses[0])} with {format_number(sizes[0])}, "
            f"{format_number(losses[-1])} with {format_number(sizes[-1])}."
        ),
        x_label="members" if part["names"] else "rounds",
        y_label=loss,
        marks=Marks(horizontals=full, x_ticks=[(n, f"{n:,}") for n in every(sizes, 6)]),
    )
    names = part["names"] or [""] * len(sizes)
    lines = every(list(zip(sizes, names, losses, strict=True)), _MOST_POINTS)
    body = [[number(n), name(label), number(value)] for n, label, value in lines]
    head = ["members" if part["names"] else "rounds", "added", loss]
    if not part["names"]:
        head, body = [head[0], loss], [[line[0], line[2]] for line in body]
    return View(svg, _ended(part["what"]), part.get("rows", ""), head, body)


def draw_more_members(part: Facts, key: str) -> View:
    """Draw what twice as many members, infinitely many, and learned weights would gain."""
    wanted = {
        "twice": "twice as many",
        "limit": "infinitely many",
        "learned_weights": "learned weights",
    }
    found = [(label, part[term]) for term, label in wanted.items() if part.get(term)]
    dots = [
        Dot(label, g["value"], g["low"], g["high"], detail=_gain(label, g)) for label, g in found
    ]
    loss = in_words(part["loss"])
    svg = draw_dots(
        dots,
        key=key,
        title="What more members could gain",
        description=enumerate_words(dot.detail for dot in dots),
        x_label=f"gain in {loss} (above 0 is better)",
        marked=0.0,
    )
    body = [[label, number(g["value"], 3), interval(g["low"], g["high"])] for label, g in found]
    caption = f"Expected gain in {loss}, with its interval. {_ended(part['supposes'])}"
    return View(svg, caption, part["rows"], ["change", "gain", "interval"], body)


def _error_bar(label: str, value: float, tone: int) -> Bar:
    return Bar(label, value, format_number(value), tone=tone)


def _margins_in_words(part: Facts) -> str:
    return (
        f"Mean {format_number(part['mean'], 3)}, median {format_number(part['median'], 3)}; "
        f"{format_fraction(part['negative_fraction'])} are below 0."
    )


def _gain(label: str, gain: Facts) -> str:
    value, low, high = (format_number(gain[term], 3) for term in ("value", "low", "high"))
    return f"{label}: {value} ({low} to {high})"


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."
