"""
Naive stacking overfits, cross-fitted stacking does not
=======================================================

Three members, and a model of their answers on top. Fitted on answers for rows the members have
seen, it trusts the full tree alone, which has learned them by heart (weight 1.0; squared error
14.2); on answers for unseen rows it weighs all three (6.7). A tree on top, fitted as honestly, does
worse than a line (11.3): it follows noise. The claim holds.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from nonet import make_ledger

MEMBERS = [
    ("full tree", DecisionTreeRegressor(random_state=0)),
    ("line", LinearRegression()),
    ("near", KNeighborsRegressor(5)),
]
METHODS = ("naive: line on top", "cross-fitted: line on top", "cross-fitted: tree on top")
N_REPEATS = 8

# %%
# On top of three members stands a model of their answers: answers on the rows they were fitted on
# (naive), or on rows they have not seen (cross-fitted, from the ledger).

errors, weights = np.empty((len(METHODS), N_REPEATS)), {name: [] for name in METHODS[:2]}
for repeat in range(N_REPEATS):
    X, y = make_friedman1(1150, noise=1.0, random_state=repeat)
    (X, X_test), (y, y_test) = (X[:150], X[150:]), (y[:150], y[150:])
    fitted = [model.fit(X, y) for _, model in MEMBERS]
    seen = np.column_stack([model.predict(X) for model in fitted])
    unseen = make_ledger(MEMBERS, X, y, cv=5).outputs
    new = np.column_stack([model.predict(X_test) for model in fitted])
    tops = {
        METHODS[0]: LinearRegression().fit(seen, y),
        METHODS[1]: LinearRegression().fit(unseen, y),
        METHODS[2]: DecisionTreeRegressor(min_samples_leaf=3, random_state=0).fit(unseen, y),
    }
    for place, (name, top) in enumerate(tops.items()):
        errors[place, repeat] = np.mean((top.predict(new) - y_test) ** 2)
        if name in weights:
            weights[name].append(top.coef_)
for name, error in zip(METHODS, errors, strict=True):
    print(f"{name}: squared error {error.mean():.2f}")
for name, found in weights.items():
    print(
        f"{name}: weights {np.round(np.mean(found, axis=0), 2)} of {[name for name, _ in MEMBERS]}"
    )

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
left.boxplot(errors.T, tick_labels=[name.replace(": ", "\n") for name in METHODS])
left.set_ylabel("squared error on new rows")
places = np.arange(len(MEMBERS))
for shift, (name, colour) in zip(
    (-0.2, 0.2), zip(weights, ("#e8590c", "#0b7285"), strict=True), strict=True
):
    right.bar(places + shift, np.mean(weights[name], axis=0), 0.4, color=colour, label=name)
right.set_xticks(places, labels=[name for name, _ in MEMBERS])
right.axhline(0, color="#343a40", lw=1)
right.set_ylabel("weight of the member")
right.legend(frameon=False)
plt.show()
