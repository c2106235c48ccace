"""Facts as a report has them, made up: two classes, five classes, a number, and hostile names."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from report.example_errors import columns_facts, errors_facts
from report.example_members import calibration_facts, threshold_facts, why_facts
from report.example_names import COLUMNS, NAMES, Facts
from report.example_scores import (
    leaderboard_facts,
    reproduction_facts,
    sampling_facts,
    score_facts,
    table_facts,
    warnings_facts,
)

SECTIONS = [
    "result", "table", "warnings", "leaderboard", "why", "calibration", "threshold", "errors",
    "columns", "reproduction",
]  # fmt: skip
SCRIPT = "<script>alert('x')</script>\"'&"
HOSTILE_NAMES = [
    SCRIPT,
    '" onmouseover="alert(1)',
    "long" * 2500,
    "שם העמודה\u202e reversed",
    "🧪 emoji 👩‍👩‍👧‍👦 family",
    "two\nlines\r\nand\ttabs",
    "</style></svg></title>{{ 7 * 7 }}{% raw %}",
]  # fmt: skip


def binary_facts() -> Facts:
    """Return facts of a run with two classes."""
    return _facts("classification", ["no", "yes"])


def multiclass_facts() -> Facts:
    """Return facts of a run with five classes."""
    return _facts("classification", ["ash", "beech", "birch", "oak", "pine"])


def regression_facts() -> Facts:
    """Return facts of a run that predicts a number."""
    return _facts("regression", [])


def missing_facts() -> Facts:
    """Return facts of which every section is missing, with a sentence."""
    facts = binary_facts()
    return {
        key: {"missing": f"The section {key} could not be computed."} if key in SECTIONS else value
        for key, value in facts.items()
    }


def facts_with_missing_parts() -> Facts:
    """Return facts of which every part that may be missing is."""
    facts = binary_facts()
    for section, part in [
        *(("why", name) for name in facts["why"] if isinstance(facts["why"][name], dict)),
        *(("threshold", name) for name in ("curve", "costs", "risk_coverage")),
        *(("errors", name) for name in ("confusion", "residuals", "worst", "slices")),
        *(("columns", name) for name in ("importance", "shapley", "interactions", "dependence")),
        ("reproduction", "load"),
    ]:
        facts[section][part] = {"missing": f"No {section} {part}."}
    return facts


def hostile_facts() -> Facts:
    """Return facts in which all names of columns, levels, classes and members are hostile."""
    facts = binary_facts()
    old = [*COLUMNS, *NAMES, "no", "yes", "Oslo", "Rome", "churned"]
    new = {name: HOSTILE_NAMES[i % len(HOSTILE_NAMES)] + str(i) for i, name in enumerate(old)}
    renamed: Facts = _renamed(facts, new)
    renamed["warnings"]["list"][0]["sentence"] = f"Column '{SCRIPT}' may leak the target."
    renamed["title"] = SCRIPT
    return renamed


def numbers_in(value: Any) -> list[float]:
    """Return all numbers of facts."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [number for item in items for number in numbers_in(item)]


def _renamed(value: Any, new: dict[str, str]) -> Any:
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, dict):
        return {new.get(key, key): _renamed(item, new) for key, item in value.items()}
    return [_renamed(item, new) for item in value] if isinstance(value, list) else value


def _facts(task: str, classes: list[str]) -> Facts:
    rng = random.Random(len(classes))
    facts = {
        "format": 1,
        "title": "Predicting churned" if classes else "Predicting price",
        "kind": "run",
        "task": task,
        "sampling": sampling_facts(),
        "result": score_facts(classes),
        "table": table_facts(classes, rng),
        "warnings": warnings_facts(),
        "leaderboard": leaderboard_facts(classes),
        "why": why_facts(classes, rng),
        "calibration": calibration_facts(classes, rng),
        "threshold": threshold_facts(classes),
        "errors": errors_facts(classes, rng),
        "columns": columns_facts(classes, rng),
        "reproduction": reproduction_facts(),
    }
    return deepcopy(facts)


EXAMPLES: dict[str, Callable[[], Facts]] = {
    "binary": binary_facts,
    "multiclass": multiclass_facts,
    "regression": regression_facts,
}
