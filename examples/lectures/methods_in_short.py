"""
Methods of the lectures in one line each
========================================

Every method that a lecture names, and that has no example of its own, on one data set: accuracy on
held-out rows. The order is of no importance; the lines show how each method is called.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits, make_friedman1
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

import nonet
from nonet.boosting import Confidence

X, y = load_digits(n_class=4, return_X_y=True)
X = X / 16 + np.random.default_rng(0).normal(scale=0.25, size=X.shape)
train, test = slice(300), slice(300, None)
tree = nonet.DecisionTreeClassifier(max_depth=5, random_state=0)
members = [
    ("tree", tree),
    ("neighbours", KNeighborsClassifier(3)),
    ("logistic", LogisticRegression(max_iter=1000)),
]
halves = {"left": np.arange(32), "right": np.arange(32, 64)}  # columns of two views
models = {
    "single tree": tree,
    "median of probabilities": nonet.VotingClassifier(members, combine="median"),
    "selection of the best member": nonet.SelectionClassifier(members),
    "gating": nonet.GatedClassifier(members),
    "linear blending": nonet.BlendingClassifier(members, weights="non_negative", refit="all"),
    "arbiter": nonet.ArbiterClassifier(members, LogisticRegression(max_iter=1000)),
    "class combiner": nonet.StackingClassifier(members, level_one="labels"),
    "class-attribute combiner": nonet.StackingClassifier(
        members, tree, level_one="labels", passthrough=True
    ),
    "stacking by partition": nonet.StackingClassifier(members, partition="leaking", random_state=0),
    "one model per view": nonet.ViewsClassifier(
        [(name, LogisticRegression(max_iter=1000)) for name in halves], halves
    ),
    "class tree": nonet.ClassTreeClassifier(LogisticRegression(max_iter=1000), [0, 1, [2, 3]]),
    "random subspaces": nonet.RandomSubspaceClassifier(tree, 30, max_features=0.3, random_state=0),
    "support vectors on parts of the rows": nonet.BaggingClassifier(
        SVC(), 5, draw="partition", random_state=0
    ),
    "boosted trees": nonet.BoostedTreesClassifier(n_estimators=30, random_state=0),
    "boosted trees on histograms": nonet.HistGradientBoostingClassifier(max_iter=30),
    "bagged neural networks": nonet.BaggingClassifier(
        MLPClassifier((8,), solver="lbfgs", max_iter=60, random_state=0), 5, random_state=0
    ),
}
for name, model in models.items():
    print(f"{name}: {model.fit(X[train], y[train]).score(X[test], y[test]):.3f}")

# %%
# Two classes: the first boosting method with three learners, boosting by resampling, and
# confidence-rated boosting.

even = (y % 2).astype(int)
stump = nonet.DecisionTreeClassifier(max_depth=2, random_state=0)
for name, model in {
    "three learners": nonet.ThreeLearnerClassifier(stump, random_state=0),
    "boosting by weights": nonet.AdaBoostClassifier(stump, n_estimators=50),
    "boosting by resampling": nonet.AdaBoostClassifier(
        stump, n_estimators=50, resample=True, random_state=0
    ),
    "confidence-rated boosting": nonet.AdaBoostClassifier(
        stump, n_estimators=50, method=Confidence()
    ),
}.items():
    print(f"{name}: {model.fit(X[train], even[train]).score(X[test], even[test]):.3f}")

# %%
# A classifier chooses the regressor: prices of flats to live in and flats to invest in follow
# different rules.

X, y = make_friedman1(600, random_state=0)
invest = X[:, 5] > 0.5
y = np.where(invest, 20 - y, y)
purpose = np.where(invest, "invest", "live")
routed = nonet.RoutedRegressor(
    [("live", LinearRegression()), ("invest", LinearRegression())],
    nonet.DecisionTreeClassifier(max_depth=2, random_state=0),
).fit(X[:300], y[:300], routes=purpose[:300])
one = LinearRegression().fit(X[:300], y[:300])
print(f"R2 of one line {one.score(X[300:], y[300:]):.2f}, of two routed lines", end=" ")
print(f"{routed.score(X[300:], y[300:]):.2f}")
