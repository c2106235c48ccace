"""
One sample instead of a thousand
================================

Money is split between two assets with returns X and Y so that the risk is minimal. The best
fraction of the first asset is (var Y - cov) / (var X + var Y - 2 cov), estimated from 100 days.

How far may the estimate be off? If we could draw a thousand new samples from the truth, we would
see (left; here we can, as the data are simulated, and the true fraction is 0.6). With one sample we
draw from the sample instead (right). Both histograms have about the same width: that is all the
bootstrap promises. It does not show where the truth lies: its centre is the estimate.

The table is that of the package ISLP (see ``../data/SOURCES.md``).
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from nonet import bootstrap

# The gallery has no __file__.
TABLE = Path(sys.argv[0]).resolve().parents[1] / "data" / "portfolio.csv"
COVARIANCE = [[1, 0.5], [0.5, 1.25]]
x, y = np.loadtxt(TABLE, delimiter=",", skiprows=1).T


def best_fraction(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    dx, dy = (a - a.mean(axis=axis, keepdims=True) for a in (x, y))
    sxx, syy, sxy = ((a * b).sum(axis=axis) for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    return (syy - sxy) / (sxx + syy - 2 * sxy)


# %%
# A thousand samples from the truth, and a thousand resamples of the one sample.

truth = np.random.default_rng(0).multivariate_normal([0, 0], COVARIANCE, size=(1000, 100))
simulated = best_fraction(truth[..., 0], truth[..., 1], axis=1)
result = bootstrap((x, y), best_fraction, n_resamples=1000, random_state=0)
print(f"new samples: mean {simulated.mean():.3f}, standard deviation {simulated.std(ddof=1):.3f}")
print(f"bootstrap:   estimate {result.estimate:.3f}, standard error {result.standard_error:.3f}")
(sxx, sxy), (_, syy) = COVARIANCE
# The numbers of the text, in its order.
quoted = len(x), (syy - sxy) / (sxx + syy - 2 * sxy)
print(f"95 % interval: {result.interval('bca').low:.3f} to {result.interval('bca').high:.3f}")

figure, (left, right) = plt.subplots(
    1, 2, sharex=True, sharey=True, figsize=(9, 4), layout="constrained"
)
left.hist(simulated, bins=40, weights=np.full(1000, 1e-3), color="#868e96", alpha=0.75)
left.axvline(0.6, color="#e8590c", lw=2, label="truth 0.6")
left.set(xlabel="best fraction in a new sample", ylabel="fraction of samples")
left.legend(frameon=False)
result.plot(right, bins=40, method="bca")
right.set(xlabel="best fraction in a resample", ylabel="")
plt.show()
