"""
Weights of members from held-out predictions
============================================

Members differ, so their weights may. But members that are alike leave the weights undetermined:
least squares then hands them out by chance. A ridge that pulls towards *equal* weights (not
towards zero) leads from least squares at one end to the plain mean at the other.

The left picture follows the weights of five members, four of which are two pairs of near copies, as
the pull grows. The right one shows the weights found on thirty random halves of the data: least
squares gives a pair's weight now to one of the two and now to the other, the ridge shares it.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Lasso, Ridge
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from nonet import VotingRegressor
from nonet.combine import RidgeToUniform

X, y = load_diabetes(return_X_y=True)
members = [
    ("ridge", make_pipeline(StandardScaler(), Ridge())),
    ("lasso", make_pipeline(StandardScaler(), Lasso(0.5))),
    ("9 neighbours", make_pipeline(StandardScaler(), KNeighborsRegressor(9))),
    ("11 neighbours", make_pipeline(StandardScaler(), KNeighborsRegressor(11))),
    ("tree", DecisionTreeRegressor(max_depth=3, random_state=0)),
]

# %%
# The weights against the strength of the pull, found on out-of-fold predictions.

strengths = np.logspace(0, 8, 25)
paths = np.array(
    [
        VotingRegressor(members, weights=RidgeToUniform(strength)).fit(X, y).weights_
        for strength in strengths
    ]
)
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for (name, _), path in zip(members, paths.T, strict=True):
    left.plot(strengths, path, lw=2, label=name)
left.axhline(1 / len(members), color="black", ls=":", lw=1)
left.set_xscale("log")
left.set_xlabel("strength of the pull towards equal weights")
left.set_ylabel("weight")
left.legend(frameon=False)

# %%
# Thirty halves of the data, two ways to find the weights. The errors on the other halves are alike:
# what the ridge buys here is weights that mean something, not better predictions.

ways = {"least squares": "non_negative", "with a pull of 10⁵": RidgeToUniform(1e5)}
halves = list(ShuffleSplit(30, test_size=0.5, random_state=0).split(X))
for shift, color, (name, way) in zip(
    (-0.12, 0.12), ("#e8590c", "#0b7285"), ways.items(), strict=True
):
    votes = [VotingRegressor(members, weights=way).fit(X[rows], y[rows]) for rows, _ in halves]
    weights = np.array([vote.weights_ for vote in votes])
    positions = np.arange(len(members)) + shift
    right.plot(
        np.tile(positions, (30, 1)).ravel(), weights.ravel(), "o", color=color, alpha=0.3, mew=0
    )
    right.plot(positions, weights.mean(axis=0), "_", color=color, ms=18, mew=3, label=name)
    errors = [
        np.sqrt(np.mean((vote.predict(X[rest]) - y[rest]) ** 2))
        for vote, (_, rest) in zip(votes, halves, strict=True)
    ]
    print(
        f"{name:18} spread of weights {weights.std(axis=0).mean():.3f}, "
        f"error on the other half {np.mean(errors):.2f} ± {np.std(errors):.2f}"
    )
right.set_xticks(range(len(members)), labels=[name for name, _ in members])
right.set_ylabel("weight")
right.legend(frameon=False)
plt.show()
