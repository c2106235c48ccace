"""Made-up facts of errors, and of the columns that a model looks at."""

from __future__ import annotations

import random
from math import exp
from typing import Any

from report.example_names import COLUMNS, KINDS, ROWS, SAMPLE, Facts


def errors_facts(classes: list[str], rng: random.Random) -> Facts:
    """Return facts of errors."""
    loss = "log_loss" if classes else "squared_error"
    worst = [
        {"row": 17 * i + 3, "loss": 4.1 - 0.2 * i, "true": classes[-1] if classes else 212.5,
         "predicted": classes[0] if classes else 148.25,
         "probability": 0.016 + 0.01 * i if classes else None,
         "values": {"age": 31.0 + i, "income": 51200.0, "city": "Oslo", "calls": None}}
        for i in range(10)
    ]  # fmt: skip
    return {
        "rows": ROWS, "n_rows": 1200, "loss": loss, "mean_loss": 0.31234,
        "confusion": _confusion(classes, rng) if classes
        else {"missing": "Confusion is defined for classification; this is a regression."},
        "residuals": {"missing": "Residuals are for regression; this is a classification."}
        if classes
        else _residuals(rng),
        "worst": {"rows": f"the 10 rows of largest loss among {ROWS}",
                  "what": "Look at these rows first: some may be wrong in the table.",
                  "list": worst},
        "slices": _slices(loss),
    }  # fmt: skip


def _confusion(classes: list[str], rng: random.Random) -> Facts:
    n = len(classes)
    counts = [[820, 68], [88, 224]]
    if n > 2:
        counts = [[200 if i == j else rng.randrange(12) for j in range(n)] for i in range(n)]
    listed = [
        {"label": label, "n_rows": sum(row), "recall": row[i] / sum(row), "precision": 0.87,
         "f1": 0.88 if i else None}
        for i, (label, row) in enumerate(zip(classes, counts, strict=True))
    ]  # fmt: skip
    return {"labels": classes, "predicted_labels": classes, "counts": counts, "n_other_classes": 0,
            "classes": listed}  # fmt: skip


def _residuals(rng: random.Random) -> Facts:
    predicted = [rng.uniform(20, 180) for _ in range(500)]
    true = [p + rng.gauss(0, 4 + p / 20) for p in predicted]
    levels = ("0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99")
    quantiles = [-24.0, -15.2, -5.1, 0.12, 5.3, 15.9, 25.1]
    groups = [
        {"low": 20.0 + 16 * i, "high": 36.0 + 16 * i, "n_rows": 120, "mean": 0.1 * i - 0.4,
         "quantile_05": -8.0 - i, "quantile_50": 0.1 * i - 0.5, "quantile_95": 8.2 + i}
        for i in range(10)
    ]  # fmt: skip
    return {
        "mean": 0.0213, "standard_deviation": 9.71, "mean_absolute": 7.24, "median_absolute": 5.18,
        "quantiles": dict(zip(levels, quantiles, strict=True)),
        "histogram": {"edges": [-25.0 + 2.5 * i for i in range(21)],
                      "counts": [6, 8, 12, 20, 31, 47, 66, 88, 110, 131, 128, 112, 96, 80, 71, 60,
                                 52, 41, 26, 15]},
        "by_prediction": groups,
        "predicted_true": {"predicted": predicted, "true": true, "rows": SAMPLE},
    }  # fmt: skip


def _slices(loss: str) -> Facts:
    listed = [
        {"column": column, "slice": piece, "n_rows": 390 - 60 * i, "loss": 0.41 - 0.02 * i,
         "standard_error": 0.021, "difference": 0.14 - 0.03 * i, "difference_error": 0.025,
         "p_value": 1e-8 * 40**i, "corrected_p_value": 6e-7 * 40**i, "is_clear": i < 3}
        for i, (column, piece) in enumerate(
            [("city", "Rome"), ("age", "18 to 24.5"), ("income", "missing"), ("calls", "7 to 12")])
    ]  # fmt: skip
    pieces = [("Oslo", 0.28), ("Rome", 0.41), ("other", 0.3)]
    columns = [
        {"column": name, "kind": "category", "slices": [
            {"slice": piece, "n_rows": 400, "loss": value, "standard_error": 0.02}
            for piece, value in pieces]}
        for name in ("city", "contract")
    ]  # fmt: skip
    return {"rows": ROWS, "loss": loss, "mean_loss": 0.31234, "n_looked": 61, "n_columns": 7,
            "what": "How much larger the loss of a slice is than that of all other rows.",
            "list": listed, "columns": columns}  # fmt: skip


