"""
SHAP values of a prediction
===========================

A booster has learned Friedman's function, 10 sin(pi a b) + 20 (c - 1/2)^2 + 10 d + 5 e, from rows
with five more columns that mean nothing. Shapley values split each prediction into contributions of
the columns; their mean absolute values find the five that matter. Interactions show that only a and
b act together, and partial dependence shows how.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import make_friedman1

from nonet import HistGradientBoostingRegressor, shap_interactions, shap_values, tree_dependence

table, y = make_friedman1(1500, noise=0.5, random_state=0)
X = pd.DataFrame(table, columns=list("abcdefghij"))
model = HistGradientBoostingRegressor(max_iter=150).fit(X, y)

fractions = shap_values(model, X)
exact = np.allclose(fractions.base + fractions.values.sum(axis=1), model.predict(X))
print(f"contributions sum to the predictions: {exact}")

# %%
# The strongest pair of columns, off the diagonal.

strength = np.abs(shap_interactions(model, X[:300]).values).mean(axis=0)
np.fill_diagonal(strength, 0)
first, second = np.unravel_index(strength.argmax(), strength.shape)
print(f"acting together: {X.columns[first]} and {X.columns[second]}")

figure, panels = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
fractions.plot(panels[0, 0])
panels[0, 0].set_title("who matters")
picture = panels[0, 1].imshow(strength, cmap="cividis")
panels[0, 1].set(xticks=range(10), yticks=range(10), title="interactions")
panels[0, 1].set_xticklabels(X.columns)
panels[0, 1].set_yticklabels(X.columns)
figure.colorbar(picture, ax=panels[0, 1], label="mean absolute interaction")
tree_dependence(model, X, "c").plot(panels[1, 0])
panels[1, 0].set_title("c: a parabola")
tree_dependence(model, X, ("a", "b"), n_points=40).plot(panels[1, 1])
panels[1, 1].set_title("a and b")
plt.show()
