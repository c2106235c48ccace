"""
Portfolio: the standard error of a fraction
===========================================

The fraction of the first asset that minimizes the risk, estimated from 100 days: 0.576. Its
standard error is 0.081 when new data can be simulated, and 0.091 by the bootstrap of the one
sample; the 0.087 of the lecture is one draw of a thousand resamples. The table is that of the
package ISLP (see ``../data/SOURCES.md``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from nonet import bootstrap

# The gallery has no __file__.
TABLE = Path(sys.argv[0]).resolve().parents[1] / "data" / "portfolio.csv"
var_x, var_y, cov = 1, 1.25, 0.5


def best_fraction(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    dx, dy = (a - a.mean(axis=axis, keepdims=True) for a in (x, y))
    sxx, syy, sxy = ((a * b).sum(axis=axis) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    return (syy - sxy) / (sxx + syy - 2 * sxy)


print("portfolio_alpha_true", (var_y - cov) / (var_x + var_y - 2 * cov))

# %%
# Twenty times the thousand simulated samples of the lecture, so that the numbers are steady.

samples = np.random.default_rng(0).multivariate_normal(
    [0, 0], [[var_x, cov], [cov, var_y]], size=(20_000, 100)
)
simulated = best_fraction(samples[..., 0], samples[..., 1], axis=1)
print("portfolio_simulation.mean", simulated.mean())
print("portfolio_simulation.sd", simulated.std(ddof=1))

# %%
# The fraction is the slope of Y on Y - X, so that its variance is known for normal data.

spread = var_x + var_y - 2 * cov
residual = var_y - (var_y - cov) ** 2 / spread
print("portfolio_sd_theory", np.sqrt(residual / (spread * (100 - 3))))

# %%
x, y = np.loadtxt(TABLE, delimiter=",", skiprows=1).T
result = bootstrap((x, y), best_fraction, n_resamples=20_000, random_state=0)
print("portfolio_alpha_hat", result.estimate)
print("portfolio_boot_se", result.standard_error)
