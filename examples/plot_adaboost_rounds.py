"""
AdaBoost round by round
=======================

Twelve points, three lines. A point's size is its weight: those that a line gets wrong (crossed) are
larger in the next round, until the next line has to get them right. The vote of the three lines,
weighted by alpha, gets all points right, though each line alone fails on some.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import AdaBoostClassifier, DecisionStump

# %%
# The points of the lecture notes, +1 yellow and -1 green. Each prefix of the boosting is fitted by
# itself, to have the weights before each of its rounds.

X = np.array(
    [[4, 1], [2, 4], [5, 1], [3, 2], [1, 5], [3, 5], [2, 1], [2, 2], [2, 5], [4, 3], [2, 3], [5, 2]]
)
y = np.array([1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, -1])
stages = [
    AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=n).fit(X, y)
    for n in (1, 2, 3)
]
log = stages[-1].round_log_
for number in range(3):
    print(
        f"round {number + 1}: error {log.error[number]:.4f}, alpha {log.alpha[number]:.4f}, "
        f"bound {log.product_bound[number]:.4f}, training error {log.training_error[number]:.4f}"
    )

# %%
# One picture per round, and the vote.

figure, axes = plt.subplots(1, 4, figsize=(13, 3.6), layout="constrained")
colours = np.where(y == 1, "gold", "seagreen")
grid = np.stack(np.meshgrid(np.linspace(0, 6, 200), np.linspace(0, 6, 200)))
points = grid.reshape(2, -1).T
for ax, stage in zip(axes, stages, strict=False):
    stump = stage.estimators_[-1]
    wrong = stump.predict(X) != y
    ax.contourf(*grid, stump.predict(points).reshape(200, 200), levels=1, alpha=0.15, cmap="summer")
    ax.scatter(*X.T, s=1500 * stage.round_log_.last_weights, c=colours, edgecolors="black")
    ax.scatter(*X[wrong].T, marker="x", c="black")
    ax.set_title(f"round {len(stage)}: alpha {stage.round_log_.alpha[-1]:.2f}", loc="left")
vote = stages[-1].predict(points).reshape(200, 200)
axes[-1].contourf(*grid, vote, levels=1, alpha=0.15, cmap="summer")
axes[-1].scatter(*X.T, s=100, c=colours, edgecolors="black")
axes[-1].set_title("the weighted vote", loc="left")
plt.show()
