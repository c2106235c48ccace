"""Configurations among which the portfolio of the auto-ensembler is selected.

Some are chosen by hand: the tuned default and variants of it, shapes of boosters known to work
together, cheap boosters for large tables, and other families. The rest is a sample of the space of
boosters, always the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nonet.auto.configuration import Configuration

MAX_ROUNDS = 3000
N_SAMPLED = 10

# learning rate, leaves, least rows of a leaf, columns, rows, l1, l2, random thresholds
SHAPES = {
    "boosted_64": (0.03, 64, 28, 0.55, 0.99, 0.91, 1.9, True),
    "boosted_39": (0.03, 39, 3, 0.46, 0.88, 0.24, 0.36, True),
    "boosted_84": (0.03, 84, 3, 0.53, 0.98, 0.03, 0.84, False),
    "boosted_8": (0.03, 8, 15, 0.42, 0.72, 0.11, 0.26, True),
    "boosted_180": (0.03, 180, 12, 0.40, 0.95, 0.77, 1.6, True),
    "boosted_16": (0.04, 16, 1, 0.58, 0.96, 0.94, 0.99, False),
    "boosted_20": (0.025, 20, 2, 0.43, 0.71, 0.51, 0.51, False),
    "boosted_5": (0.04, 5, 12, 0.73, 0.85, 0.24, 0.30, True),
    "boosted_8_all": (0.03, 8, 24, 0.94, 0.81, 0.44, 0.30, False),
    "slow_12": (0.012, 12, 10, 0.5, 0.8, 0.1, 1.0, True),
    "slow_50": (0.012, 50, 10, 0.5, 0.8, 0.1, 2.0, False),
    "fast_8": (0.1, 8, 10, 1.0, 1.0, 0.0, 1.0, False),
    "fast_31": (0.1, 31, 20, 0.7, 0.8, 0.0, 5.0, False),
    "fast_64": (0.1, 64, 10, 0.6, 1.0, 0.0, 2.0, True),
    "fast_15": (0.07, 15, 5, 1.0, 1.0, 0.0, 2.0, True),
    "medium_31": (0.05, 31, 20, 0.5, 0.8, 0.1, 10.0, False),
    "medium_127": (0.05, 127, 5, 0.6, 0.9, 0.0, 1.0, True),
}
OTHERS: dict[str, tuple[str, dict[str, Any]]] = {
    "default": ("boosted_trees", {}),
    "default_searched": ("boosted_trees", {"extra_trees": False}),
    "default_uniform": ("boosted_trees", {"extra_trees": True}),
    "default_half": ("boosted_trees", {"colsample_bynode": 0.5, "reg_lambda": 5.0}),
    "default_small": ("boosted_trees", {"num_leaves": 8, "min_child_samples": 5}),
    "extra_trees": (
        "extra_trees",
        {"n_estimators": 200, "min_samples_leaf": 2, "max_features": 0.5},
    ),
    "extra_trees_all": ("extra_trees", {"n_estimators": 200, "max_features": 1.0}),
    "extra_trees_few": (
        "extra_trees",
        {"n_estimators": 200, "min_samples_leaf": 3, "max_features": "sqrt"},
    ),
    "random_forest": (
        "random_forest",
        {"n_estimators": 200, "min_samples_leaf": 2, "max_features": 0.3},
    ),
    "random_forest_all": (
        "random_forest",
        {"n_estimators": 200, "min_samples_leaf": 3, "max_features": 0.8},
    ),
    "random_forest_few": ("random_forest", {"n_estimators": 200, "max_features": "sqrt"}),
    "linear": ("linear", {"C": 1.0}),
    "linear_ranks": ("linear", {"C": 0.3, "by_rank": True}),
    "splines": ("linear", {"C": 0.1, "n_knots": 5}),
    "splines_free": ("linear", {"C": 1.0, "n_knots": 5}),
    "splines_10": ("linear", {"C": 1.0, "n_knots": 10}),
    "near_5": ("neighbors", {"n_neighbors": 5}),
    "near": ("neighbors", {"n_neighbors": 15}),
    "near_ranks": ("neighbors", {"n_neighbors": 40, "by_rank": True}),
    "network_stopped": (
        "network",
        {"hidden_layer_sizes": [64, 32], "learning_rate_init": 0.002, "alpha": 0.001},
    ),
    "network": (
        "network",
        {
            "hidden_layer_sizes": [128, 64],
            "learning_rate_init": 0.002,
            "alpha": 1.0,
            "early_stopping": False,
            "max_iter": 60,
        },
    ),
    "network_ranks": (
        "network",
        {
            "hidden_layer_sizes": [128, 64],
            "learning_rate_init": 0.002,
            "alpha": 1.0,
            "early_stopping": False,
            "max_iter": 40,
            "batch_size": 64,
            "by_rank": True,
        },
    ),
    "network_tanh": (
        "network",
        {
            "hidden_layer_sizes": [128],
            "activation": "tanh",
            "learning_rate_init": 0.005,
            "alpha": 0.3,
            "early_stopping": False,
            "max_iter": 60,
            "batch_size": 128,
            "by_rank": True,
        },
    ),
    "network_small": (
        "network",
        {
            "hidden_layer_sizes": [32],
            "learning_rate_init": 0.005,
            "alpha": 3.0,
            "early_stopping": False,
            "max_iter": 30,
            "batch_size": 32,
        },
    ),
}

# Boosters that also read prepared columns; the end of the name is the preparation.
PREPARED = {
    "numbers": ("default", "fast_8", "fast_15", "boosted_8", "boosted_39", "boosted_84"),
    "all": ("default", "fast_15", "boosted_84"),
}


def candidates() -> list[Configuration]:
    """Return all configurations, by families."""
    shapes = [Configuration(name, "boosted_trees", _booster(*s)) for name, s in SHAPES.items()]
    others = [Configuration(name, family, params) for name, (family, params) in OTHERS.items()]
    boosters = [*others[:5], *shapes, *_sampled_boosters()]
    return [*boosters, *_prepared(boosters), *others[5:]]


def _prepared(boosters: list[Configuration]) -> list[Configuration]:
    by_name = {booster.name: booster for booster in boosters}
    return [
        replace(by_name[name], name=f"{name}_{prep}", prep=prep)
        for prep, names in PREPARED.items()
        for name in names
    ]


def _booster(
    learning_rate: float,
    num_leaves: int,
    min_child_samples: int,
    columns: float,
    rows: float,
    reg_alpha: float,
    reg_lambda: float,
    extra_trees: bool,
) -> dict[str, Any]:
    return {
        "n_estimators": MAX_ROUNDS,
        "learning_rate": learning_rate,
        "num_leaves": num_leaves,
        "min_child_samples": min_child_samples,
        "colsample_bynode": columns,
        "subsample": rows,
        "reg_alpha": reg_alpha,
        "reg_lambda": reg_lambda,
        "extra_trees": extra_trees,
    }


def _sampled_boosters() -> list[Configuration]:
    """Sample the space of boosters; numbers are rounded as a person would write them."""
    rng = np.random.default_rng(25)
    return [
        Configuration(f"sampled_{number}", "boosted_trees", _sampled_params(rng))
        for number in range(N_SAMPLED)
    ]


def _sampled_params(rng: np.random.Generator) -> dict[str, Any]:
    params = _booster(
        learning_rate=_log_uniform(rng, 0.02, 0.08),
        num_leaves=round(_log_uniform(rng, 5, 180)),
        min_child_samples=round(_log_uniform(rng, 1, 40)),
        columns=round(float(rng.uniform(0.3, 1.0)), 2),
        rows=round(float(rng.uniform(0.6, 1.0)), 2),
        reg_alpha=_log_uniform(rng, 0.01, 2.0),
        reg_lambda=_log_uniform(rng, 0.2, 20.0),
        extra_trees=bool(rng.integers(2)),
    )
    return params | {
        "cat_smooth": _log_uniform(rng, 1.0, 100.0),
        "cat_l2": _log_uniform(rng, 1.0, 100.0),
        "min_data_per_group": round(_log_uniform(rng, 5, 200)),
    }


def _log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    value = np.exp(rng.uniform(np.log(low), np.log(high)))
    return float(f"{value:.2g}")
