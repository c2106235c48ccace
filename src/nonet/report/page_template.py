"""The template of the page, with the filters and the figures that templates can use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from nonet.report import markup
from nonet.report.drawings import columns, decisions, ensemble, errors, scores, table
from nonet.report.drawings.view import View, in_words

_FOLDER = Path(__file__).parent / "templates"

# In the order of a reader's questions; the sections have the names of their facts.
SECTIONS = (
    ("result", "Result"),
    ("table", "The table"),
    ("warnings", "Warnings"),
    ("leaderboard", "Leaderboard"),
    ("why", "Why the ensemble works"),
    ("calibration", "Calibration"),
    ("threshold", "Threshold, costs and abstaining"),
    ("errors", "Errors"),
    ("columns", "Columns that matter"),
    ("reproduction", "How to reproduce"),
)
_DRAWINGS = {
    "score": scores.draw_score,
    "leaderboard": scores.draw_leaderboard,
    "target": table.draw_target,
    "parts": ensemble.draw_parts,
    "decomposition": ensemble.draw_decomposition,
    "matrix": ensemble.draw_matrix,
    "agreement": ensemble.draw_agreement,
    "margins": ensemble.draw_margins,
    "members_curve": ensemble.draw_members_curve,
    "more_members": ensemble.draw_more_members,
    "calibration": decisions.draw_calibration,
    "class_calibration": decisions.draw_class_calibration,
    "threshold_curve": decisions.draw_threshold_curve,
    "roc": decisions.draw_roc,
    "cost_curves": decisions.draw_cost_curves,
    "best_thresholds": decisions.draw_best_thresholds,
    "risk_coverage": decisions.draw_risk_coverage,
    "residuals": errors.draw_residuals,
    "predicted_true": errors.draw_predicted_true,
    "residual_bands": errors.draw_residual_bands,
    "slices": errors.draw_slices,
    "column_slices": errors.draw_column_slices,
    "importance": columns.draw_importance,
    "contributions": columns.draw_contributions,
    "interactions": columns.draw_interactions,
    "dependence": columns.draw_dependence,
}


@cache
def load_template() -> Template:
    """Return the template of the page."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        number=markup.number,
        percent=markup.percent,
        seconds=markup.seconds,
        microseconds=markup.microseconds,
        name=markup.name,
        sentence=markup.sentence,
        cell=markup.cell,
        in_words=in_words,
        number_head=_number_head,
        missing_parts=_missing_parts,
    )
    environment.globals.update(
        draw=_draw,
        draw_column=table.draw_column,
        with_error=markup.with_error,
        section_of=_section_of,
        sections=SECTIONS,
        style=Markup((_FOLDER / "style.css").read_text(encoding="utf-8")),
    )
    return environment.get_template("page.html.j2")


def _number_head(column: str) -> tuple[Markup, bool]:
    """Return the head of a column of numbers: its name, and that it holds numbers."""
    return markup.name(column, 20), True


def _missing_parts(parts: Sequence[tuple[str, Any]]) -> list[tuple[list[str], str]]:
    """Return the headings of missing parts by their sentence, so that none is repeated."""
    headings: dict[str, list[str]] = {}
    for heading, part in parts:
        if "missing" in part:
            headings.setdefault(part["missing"], []).append(heading)
    return [(named, sentence) for sentence, named in headings.items()]


def _draw(kind: str, part: Any, key: str, *more: Any) -> View | None:
    drawing: Any = _DRAWINGS[kind]
    view: View | None = drawing(part, f"figure-{key}", *more)
    return view


def _section_of(facts: Any, name: str) -> Any:
    """Return a section of the facts; one that is not there is missing with a sentence."""
    return facts.get(name) or {"missing": "The facts of this section are not in the report."}
