"""
Decision regions: a tree, bagged trees, a forest
================================================

A tree splits the plane into rectangles, and follows every outlier. Bagged trees average many such
partitions: the border bends. A forest also samples the columns of each split, its trees differ
more, and the border is smoother still. Colours show the fraction of the second class, the number on
each panel is the accuracy on new rows.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from nonet import BaggingClassifier, DecisionTreeClassifier, RandomForestClassifier

X, y = make_moons(300, noise=0.3, random_state=0)
new_X, new_y = make_moons(2000, noise=0.3, random_state=1)
models = {
    "one tree": DecisionTreeClassifier(random_state=0),
    "100 bagged trees": BaggingClassifier(DecisionTreeClassifier(), 100, random_state=0),
    "a forest of 100": RandomForestClassifier(100, max_features=1, random_state=0),
}

# %%
# The plane as a table of rows.

across, up = np.meshgrid(np.linspace(-2, 3, 150), np.linspace(-1.5, 2, 150))
plane = np.column_stack([across.ravel(), up.ravel()])

figure, panels = plt.subplots(1, 3, figsize=(12, 4), layout="constrained", sharey=True)
for panel, (name, model) in zip(panels, models.items(), strict=True):
    fractions = model.fit(X, y).predict_proba(plane)[:, 1].reshape(across.shape)
    accuracy = model.score(new_X, new_y)
    print(f"{name}: {accuracy:.3f}")
    panel.contourf(across, up, fractions, levels=11, cmap="RdBu", alpha=0.7)
    panel.contour(across, up, fractions, levels=[0.5], colors="black")
    panel.scatter(*X.T, c=y, cmap="RdBu", edgecolor="black", s=12)
    panel.set_title(f"{name}: {accuracy:.3f}")
plt.show()