def columns_facts(classes: list[str], rng: random.Random) -> Facts:
    """Return facts of the columns."""
    many = len(classes) > 2
    output = "predicted value" if not classes else (
        "probability of each class" if many else f"probability of '{classes[-1]}'"
    )  # fmt: skip
    directions = [None if many else d for d in ("raises", "lowers", None, "mixed", "raises")]
    directions += [None, None]
    importance = [
        {"column": name, "kind": kind, "value": 0.081 * 0.55**i - 0.001,
         "standard_error": 0.011 * 0.7**i, "fraction": 0.45 * 0.55**i, "direction": directions[i],
         "direction_strength": None if directions[i] is None else 0.9 - 0.3 * i}
        for i, (name, kind) in enumerate(zip(COLUMNS, KINDS, strict=True))
    ]  # fmt: skip
    return {
        "rows": ROWS, "n_rows": 1200, "explained": "the models of the folds, each on held-out rows",
        "output": output, "n_columns": 7, "n_looked": 7, "preselected": None,
        "importance": {"loss": "log_loss", "rows": SAMPLE, "n_rows": 500, "n_repeats": 3,
                       "what": "Rise of the mean loss if the values of a column are shuffled.",
                       "list": importance, "n_left_out": 0},
        "shapley": _shapley(classes, directions, output, rng),
        "interactions": {"method": "sampled", "rows": SAMPLE, "n_rows": 200,
                         "what": "Joint effect of two columns beyond their single effects.",
                         "list": [{"columns": ["age", "city"], "strength": 0.021,
                                   "standard_error": 0.003},
                                  {"columns": ["income", "calls"], "strength": 0.009,
                                   "standard_error": 0.002}]},
        "dependence": _dependence(classes, output, rng),
    }  # fmt: skip


def _shapley(
    classes: list[str], directions: list[str | None], output: str, rng: random.Random
) -> Facts:
    listed = []
    for i, (name, kind) in enumerate(zip(COLUMNS, KINDS, strict=True)):
        points: list[list[Any]] = []
        for _ in range(150):
            at = rng.random()
            value = (at - 0.5) * 0.3 * 0.6**i + rng.gauss(0, 0.01)
            points.append([at if kind != "category" else None, value, 20 + 60 * at])
        listed.append({"column": name, "kind": kind, "mean_absolute": 0.061 * 0.6**i,
                       "standard_error": 0.005 * 0.6**i, "direction": directions[i],
                       "points": points})  # fmt: skip
    by_class = [
        {"label": label, "mean_absolute": [0.03 * 0.7**i for i in range(len(COLUMNS))]}
        for label in (classes if len(classes) > 2 else [])
    ]
    return {"method": "sampled", "scale": "probability" if classes else "value", "output": output,
            "rows": "150 of " + ROWS, "n_rows": 150, "what": "Shapley values, a point per row.",
            "list": listed, "classes": by_class}  # fmt: skip


def _dependence(classes: list[str], output: str, rng: random.Random) -> Facts:
    label = classes[1] if len(classes) > 2 else None
    listed = []
    for name, kind in list(zip(COLUMNS, KINDS, strict=True))[:6]:
        grid: list[Any] = [20.0 + 5 * i for i in range(13)]
        if kind == "category":
            grid = ["Oslo", "Rome", "Bergen"]
        if kind == "date":
            grid = [f"2024-{month:02d}-01" for month in range(1, 13)]
        n = len(grid)
        mean = [0.15 + 0.3 / (1 + exp(-(i - n / 2))) for i in range(n)]
        lines = [[m + shift for m in mean] for shift in (rng.gauss(0, 0.08) for _ in range(10))]
        listed.append({
            "column": name, "kind": kind, "grid": grid,
            "positions": [19723.0 + 30.4 * i for i in range(n)] if kind == "date" else None,
            "mean": mean, "standard_error": [0.01 + 0.002 * i for i in range(n)], "label": label,
            "density": [1 / n] * n, "lines": lines,
        })  # fmt: skip
    return {"output": output, "rows": "100 of " + ROWS, "n_rows": 100, "list": listed,
            "what": "Mean output if all rows had the same value; thin lines are single rows, bars "
            "below are where the rows are."}  # fmt: skip
