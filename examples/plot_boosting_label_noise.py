"""
Boosting with label noise
=========================

"Boosting suffers from mislabelled rows" is true of some base learners more than of others. Stumps
hardly lose more than bagging does; trees of depth 2 lose a lot, and there MadaBoost, which lets no
row grow beyond its first weight, keeps part of it. With stumps MadaBoost is only slower.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_hastie_10_2

from nonet import AdaBoostClassifier, BaggingClassifier, DecisionTreeClassifier

# %%
# 500 training rows, a fraction of their labels flipped; error on 2000 clean rows, 3 draws.

NOISE = (0.0, 0.1, 0.2, 0.3)
LEARNERS = {
    "AdaBoost, stumps": lambda: AdaBoostClassifier(n_estimators=100),
    "MadaBoost, stumps": lambda: AdaBoostClassifier(method="mada", n_estimators=100),
    "AdaBoost, depth 2": lambda: boost_trees("discrete"),
    "MadaBoost, depth 2": lambda: boost_trees("mada"),
    "bagged full trees": lambda: BaggingClassifier(
        DecisionTreeClassifier(), n_estimators=30, random_state=0
    ),
}


def boost_trees(method: str) -> AdaBoostClassifier:
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), method=method, n_estimators=200)


def error(learner: str, noise: float, seed: int) -> float:
    X, y = make_hastie_10_2(2500, random_state=seed)
    given = y[:500].copy()
    given[np.random.default_rng(seed).uniform(size=500) < noise] *= -1
    return 1 - LEARNERS[learner]().fit(X[:500], given).score(X[500:], y[500:])


errors = {
    name: [np.mean([error(name, noise, seed) for seed in range(3)]) for noise in NOISE]
    for name in LEARNERS
}
for name, values in errors.items():
    print(f"{name:<20}", " ".join(f"{value:.3f}" for value in values))

# %%
# The picture: dashed lines are MadaBoost.

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
colours = ("#0b7285", "#0b7285", "#e8590c", "#e8590c", "#868e96")
for (name, values), colour in zip(errors.items(), colours, strict=True):
    ax.plot(NOISE, values, "--" if "Mada" in name else "-", color=colour, marker="o", label=name)
ax.set_xlabel("fraction of flipped training labels")
ax.set_ylabel("error on clean rows")
ax.legend(frameon=False)
plt.show()
