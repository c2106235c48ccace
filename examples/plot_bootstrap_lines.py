"""
Bootstrap of a regression line
==============================

Ten visits to a shop: things bought, and minutes it took. One straight line fits them, and for 27
things, more than anyone bought, it promises a number of minutes with two decimals (left). A hundred
lines, each through a resample of the ten points, show how little that means: they agree where the
points are and fan out where they are not (right; five of them are drawn strongly). Their mean at 27
is what bagging would predict.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import bootstrap

things = np.array([10.0, 5, 12, 25, 1, 18, 11, 7, 19, 15])
minutes = np.array([15.0, 12, 18, 30, 3, 20, 14, 10, 20, 13])

result = bootstrap((things, minutes), "coefficients", n_resamples=1000, random_state=0)
at_27 = result.distribution @ [1, 27]
low, high = np.quantile(at_27, [0.05, 0.95])
print(f"one line:        {result.estimate @ [1, 27]:.2f} minutes")
print(f"mean of lines:   {at_27.mean():.2f}")
print(f"nine in ten lie: {low:.2f} to {high:.2f}")

# %%
# The line through all points, the lines through resamples, and the point to predict.

figure, axes = plt.subplots(1, 2, sharey=True, figsize=(9, 4.5), layout="constrained")
grid = np.array([0.0, 30.0])
for number, (intercept, slope) in enumerate(result.distribution[:100]):
    strength = 0.8 if number < 5 else 0.1
    axes[1].plot(grid, intercept + slope * grid, color="#0b7285", alpha=strength, lw=1)
for ax in axes:
    ax.plot(grid, result.estimate[0] + result.estimate[1] * grid, color="#e8590c", lw=2)
    ax.plot(things, minutes, "o", color="#343a40")
    ax.axvline(27, color="#343a40", ls="--", lw=1)
    ax.set(xlabel="things bought", xlim=(0, 30), ylim=(0, 40))
axes[0].set_ylabel("minutes")
plt.show()
