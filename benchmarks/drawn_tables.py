"""The drawn table of several benchmarks: a sum, a product and noise on 28 columns of numbers."""

from __future__ import annotations

import numpy as np

N_COLUMNS = 28


def draw_table(
    n_rows: int, *, random: np.random.Generator | None = None, dtype: type = np.float32
) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and a noisy signal of the first six; classes are made by its thresholds."""
    random = np.random.default_rng(0) if random is None else random
    X = random.normal(size=(n_rows, N_COLUMNS)).astype(dtype)
    return X, X[:, :4].sum(axis=1) + X[:, 4] * X[:, 5] + 1.5 * random.normal(size=n_rows)
