"""Made-up facts of members, calibration and thresholds."""

from __future__ import annotations

import random
from itertools import pairwise
from math import exp

from report.example_names import NAMES, ROWS, WEIGHTS, Facts


def why_facts(classes: list[str], rng: random.Random) -> Facts:
    """Return facts of why the ensemble works."""
    n = len(NAMES)
    correlation = [[1.0 if i == j else 0.9 - 0.11 * abs(i - j) for j in range(n)] for i in range(n)]
    correlation[5][0] = correlation[0][5] = -0.12
    apart = [[0.0 if i == j else 0.04 + 0.02 * abs(i - j) for j in range(n)] for i in range(n)]
    members = [
        {"name": name, "kind": "BoostedTreesClassifier", "weight": weight}
        for name, weight in zip(NAMES, WEIGHTS, strict=True)
    ]
    gain = {"value": 0.0011, "low": -0.0021, "high": 0.0044}
    losses = [0.341 - 0.028 * (1 - exp(-i / 1.7)) for i in range(n)]
    margins = [rng.gauss(0.55, 0.4) for _ in range(1200)]
    edges = [-1 + 0.1 * i for i in range(21)]
    counts = [
        sum(low <= min(max(m, -1), 0.999) < high for m in margins) for low, high in pairwise(edges)
    ]
    return {
        "rows": ROWS, "n_rows": 1200,
        "parts": {"members": members, "n_left_out": 0, "n_members": n,
                  "combine": "weighted mean of probabilities" if classes else "weighted mean",
                  "decide": "class of the highest support" if classes else "the value itself"},
        "decomposition": {
            "loss": "brier" if classes else "squared_error", "error": 0.1812,
            "member_error": 0.2056, "ambiguity": 0.0241, "remainder": -0.0003,
            "off_mean": -0.0003, "good": None, "bad": None,
            "best_member": {"name": "boosted 1", "error": 0.1904},
            "gain_over_random": 0.0244, "gain_over_best": 0.0092, "bias": 0.0012, "variance": 0.101,
            "covariance": 0.079, "sentence": "The members err on different rows, which gains 12 %.",
        },
        "correlation": {"names": NAMES, "errors": [0.19 + 0.01 * i for i in range(n)],
                        "matrix": correlation, "mean": 0.57, "n_left_out": 0,
                        "what": "Correlation of the members' errors, row by row."},
        "disagreement": {"names": NAMES, "matrix": apart, "mean": 0.087, "n_left_out": 0,
                         "what": "Fraction of the rows on which two members give other classes."},
        "agreement": {"edges": [0.0, 0.5, 0.7, 0.9, 1.0], "counts": [84, 116, 300, 700],
                      "error": [0.44, 0.31, 0.12, 0.03],
                      "what": "Error by the fraction of members that agree with the ensemble."},
        "margins": {"edges": edges, "counts": counts, "mean": 0.551, "median": 0.56,
                    "negative_fraction": 0.087, "what": "Probability of the true class less the "
                    "largest other one."}
        if classes
        else {"missing": "Margins are defined for classification; this is a regression."},
        "members_curve": {"loss": "log_loss" if classes else "squared_error",
                          "sizes": list(range(1, n + 1)), "losses": losses, "names": NAMES,
                          "full": 0.3123, "what": "Loss of the first members in order of weight."},
        "more_members": {"loss": "zero_one", "error": 0.129, "standard_error": 0.0097,
                         "oracle_error": 0.061, "twice": gain,
                         "limit": {"value": 0.0023, "low": -0.0043, "high": 0.0087},
                         "learned_weights": None, "small_enough": ["boosted 1", "linear 1"],
                         "harmful": [], "rows": ROWS,
                         "supposes": "This supposes that new members are like these."},
    }  # fmt: skip


