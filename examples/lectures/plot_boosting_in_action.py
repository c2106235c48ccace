"""
AdaBoost of stumps in action
============================

A disc inside a ring cannot be separated by a line. The panels show the vote after 1, 2, 3, 5, 7 and
40 rounds: each stump is a vertical or horizontal line, and their weighted sum bends around the
disc. The last panel has the training error with its bound, and the test error.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import AdaBoostClassifier, DecisionStump
from nonet.plots import plot_decision_regions

random = np.random.default_rng(0)
X = random.normal(size=(1200, 2))
y = np.where(np.hypot(*X.T) < 1.2, 1, -1)
train, test = slice(200), slice(200, None)
rounds = (1, 2, 3, 5, 7, 40)
models = [
    AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=n).fit(X[train], y[train])
    for n in rounds
]
quoted = (rounds[-1],)  # the numbers of the text, in its order
log = models[-1].round_log_
test_error = [np.mean(p != y[test]) for p in models[-1].staged_predict(X[test])]
print(f"after 40 rounds: training error {log.training_error[-1]:.3f},", end=" ")
print(f"bound {log.product_bound[-1]:.3f}, test error {test_error[-1]:.3f}")

# %%
figure, grid = plt.subplots(2, 4, figsize=(12, 6), layout="constrained")
axes = grid.ravel()
axes[-1].axis("off")
for ax, n, model in zip(axes, rounds, models, strict=False):
    plot_decision_regions(model, X[train], y[train], ax=ax, title=f"round {n}", resolution=120)
    ax.set(xticks=[], yticks=[], xlabel="", ylabel="")
    if ax.get_legend():
        ax.get_legend().remove()
t, curves = np.arange(1, 41), axes[6]
curves.plot(t, log.product_bound, color="#868e96", ls="--", label="bound")
curves.plot(t, log.training_error, color="#0b7285", label="training")
curves.plot(t, test_error, color="#e8590c", label="test")
curves.set(xlabel="round", title="error")
curves.legend(frameon=False, fontsize=8)
plt.show()
