"""
Who is right where: the matrix, its profiles and the vote
=========================================================

Left: which of forty trees is right on which test row, rows sorted by the fraction of trees that are
right. A hard vote is right on every row where more than half of the trees are. Middle: the
accuracies of the trees, all of them below that of the ensemble. Right: the probability that a vote
of T trees is right on a row, as a function of the fraction of trees that are right there.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

from nonet import BaggingClassifier, DecisionTreeClassifier, correctness
from nonet.plots import plot_vote_probabilities

X, y = make_classification(500, n_features=10, n_informative=8, n_redundant=0, random_state=0)
bags = BaggingClassifier(
    DecisionTreeClassifier(max_depth=4, random_state=0), 40, random_state=0
).fit(X[:200], y[:200])
result = correctness(bags, X[200:], y[200:])
print(f"best tree {max(result.member_profile):.3f}, ensemble {result.accuracy:.3f},", end=" ")
print(f"rows with more than half right {result.above_half:.3f}")

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
result.plot(left)
middle.plot(np.sort(result.member_profile)[::-1], color="#0b7285", label="a tree")
middle.axhline(np.mean(result.member_profile), color="#868e96", ls=":", label="mean tree")
middle.axhline(result.accuracy, color="#e8590c", label="ensemble")
middle.set(xlabel="tree, sorted", ylabel="accuracy", title="columns")
middle.legend(frameon=False)
plot_vote_probabilities(ax=right)
plt.show()
