"""Names and rows that all made-up facts use."""

from __future__ import annotations

from typing import Any

Facts = dict[str, Any]

ROWS = "1,200 held-out rows of 5 folds"
SAMPLE = "500 of 1,200 held-out rows of 5 folds, sampled at random"
NAMES = ["boosted 1", "boosted 2", "forest 1", "extra trees 1", "linear 1", "neighbours 1"]
WEIGHTS = [0.41, 0.22, 0.17, 0.11, 0.09, 0.0]
COLUMNS = ["age", "income", "city", "months as a customer", "last login", "calls", "contract"]
KINDS = ["number", "number", "category", "number", "date", "number", "category"]
