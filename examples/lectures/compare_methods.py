"""
Bagging, boosting and stacking compared
=======================================

The lists of the lectures (what helps when) with numbers: eight classification sets, label noise,
and bias and variance in regression. Base learners are a tree of depth 3, which is unstable, and
naive Bayes, which is stable. The runs are small; they show the direction, and some exceptions.
"""

from __future__ import annotations

from inspect import signature

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_friedman1,
    make_hastie_10_2,
    make_moons,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nonet

TREE = nonet.DecisionTreeClassifier(max_depth=3, random_state=0)
BAYES = GaussianNB()
MEMBERS = [
    ("tree", TREE),
    ("linear", make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))),
    ("neighbours", make_pipeline(StandardScaler(), KNeighborsClassifier(5, algorithm="kd_tree"))),
]
SETS = {
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits 3 to 5": tuple(
        a[np.isin(load_digits().target, (3, 4, 5))] for a in load_digits(return_X_y=True)
    ),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "moons": make_moons(400, noise=0.3, random_state=0),
    "circles": make_circles(400, noise=0.2, factor=0.5, random_state=0),
    "ten normal columns": make_hastie_10_2(600, random_state=0),
    "many useless columns": make_classification(
        400, n_features=30, n_informative=5, flip_y=0.1, random_state=0
    ),
}


def boost(base: object) -> nonet.AdaBoostClassifier:
    return nonet.AdaBoostClassifier(base, n_estimators=20)


def bag(base: object) -> nonet.BaggingClassifier:
    return nonet.BaggingClassifier(base, 20, random_state=0)


def stack() -> nonet.StackingClassifier:
    return nonet.StackingClassifier(MEMBERS, LogisticRegression(max_iter=500), cv=3)


def error(model: object, X: np.ndarray, y: np.ndarray) -> float:
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    return nonet.cv_error(model, X, y, cv=folds).error


# %%
# Gain: error of the base learner minus error of the ensemble (for stacking: of its best member).
# An ensemble helps or hurts if the difference is at least half a percent. Standard errors are over
# the sets.

gains: dict[str, list[float]] = {}
for X, y in SETS.values():
    tree, bayes = error(TREE, X, y), error(BAYES, X, y)
    best = min(error(model, X, y) for _, model in MEMBERS)
    gains.setdefault("bagged_trees", []).append(tree - error(bag(TREE), X, y))
    gains.setdefault("boosted_trees", []).append(tree - error(boost(TREE), X, y))
    gains.setdefault("bagged_bayes", []).append(bayes - error(bag(BAYES), X, y))
    gains.setdefault("boosted_bayes", []).append(bayes - error(boost(BAYES), X, y))
    gains.setdefault("stacked", []).append(best - error(stack(), X, y))
for name, gain in gains.items():
    print(f"{name}.gain", np.mean(gain))
    print(f"{name}.gain_error", np.std(gain, ddof=1) / np.sqrt(len(gain)))
    print(f"{name}.helps", np.sum(np.array(gain) >= 0.005))
    print(f"{name}.hurts", np.sum(np.array(gain) <= -0.005))

# %%
# A fifth of the training labels is flipped: how much does the error on clean rows grow?

X, y = make_hastie_10_2(3800, random_state=1)
test = slice(1800, None)
grown: dict[str, list[float]] = {}
for seed in range(3):
    train = slice(600 * seed, 600 * (seed + 1))
    flipped = np.where(np.random.default_rng(seed).random(600) < 0.2, -y[train], y[train])
    for name, model in {
        "bagged_trees": bag(TREE),
        "boosted_trees": boost(TREE),
        "stacked": stack(),
    }.items():
        clean, noisy = (
            np.mean(model.fit(X[train], labels).predict(X[test]) != y[test])
            for labels in (y[train], flipped)
        )
        grown.setdefault(name, []).append(noisy - clean)
for name, growth in grown.items():
    print(f"{name}.noise", np.mean(growth))
    print(f"{name}.noise_error", np.std(growth, ddof=1) / np.sqrt(len(growth)))

# %%
# Squared bias and variance of regressors, over bootstrap samples of 200 rows.

X, y = make_friedman1(1200, noise=1.0, random_state=0)
truth = make_friedman1(1200, noise=0.0, random_state=0)[1][200:]
tree = nonet.DecisionTreeRegressor(max_depth=3, random_state=0)
members = [
    ("tree", tree),
    ("linear", LinearRegression()),
    ("neighbours", KNeighborsRegressor(5, algorithm="kd_tree")),
]
regressors = {
    "single_tree": tree,
    "bagged": nonet.BaggingRegressor(tree, 20, random_state=0),
    "boosted": nonet.GradientBoostingRegressor(n_estimators=60, max_depth=3, random_state=0),
    "averaged": nonet.VotingRegressor(members),
    "stacked_simple": nonet.StackingRegressor(members, LinearRegression(), cv=3),
    "stacked_complex": nonet.StackingRegressor(
        members, nonet.DecisionTreeRegressor(random_state=0), cv=3, passthrough=True
    ),
}
for name, model in regressors.items():
    parts = nonet.bias_variance(
        model,
        X[:200],
        y[:200],
        X_test=X[200:],
        y_test=y[200:],
        truth=truth,
        n_rounds=10,
        random_state=0,
    )
    print(f"{name}.bias", parts.bias)
    print(f"{name}.variance", parts.variance)

# %%
# Members that do not depend on each other can be fitted in parallel.

for cls in (nonet.BaggingClassifier, nonet.StackingClassifier, nonet.AdaBoostClassifier):
    print(f"{cls.__name__}.parallel", "n_jobs" in signature(cls).parameters)
