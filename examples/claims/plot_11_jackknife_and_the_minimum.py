"""
The jackknife brings the least observation nearer to the bound
==============================================================

The corrected minimum is nearer to the bound in 65 to 70 % of the samples, and its bias is gone; it
may lie on either side. That holds. The other half of the notes' figure does not: the variance that
the jackknife gives for the minimum is *larger* than the bootstrap's at every size on average, and
both are too large. Neither is consistent for a minimum.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

sizes = np.array([5, 10, 20, 50, 100])
random = np.random.default_rng(0)
nearer, biases, ratios = [], [], []

# %%
# Samples of a uniform distribution on [0, 1]: the bound is 0, the least value X(1) is above it. The
# jackknife takes (n - 1)/n of the gap to X(2) off, which may overshoot.

for n in sizes:
    samples = np.sort(random.uniform(size=(4000, n)), axis=1)
    least, gap = samples[:, 0], samples[:, 1] - samples[:, 0]
    corrected = least - (n - 1) / n * gap
    nearer.append(np.mean(np.abs(corrected) < least))
    biases.append((least.mean(), corrected.mean()))
    ranks = np.arange(n)
    chances = ((n - ranks) / n) ** n - (
        (n - ranks - 1) / n
    ) ** n  # of each to be a resample's least
    by_bootstrap = samples**2 @ chances - (samples @ chances) ** 2
    by_jackknife = ((n - 1) / n * gap) ** 2
    truth = n / ((n + 1) ** 2 * (n + 2))
    ratios.append((by_jackknife.mean() / truth, by_bootstrap.mean() / truth))
    print(
        f"n = {n}: nearer in {nearer[-1]:.0%} of samples; mean {biases[-1][0]:.4f} -> "
        f"{biases[-1][1]:+.4f}; variance over truth {ratios[-1][0]:.2f} by jackknife, "
        f"{ratios[-1][1]:.2f} by bootstrap"
    )

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
left.plot(sizes, np.array(biases)[:, 0], "o-", color="#868e96", label="X(1)")
left.plot(sizes, np.array(biases)[:, 1], "o-", color="#0b7285", label="its jackknife")
left.axhline(0, color="#e8590c", ls="--", label="the bound")
left.set(xscale="log", xlabel="sample size", ylabel="mean over samples")
left.legend(frameon=False)
right.plot(sizes, np.array(ratios)[:, 0], "o-", color="#0b7285", label="jackknife")
right.plot(sizes, np.array(ratios)[:, 1], "o-", color="#e8590c", label="bootstrap")
right.axhline(1, color="#868e96", ls="--", label="the truth")
right.set(
    xscale="log", xlabel="sample size", ylabel="estimated variance of X(1) / true", ylim=(0, None)
)
right.legend(frameon=False)
plt.show()
