"""
Lines through resampled points
==============================

Ten visits to a shop: minutes and purchases. One straight line fits them, and at 27 minutes, outside
the data, it promises a number with two decimals. A hundred lines, each through a resample of the
ten points, show how little that means: they agree where the points are and fan out where they are
not. Their mean at 27 is what bagging would predict.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import bootstrap

minutes = np.array([10.0, 5, 12, 25, 1, 18, 11, 7, 19, 15])
purchases = np.array([15.0, 12, 18, 30, 3, 20, 14, 10, 20, 13])

result = bootstrap((minutes, purchases), "coefficients", random_state=0)
at_27 = result.distribution @ [1, 27]
low, high = np.quantile(at_27, [0.05, 0.95])
print(f"one line:        {result.estimate @ [1, 27]:.2f}")
print(f"mean of lines:   {at_27.mean():.2f}")
print(f"nine in ten lie: {low:.2f} to {high:.2f}")

# %%
# A hundred of the lines, the one through all points, and the place that is asked for.

figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
grid = np.array([0.0, 30.0])
for intercept, slope in result.distribution[:100]:
    ax.plot(grid, intercept + slope * grid, color="#0b7285", alpha=0.12, lw=1)
ax.plot(grid, result.estimate[0] + result.estimate[1] * grid, color="#e8590c", lw=2)
ax.plot(minutes, purchases, "o", color="#343a40")
ax.axvline(27, color="#343a40", ls="--", lw=1)
ax.set(xlabel="minutes", ylabel="purchases", xlim=(0, 30), ylim=(0, 40))
plt.show()
