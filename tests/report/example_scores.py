"""Made-up facts of scores, of the table, and of how to repeat a run."""

from __future__ import annotations

import random
from itertools import pairwise

from report.example_names import COLUMNS, KINDS, NAMES, ROWS, WEIGHTS, Facts


def sampling_facts() -> Facts:
    """Return facts of the rows of a report."""
    return {
        "n_rows": 1200, "n_sampled": 1200, "is_sampled": False, "max_rows": 50000,
        "random_state": 0, "are_held_out": True, "source": "held-out rows", "rows": ROWS,
        "sentence": f"All numbers are from {ROWS}, unless they name others.",
    }  # fmt: skip


def score_facts(classes: list[str]) -> Facts:
    """Return facts of the score and its baseline."""
    metric = "log_loss" if classes else "rmse"
    scale = 1.0 if classes else 41.7
    names = ["accuracy", "roc_auc", "brier_score"] if classes else ["r2", "mae"]
    return {
        "target": "churned" if classes else "price",
        "task": "classification" if classes else "regression",
        "n_classes": len(classes) or None,
        "classes": classes,
        "positive": classes[-1] if len(classes) == 2 else None,
        "model": "AutoEnsembleClassifier" if classes else "AutoEnsembleRegressor",
        "n_members": 5,
        "metric": metric, "better": "smaller",
        "score": 0.31234 * scale, "standard_error": 0.0112 * scale, "rows": ROWS, "n_rows": 1200,
        "are_held_out": True,
        "baseline": {"name": "class frequencies" if classes else "mean", "score": 0.5831 * scale,
                     "standard_error": 0.0091 * scale, "rows": ROWS},
        "gain": {"value": 0.27076 * scale, "standard_error": 0.0123 * scale, "is_clear": True,
                 "is_clear_loss": False, "fraction": 0.4643},
        "untouched": {"missing": "No rows were kept apart; that is done from 20,000 rows on."},
        "more": [
            {"metric": name, "better": "larger" if i < 2 else "smaller", "score": 0.871 - 0.2 * i,
             "standard_error": 0.0097 if i < 2 else None, "baseline": 0.74 - 0.2 * i, "rows": ROWS}
            for i, name in enumerate(names)
        ],
        "sentence": f"On {ROWS} the error is about half of the baseline's.",
    }  # fmt: skip


def table_facts(classes: list[str], rng: random.Random) -> Facts:
    """Return facts of the table."""
    columns = [_column(name, kind, rng) for name, kind in zip(COLUMNS, KINDS, strict=True)]
    return {
        "rows": ROWS, "n_rows": 1200, "n_columns": 9, "n_used": 7,
        "kinds": {"number": 4, "category": 2, "date": 1, "identifier": 1, "constant": 1},
        "n_missing": 62, "missing_fraction": 0.00738,
        "notes": ["Column 'id' is not used: every row has a value of its own.",
                  "Column 'income' was text with commas between thousands; it is read as numbers."],
        "dropped": [
            {"name": "id", "kind": "identifier", "reason": "Every row has a value of its own."},
            {"name": "country", "kind": "constant", "reason": "All rows have the same value."},
        ],
        "columns": columns, "n_left_out": 0, "target": _target(classes, rng),
    }  # fmt: skip


def _column(name: str, kind: str, rng: random.Random) -> Facts:
    known = {"name": name, "kind": kind, "n_missing": 31, "missing_fraction": 0.0258}
    if kind == "category":
        levels = [{"level": "Oslo", "count": 410}, {"level": "Rome", "count": 390}]
        return {**known, "n_distinct": 14, "levels": levels, "n_other": 369}
    if kind == "date":
        days = [f"2024-0{month}-01" for month in range(1, 8)]
        quantiles = dict(zip(("0.05", "0.25", "0.5", "0.75", "0.95"), days[1:6], strict=True))
        return {
            **known, "n_distinct": 160, "minimum": days[0], "maximum": days[-1], "mean": days[3],
            "standard_deviation": None, "quantiles": quantiles,
            "histogram": {"edges": days, "counts": [120, 180, 260, 300, 210, 99]},
        }  # fmt: skip
    return {**known, "n_distinct": 61, **_values(rng)}


