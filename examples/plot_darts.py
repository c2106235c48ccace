"""
Bias and variance: two darts players
====================================

Two players throw at a disc, each in a manner of their own; the task is to predict who threw from
the position of a hit. Three nearest neighbours draw a ragged border, a tree of depth four a border
of steps. A logistic regression on their held-out predictions weighs the two; the pictures show all
three.

The throws are made up: the published example shows a few rows of its data only.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier, honest_score


def throw(random, n_throws, centre, spread):
    """Hits inside the disc of radius 1."""
    hits = random.normal(centre, spread, size=(4 * n_throws, 2))
    return hits[np.hypot(*hits.T) < 1][:n_throws]


random = np.random.default_rng(3)
X = np.vstack([throw(random, 60, (-0.25, 0.1), 0.35), throw(random, 60, (0.3, -0.15), 0.35)])
player = np.repeat(["Anna", "Boris"], 60)

members = [
    ("3 nearest", KNeighborsClassifier(3)),
    ("tree", DecisionTreeClassifier(criterion="entropy", max_depth=4, random_state=0)),
]
stack = StackingClassifier(members, LogisticRegression(), cv=4).fit(X, player)

# %%
# The decision regions of each model.

figure, axes = plt.subplots(1, 3, figsize=(13, 4.4), layout="constrained")
models = {**stack.named_estimators_, "stacking": stack}
for ax, (name, model) in zip(axes, models.items(), strict=True):
    DecisionBoundaryDisplay.from_estimator(
        model,
        X,
        response_method="predict_proba",
        class_of_interest="Boris",
        ax=ax,
        cmap="RdBu",
        alpha=0.6,
        vmin=0,
        vmax=1,
    )
    for who, color in (("Anna", "#c92a2a"), ("Boris", "#1864ab")):
        ax.plot(*X[player == who].T, "o", color=color, ms=4, label=who)
    mistakes = np.sum(model.predict(X) != player)
    ax.add_patch(plt.Circle((0, 0), 1, fill=False))
    ax.set_title(f"{name}: {mistakes} mistakes on its own rows")
    ax.set_aspect("equal")
axes[0].legend(frameon=False)

# %%
# On its training rows every model looks good. Nested cross-validation estimates the error.

print("weights of the two in the logistic regression:", stack.final_estimator_.coef_.round(2))
print(honest_score(StackingClassifier(members, LogisticRegression(), cv=4), X, player, cv=5))
plt.show()
