"""
Bagging of unstable learners, and out-of-bag scores by groups
=============================================================

Left: the error on new rows against the number of members. Trees lose more than half of their
error; lines, which hardly change from bag to bag, lose little. Right: every row has
three twins in the table and the labels are coin tosses. Out-of-bag accuracy by rows (the twin is in
the bag) claims near perfection; by groups it is right: one half.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from nonet.bagging import BaggingClassifier, BaggingRegressor

# %%
# The first k columns of ``member_outputs`` are the ensemble of k members.

X, y = make_friedman1(1200, noise=1.0, random_state=0)
sizes = np.arange(1, 51)
curves = {}
for name, base in (("tree", DecisionTreeRegressor()), ("line", LinearRegression())):
    bagging = BaggingRegressor(base, 50, random_state=0).fit(X[:300], y[:300])
    outputs = bagging.member_outputs(X[300:])
    means = outputs.cumsum(axis=1) / sizes
    curves[name] = np.mean((means - y[300:, np.newaxis]) ** 2, axis=0)
    print(f"{name}: error {curves[name][0]:.1f} with 1 member, {curves[name][-1]:.1f} with 50")

# %%
# Coin tosses with twins: the same ensemble, scored by rows and by groups.

random = np.random.default_rng(0)
groups = np.arange(100).repeat(4)
noise, coin = random.normal(size=(100, 5))[groups], groups % 2
model = BaggingClassifier(n_estimators=40, oob_score=True, random_state=0)
claims = {
    "by rows": model.fit(noise, coin).oob_score_,
    "by groups": model.fit(noise, coin, groups=groups).oob_score_,
}

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, curve in curves.items():
    left.plot(sizes, curve, label=f"bagged {name}s")
left.set(xlabel="members", ylabel="squared error on new rows", ylim=(0, None))
left.legend()
right.bar(list(claims), list(claims.values()), color=["tab:red", "tab:green"])
right.axhline(0.5, color="black", linestyle="--", label="the truth")
right.set(ylabel="out-of-bag accuracy", ylim=(0, 1.05))
right.legend()
plt.show()