def calibration_facts(classes: list[str], rng: random.Random) -> Facts:
    """Return facts of calibration."""
    scale = 1.0 if classes else 90.0
    bins = []
    for i, n in enumerate([402, 190, 120, 88, 70, 61, 58, 66, 75, 70]):
        predicted, observed = (i + 0.5) / 10, min(max((i + 0.5) / 10 + rng.gauss(0, 0.03), 0), 1)
        wide = 1.96 * (observed * (1 - observed) / n) ** 0.5
        bins.append({"predicted": predicted * scale, "observed": observed * scale,
                     "low": max(observed - wide, 0) * scale,
                     "high": min(observed + wide, 1) * scale, "n_rows": n,
                     "weight": n / 1200})  # fmt: skip
    many = len(classes) > 2
    listed = [
        {"label": label, "expected_calibration_error": 0.011 + 0.004 * i, "bins": bins[i::2]}
        for i, label in enumerate(classes if many else [])
    ]
    kind = "values" if not classes else "top label" if many else "positive"
    return {"rows": ROWS, "n_rows": 1200, "kind": kind,
            "what": "What was predicted against what was observed.", "bins": bins,
            "expected_calibration_error": 0.0213 * scale,
            "maximum_calibration_error": 0.0634 * scale, "bias": 0.0021 * scale, "classes": listed,
            "n_left_out": 0}  # fmt: skip


def threshold_facts(classes: list[str]) -> Facts:
    """Return facts of thresholds and costs."""
    if not classes:
        return {"missing": "Thresholds are for classes; this is a regression."}
    coverage = [i / 20 for i in range(1, 21)]
    risk = [0.13 * c**2.2 for c in coverage]
    at = [{"coverage": c, "risk": 0.13 * c**2.2, "threshold": 1 - c / 2} for c in (0.5, 0.8, 0.95)]
    two = len(classes) == 2
    only_two = {"missing": "Thresholds and costs are for two classes; here are five."}
    thresholds = [i / 50 for i in range(51)]
    return {
        "rows": ROWS, "n_rows": 1200,
        "curve": _curve(classes, thresholds) if two else only_two,
        "costs": [_cost(c, thresholds) for c in (1, 2, 5, 10, 20)] if two else only_two,
        "risk_coverage": {"coverage": coverage, "risk": risk, "threshold": [1 - c / 2 for c in
                          coverage], "area": 0.041, "full_risk": 0.13, "at": at,
                          "what": "Error of the rows that are predicted, the least certain left "
                          "out."},
        "caution": "A threshold that is chosen here is fitted to these rows.",
    }  # fmt: skip


def _rates(t: float) -> tuple[float, float]:
    return (1 - t) ** 0.6 if t < 1 else 0.0, (1 - t) ** 4


def _curve(classes: list[str], thresholds: list[float]) -> Facts:
    base = 0.26
    recall, false = zip(*map(_rates, thresholds), strict=True)
    called = [base * r + (1 - base) * f for r, f in zip(recall, false, strict=True)]
    precision = [base * r / c if c else None for r, c in zip(recall, called, strict=True)]
    f1 = [2 * p * r / (p + r) if p else 0.0 for p, r in zip(precision, recall, strict=True)]
    accuracy = [base * r + (1 - base) * (1 - f) for r, f in zip(recall, false, strict=True)]
    best = max(range(len(f1)), key=f1.__getitem__)
    found = {"threshold": thresholds[best], "value": f1[best]}
    return {
        "positive": classes[-1], "thresholds": thresholds, "precision": precision,
        "recall": list(recall), "false_positive_rate": list(false), "f1": f1, "accuracy": accuracy,
        "called_positive": called, "base_rate": base, "roc_auc": 0.903, "average_precision": 0.801,
        "best": {"f1": found, "accuracy": {"threshold": 0.5, "value": 0.871},
                 "balanced_accuracy": {"threshold": 0.32, "value": 0.812}},
        "roc": {"false_positive_rate": [0.0, *false[::-1]], "true_positive_rate": [0.0,
                *recall[::-1]]},
    }  # fmt: skip


def _cost(miss: float, thresholds: list[float]) -> Facts:
    rates = map(_rates, thresholds)
    costs = [miss * 0.26 * (1 - recall) + 0.74 * false for recall, false in rates]
    best = min(range(len(costs)), key=costs.__getitem__)
    return {"miss_cost": miss, "mean_cost": costs, "best_threshold": thresholds[best],
            "best_cost": costs[best], "cost_at_half": costs[25], "cost_of_none": 0.26 * miss,
            "cost_of_all": 0.74}  # fmt: skip
