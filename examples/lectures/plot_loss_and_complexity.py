"""
Loss against complexity: bias, variance, training and test error
================================================================

Trees of growing depth on small samples. The training error falls to the end. The test error falls
while the bias does, and rises again with the variance: shallow trees underfit, deep ones overfit.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from nonet import DecisionTreeRegressor, bias_variance
from nonet.plots import plot_complexity

X, y = make_friedman1(1200, noise=2.0, random_state=0)
truth = make_friedman1(1200, noise=0.0, random_state=0)[1]
train, test = slice(200), slice(200, None)
depths = range(1, 11)
parts, training = {}, []
for depth in depths:
    tree = DecisionTreeRegressor(max_depth=depth, random_state=0)
    parts[depth] = bias_variance(
        tree,
        X[train],
        y[train],
        X_test=X[test],
        y_test=y[test],
        truth=truth[test],
        n_rounds=30,
        random_state=0,
    )
    training.append(np.mean((tree.fit(X[train], y[train]).predict(X[train]) - y[train]) ** 2))
best = min(depths, key=lambda depth: parts[depth].error)
print(f"smallest test error at depth {best}; training error at depth 10 is {training[-1]:.2f}")

ax = plot_complexity(parts, label="depth of the tree")
ax.plot(depths, training, color="black", ls="--", label="training error")
ax.legend(frameon=False, loc="upper right", bbox_to_anchor=(1, 0.52))
plt.show()
