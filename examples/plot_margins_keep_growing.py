"""
Margins of AdaBoost after zero training error
=============================================

Boosted trees get every training row right after a few rounds (left). The training error no longer
changes in later rounds, but the margins do: the low end of their distribution moves up (right), at
the cost of the high end, and the error on new rows keeps falling for a while.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_hastie_10_2

from nonet import AdaBoostClassifier, DecisionTreeClassifier
from nonet.theory import margins_by_round

# %%
# 600 rows to learn from, as many held out, trees of depth 4.

X, y = make_hastie_10_2(1200, random_state=0)
base = DecisionTreeClassifier(max_depth=4)
model = AdaBoostClassifier(base, method="discrete", n_estimators=300, hold_out=0.5, random_state=0)
log = model.fit(X, y).round_log_
fitted = int(np.argmax(log.training_error == 0)) + 1
print(f"no training error after {fitted} rounds; held-out error there and at the end:")
print(f"  {log.held_out_error[fitted - 1]:.3f} {log.held_out_error[-1]:.3f}")
print("smallest margin there and at the end:")
print(f"  {log.smallest_margin[fitted - 1]:.3f} {log.smallest_margin[-1]:.3f}")

# %%
# Errors by round, and the fraction of training rows with at most a given margin.

signs = np.where(model.member_outputs(X[log.rows]) == 1, 1, -1)
margins = margins_by_round(y[log.rows], signs, log.alpha)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
log.plot(left)
left.set_xscale("log")
fractions = np.arange(1, len(margins) + 1) / len(margins)
for n, colour in ((fitted, "#868e96"), (50, "#e8590c"), (300, "#0b7285")):
    right.plot(np.sort(margins[:, n - 1]), fractions, color=colour, label=f"{n} rounds")
right.set_xlabel("margin")
right.set_ylabel("fraction of training rows with at most that margin")
right.legend(frameon=False)
plt.show()
