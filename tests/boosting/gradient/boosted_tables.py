"""Small tables of few distinct values for the tests of boosted trees."""

from __future__ import annotations

import numpy as np


def few_values(rng, n_rows=600, n_columns=5):
    X = rng.integers(0, 25, size=(n_rows, n_columns)).astype(float)
    y = X[:, 0] / 25 + np.sin(X[:, 1]) + 0.3 * rng.normal(size=n_rows)
    return X, y


def two_classes(rng, n_rows=600):
    X, y = few_values(rng, n_rows)
    return X, (y > 0.5).astype(int)
