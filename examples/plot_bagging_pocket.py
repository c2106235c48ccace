"""
Bagging of pocket perceptrons
=============================

One pocket perceptron draws a straight line. Twenty-five of them, each on a bag of its own, draw
twenty-five different lines (grey); their vote has a border of many pieces (black), which fits
the data better than any of the lines.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from nonet.bagging import BaggingClassifier, PocketPerceptron

# %%
# Two moons, and 25 perceptrons of 1000 corrections each, as in the notes.

X, y = make_moons(200, noise=0.25, random_state=1)
bagging = BaggingClassifier(PocketPerceptron(max_updates=1000), 25, random_state=0).fit(X, y)
alone = [model.score(X, y) for model in bagging]
print(f"one line {np.mean(alone):.3f} on average, the vote of all {bagging.score(X, y):.3f}")

# %%
# The fraction of votes as colour, each member's line in grey, the border of the vote in black.

grid = np.stack(np.meshgrid(np.linspace(-1.8, 2.8, 300), np.linspace(-1.4, 1.9, 300)))
points = grid.reshape(2, -1).T
figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
probability = bagging.predict_proba(points)[:, 1].reshape(grid.shape[1:])
filled = ax.contourf(*grid, probability, levels=np.linspace(0, 1, 11), cmap="RdBu", alpha=0.6)
for model in bagging:
    height = model.decision_function(points).reshape(grid.shape[1:])
    ax.contour(*grid, height, levels=[0], colors="grey", linewidths=0.5)
ax.contour(*grid, probability, levels=[0.5], colors="black", linewidths=2)
for label, marker in ((0, "o"), (1, "s")):
    ax.plot(*X[y == label].T, marker, mfc="white", mec="black", ms=4, label=f"class {label}")
ax.set_title("25 lines, one vote", loc="left")
ax.legend(loc="upper right")
figure.colorbar(filled, label="fraction of votes for class 1")
plt.show()
