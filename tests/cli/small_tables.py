"""Small tables for tests of the command line."""

from __future__ import annotations

import csv
import io

import numpy as np

FAST = ("--families", "linear", "--max-tasks", "2")
N = 100


def churn_rows(n=N, seed=0):
    """Return columns of customers who left or not, by age and city."""
    rng = np.random.default_rng(seed)
    age, city = rng.integers(18, 70, n), rng.choice(["Oslo", "Rome", "Bonn"], n)
    days = rng.permutation(n)
    score = (age - 40) / 10 + 2 * (city == "Rome") + rng.normal(size=n)
    return {
        "customer": [f"c{i:04}" for i in range(n)],
        "age": age.tolist(),
        "city": city.tolist(),
        "joined": (np.datetime64("2024-01-01") + days).astype(str).tolist(),
        "weight": rng.integers(1, 4, n).tolist(),
        "left": np.where(score > 0.5, "yes", "no").tolist(),
    }


def flat_rows(n=N, seed=0):
    """Return columns of flats with their prices."""
    rng = np.random.default_rng(seed)
    size, rooms = rng.uniform(20, 120, n).round(1), rng.integers(1, 6, n)
    price = (3 * size + 10 * rooms + rng.normal(scale=5, size=n)).round(2)
    return {
        "size": size.tolist(),
        "rooms": rooms.tolist(),
        "noise": rng.normal(size=n).round(3).tolist(),
        "price": price.tolist(),
    }


def as_csv(columns, end="\n", delimiter=","):
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=end, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue().encode()
