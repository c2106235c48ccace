"""
Gradient boosting and forests: formulas with numbers
====================================================

The logistic loss with its signs put right, its gradient, the value of a leaf (one Newton step, not
the exact minimum), the starting score, the number of leaves, and the columns tried per split.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize_scalar

from nonet import GradientBoostingClassifier, GradientBoostingRegressor, forest_columns
from nonet.losses import LogisticLoss

loss = LogisticLoss()
print("logistic_loss_sign", loss.value(np.array([1.0]), np.array([0.3]))[0])
print("logistic_gradient", loss.gradient_hessian(np.array([0.0]), np.array([0.3]))[0][0])

# %%
# A leaf with four rows.

y, scores = np.array([1.0, 1.0, 0.0, 1.0]), np.array([0.2, -0.4, 0.1, 0.6])
gradient, hessian = loss.gradient_hessian(y, scores)
print("leaf_newton_step.newton", -gradient.sum() / hessian.sum())
print("leaf_newton_step.argmin", minimize_scalar(lambda v: loss.mean_loss(y, scores + v)).x)

# %%
# The score before the first tree is the log-odds: with a learning rate of 0 nothing is added to it.

X = np.arange(4.0)[:, np.newaxis]
start = GradientBoostingClassifier(n_estimators=1, learning_rate=0.0).fit(X, [1, 1, 1, 0])
print("gb_init_log_odds", start.decision_function(X)[0])

# %%
# Trees of depth 3 and 6 have up to 8 and 64 leaves.

X = np.random.default_rng(0).uniform(size=(4000, 1))
n_leaves = [
    GradientBoostingRegressor(n_estimators=1, max_depth=depth)
    .fit(X, X[:, 0])
    .estimators_[0, 0]
    .get_n_leaves()
    for depth in (3, 6)
]
print("gb_leaf_counts", *n_leaves)

# %%
# Columns tried per split of a forest with 2, 10 and 16 columns.

print("rf_m.reg", *forest_columns([2, 10, 16], "regression"))
print("rf_m.cls", *forest_columns([2, 10, 16], "classification"))
