"""
One-vs-rest: the region where no class is predicted
===================================================

Fourteen foods by sweetness and crispness, three classes, one logistic line for each class against
the rest. Between the three lines lies a triangle where every member predicts "rest". The plain arg
max still names a class there; a rule that may abstain does so. One against one has no
such triangle, only ties.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from sklearn.linear_model import LogisticRegression

from nonet import OneVsOneClassifier, OneVsRestClassifier
from nonet.decide import Abstain

FOODS = {
    "fruit": [[10, 1], [7, 4], [8, 3], [9, 8], [8, 7]],
    "protein": [[2, 2], [1, 5], [3, 3], [2, 1], [3, 2]],
    "vegetable": [[2, 8], [4, 10], [2, 9], [3, 7]],
}
X = np.array([point for points in FOODS.values() for point in points], dtype=float)
y = np.array([name for name, points in FOODS.items() for _ in points])
pepper = np.array([[6.0, 9.0]])

# %%
# Three ways to decide, with the same learner.

line = LogisticRegression()
models = {
    "one against the rest, arg max": OneVsRestClassifier(line),
    "one against the rest, abstain under 1/2": OneVsRestClassifier(
        line, decoding="probabilities", decide=Abstain(0.5, abstain_label="none")
    ),
    "one against one": OneVsOneClassifier(line),
}
for name, model in models.items():
    print(f"{name:40} a bell pepper is a", model.fit(X, y).predict(pepper)[0])

# %%
# Colours of the classes; white is abstention.

names = [*FOODS, "none"]
colours = ["#e8590c", "#1971c2", "#2f9e44", "#ffffff"]
ticks = np.linspace(0, 11, 221)
grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)

figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained", sharey=True)
for ax, (name, model) in zip(axes, models.items(), strict=True):
    regions = np.array([names.index(label) for label in model.predict(grid)])
    palette = ListedColormap(colours)
    shape = (len(ticks), len(ticks))
    ax.pcolormesh(ticks, ticks, regions.reshape(shape), cmap=palette, vmin=0, vmax=3, alpha=0.35)
    for food, colour in zip(FOODS, colours, strict=False):
        ax.scatter(*np.array(FOODS[food]).T, color=colour, edgecolor="black", label=food)
    ax.scatter(*pepper.T, marker="*", s=160, color="black", label="bell pepper")
    ax.set_title(name)
    ax.set_xlabel("sweetness")
axes[0].set_ylabel("crispness")
figure.legend(
    *axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False
)
plt.show()
