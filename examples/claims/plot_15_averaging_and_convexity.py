"""
Averaging beats a random pick if the loss is convex
===================================================

Squared and absolute loss are convex: the mean of five predictions never loses to a random one of
them, on no row. The 0-1 loss of the sign is not: on 24 % of the rows a random member would have
done better than the mean. On average averaging wins there too, because most members are right more
often than not; nothing guarantees it.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet.theory import jensen_gap

random = np.random.default_rng(0)
predictions = random.normal(0.3, 1.0, size=(4000, 5))
truth = np.ones(4000)
losses = {
    "squared": "squared",
    "absolute": "absolute",
    "0-1 (sign)": lambda p, y: (np.sign(p) != y).astype(float),
}

# %%
# The gap: mean loss of the five members less the loss of their mean, row by row.

gaps = {name: jensen_gap(predictions, truth, loss) for name, loss in losses.items()}
for name, gap in gaps.items():
    lost = np.mean(gap < -1e-12)
    print(f"{name}: mean gap {gap.mean():+.3f}, minimum {round(gap.min(), 2) + 0:+.2f}")
    print(f"  averaging loses on {lost:.0%} of the rows")
# The numbers of the text, in its order.
quoted = (lost,)

# %%
figure, axes = plt.subplots(1, 3, figsize=(11, 3.8), layout="constrained")
for ax, (name, gap) in zip(axes, gaps.items(), strict=True):
    ax.hist(gap[gap >= -1e-12], bins=30, color="#0b7285", label="averaging wins or draws")
    if (gap < -1e-12).any():
        ax.hist(gap[gap < -1e-12], bins=8, color="#e8590c", label="averaging loses")
    ax.axvline(0, color="#343a40", lw=1)
    ax.set(title=f"{name} loss", xlabel="gain of averaging", yscale="log")
    ax.legend(frameon=False, fontsize="small")
axes[0].set_ylabel("rows")
plt.show()