def _values(rng: random.Random) -> Facts:
    values = sorted(rng.gauss(44.1, 15.2) for _ in range(1169))
    low, high = values[0], values[-1]
    edges = [low + (high - low) * i / 20 for i in range(21)]
    counts = [sum(a <= v < b for v in values) for a, b in pairwise(edges)]
    levels = (0.05, 0.25, 0.5, 0.75, 0.95)
    return {
        "minimum": low, "maximum": high, "mean": sum(values) / len(values),
        "standard_deviation": 15.2,
        "quantiles": {str(level): values[int(level * len(values))] for level in levels},
        "histogram": {"edges": edges, "counts": counts},
    }  # fmt: skip


def _target(classes: list[str], rng: random.Random) -> Facts:
    if not classes:
        return {"name": "price", "rows": ROWS, "kind": "values", "n_missing": 0,
                "missing_fraction": 0.0, "n_distinct": 1100, **_values(rng)}  # fmt: skip
    fractions = [0.74, 0.26] if len(classes) == 2 else [0.1, 0.35, 0.3, 0.2, 0.05]
    listed = [
        {"label": label, "count": round(1200 * fraction), "fraction": fraction}
        for label, fraction in zip(classes, fractions, strict=True)
    ]
    return {"name": "churned", "rows": ROWS, "kind": "classes", "classes": listed, "n_left_out": 0}


def warnings_facts() -> Facts:
    """Return facts of warnings."""
    leak = "Column 'calls' alone predicts the target almost as well as the model: is it known then?"
    copies = "Rows 17 and 203 are equal; 12 rows have a copy."
    found = [{"sentence": sentence, "about": "table"} for sentence in (leak, copies)]
    return {"rows": ROWS, "list": found}


def leaderboard_facts(classes: list[str]) -> Facts:
    """Return facts of the leaderboard."""
    scale = 1.0 if classes else 41.7
    entries = [_entry("ensemble", "ensemble", 0.31234 * scale, 1.0, None)]
    for i, (name, weight) in enumerate(zip(NAMES, WEIGHTS, strict=True)):
        entries.append(_entry(name, "member", (0.325 + 0.014 * i) * scale, weight, 4.2 * (i + 1)))
    entries.append(_entry("class frequencies", "baseline", 0.5831 * scale, None, 11.0))
    entries.append({**_entry("boosted 3", "member", None, 0.0, None), "seconds": 0.0, "rows": None,
                    "why_not": "not run: the time was over"})  # fmt: skip
    metric = "log_loss" if classes else "rmse"
    return {
        "metric": metric,
        "better": "smaller",
        "rows": ROWS,
        "entries": entries,
        "n_left_out": 0,
    }


def _entry(
    name: str, kind: str, score: float | None, weight: float | None, cost: float | None
) -> Facts:
    return {
        "name": name, "kind": kind, "score": score,
        "standard_error": None if score is None else score / 28.0, "weight": weight,
        "seconds": 41.0, "us_per_row": cost, "rows": ROWS, "why_not": None,
    }  # fmt: skip


def reproduction_facts() -> Facts:
    """Return facts of how to repeat the run."""
    return {
        "call": "nonet.fit_table('churn.csv', 'churned', random_state=0, time_limit=600)",
        "load": "run = nonet.open_run('runs/churn')",
        "command": "nonet fit churn.csv --target churned --seed 0 --time 10m",
        "folder": "runs/churn", "seed": 0, "folds": "5 folds", "n_tasks": 40,
        "settings": {"random_state": 0, "time_limit": 600},
        "notes": ["Equal numbers need the same versions and the same limits of time."],
        "versions": {"nonet": "0.1", "python": "3.11.9", "numpy": "2.1", "scipy": "1.14",
                     "scikit-learn": "1.9", "platform": "Linux-x86_64"},
        "seconds": 411.3, "report": {"max_rows": 50000, "random_state": 0}, "rows": ROWS,
    }  # fmt: skip
