"""
Schapire's toy set: three rounds of AdaBoost
============================================

Ten points, three stumps. Each stump misses three points, and each time other ones: the weighted
errors are 0.30, 0.21 and 0.14, the coefficients 0.42, 0.65 and 0.92. The weighted vote of the three
misses none. The original picture gives no coordinates; these points reproduce its numbers.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import AdaBoostClassifier, DecisionStump
from nonet.plots import plot_decision_regions

plus = [[1, 4.6], [1, 2.6], [4.2, 8.4], [5.4, 9.2], [6.6, 8.2]]
minus = [[2.6, 6.4], [3.3, 1.8], [3.8, 5.6], [8.8, 8.8], [8.6, 3.4]]
X, y = np.array(plus + minus), np.repeat([1, -1], 5)

stages = [
    AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=n).fit(X, y)
    for n in (1, 2, 3)
]
log = stages[-1].round_log_
print("schapire_toy.eps", *log.error)
print("schapire_toy.alpha", *log.alpha)
print("training error of the vote:", log.training_error[-1])
quoted = *log.error, *log.alpha  # the numbers of the text, in its order

# %%
# A point is as large as its weight in the round; the missed points are crossed.

figure, axes = plt.subplots(1, 4, figsize=(13, 3.6), layout="constrained")
for ax, stage in zip(axes, stages, strict=False):
    stump, weights = stage.estimators_[-1], stage.round_log_.last_weights
    plot_decision_regions(stump, X, ax=ax)
    for label, marker, colour in ((1, "P", "#1864ab"), (-1, "o", "#c92a2a")):
        chosen = y == label
        ax.scatter(*X[chosen].T, s=1200 * weights[chosen], c=colour, marker=marker, ec="white")
    ax.plot(*X[stump.predict(X) != y].T, "x", color="black", ms=12)
    error, alpha = stage.round_log_.error[-1], stage.round_log_.alpha[-1]
    ax.set_title(f"round {len(stage)}: error {error:.2f}, coefficient {alpha:.2f}", fontsize=9)
plot_decision_regions(stages[-1], X, ax=axes[-1])
for label, marker, colour in ((1, "P", "#1864ab"), (-1, "o", "#c92a2a")):
    axes[-1].scatter(*X[y == label].T, s=110, c=colour, marker=marker, ec="white")
axes[-1].set_title("the weighted vote", fontsize=9)
for ax in axes:
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
plt.show()
