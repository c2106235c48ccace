"""Figures of scores: the model against its baseline, and the leaderboard."""

from __future__ import annotations

from nonet._base.pictures.number_format import format_with_error
from nonet.report.drawings.view import Facts, View, enumerate_words, in_words
from nonet.report.figures.dots import Dot, dot_with_error, draw_dots
from nonet.report.markup import name, sentence, with_error

_MOST_LINES = 12


def draw_score(part: Facts, key: str) -> View:
    """Draw the score of the model, of the baseline, and of untouched rows."""
    entries = [("model", part), ("baseline", part["baseline"])]
    if "missing" not in part["untouched"]:
        entries.append(("untouched rows", part["untouched"]))
    dots = [_dot(label, entry, strong=i == 0) for i, (label, entry) in enumerate(entries)]
    metric = in_words(part["metric"])
    svg = draw_dots(
        dots,
        key=key,
        title=f"{metric.capitalize()} of the model and of the baseline",
        description=_in_words(dots, entries),
        x_label=f"{metric} ({part['better']} is better)",
    )
    body = [
        [sentence(label), with_error(e["score"], e["standard_error"]), sentence(e["rows"])]
        for label, e in entries
    ]
    caption = (
        f"{metric.capitalize()} with one standard error on each side; baseline: "
        f"{part['baseline']['name']}."
    )
    return View(svg, caption, part["rows"], ["of", metric, "rows"], body)


def draw_leaderboard(part: Facts, key: str) -> View | None:
    """Draw the scores of the best configurations; the baseline is left to the table."""
    scored = [e for e in part["entries"] if e["score"] is not None and e["kind"] != "baseline"]
    shown = scored[:_MOST_LINES]
    if not shown:
        return None
    dots = [_dot(entry["name"], entry, strong=entry["kind"] == "ensemble") for entry in shown]
    metric = in_words(part["metric"])
    svg = draw_dots(
        dots,
        key=key,
        title=f"{metric.capitalize()} of the configurations",
        description=_in_words(dots, [(e["name"], e) for e in shown]),
        x_label=f"{metric} ({part['better']} is better)",
    )
    caption = f"The best {len(shown)} of {len(scored)} with a score, with one standard error."
    body = [[name(e["name"]), with_error(e["score"], e["standard_error"])] for e in shown]
    return View(svg, caption, part["rows"], ["configuration", metric], body)


def _dot(label: str, entry: Facts, *, strong: bool) -> Dot:
    detail = f"{label}: {format_with_error(entry['score'], entry['standard_error'])}"
    return dot_with_error(
        label, entry["score"], entry["standard_error"], strong=strong, detail=detail
    )


def _in_words(dots: list[Dot], entries: list[tuple[str, Facts]]) -> str:
    return enumerate_words(dot.detail for dot, _ in zip(dots, entries, strict=True))
