"""A folder as the benchmarks read it: Parquet files, and datasets.json that describes them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

TASKS = {  # of every name that a tested script reads
    "adult": "binary",
    "bank_marketing": "binary",
    "california_housing": "regression",
    "covertype": "multiclass",
    "iris": "multiclass",
    "penguins": "multiclass",
    "phoneme": "binary",
    "segment": "multiclass",
    "spambase": "binary",
    "vowel": "multiclass",
}
N_ROWS = 120


def write_tiny_tables(folder):
    """Write all tables: two columns of numbers, one of categories with gaps, one to ignore."""
    facts = []
    for name, task in TASKS.items():
        tiny_frame(task).to_parquet(folder / f"{name}.parquet")
        facts.append(
            {
                "name": name,
                "file": f"{name}.parquet",
                "task": task,
                "target": "class",
                "ignore_columns": ["row"],
                "rows": N_ROWS,
            }
        )
    (folder / "datasets.json").write_text(json.dumps({"datasets": facts}))


def tiny_frame(task):
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, N_ROWS))
    colour = rng.choice(["red", "green", "blue"], N_ROWS).astype(object)
    target = x + (colour == "red") + 0.1 * noise
    if task != "regression":
        edges = np.quantile(target, [0.5] if task == "binary" else [0.3, 0.6])
        target = np.digitize(target, edges).astype(str)
    return pd.DataFrame(
        {"row": range(N_ROWS), "x": x, "noise": noise, "colour": colour, "class": target}
    )
