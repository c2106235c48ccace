"""
Gating: weights of members that depend on x
===========================================

A flat line on the left, waves on the right. A straight line is good on one side, a mean of
neighbours on the other; one weight for all x is a compromise. A gate that measures how the
members did near x weights them by x, here with all weight on the better one; the squared
error falls by about a fifth against the best single weights.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

from nonet import GatedRegressor, VotingRegressor

rng = np.random.default_rng(0)


def truth(position: np.ndarray) -> np.ndarray:
    return np.where(position < 0, 0.0, np.sin(25 * position))


x = rng.uniform(-1, 1, 400)
y = truth(x) + rng.normal(0, 0.5, 400)
models = [("line", LinearRegression()), ("neighbours", KNeighborsRegressor(5))]
X = x[:, np.newaxis]

# %%
gated = GatedRegressor(models, select="best", n_neighbors=30).fit(X, y)
equal = VotingRegressor(models).fit(X, y)
best_weights = VotingRegressor(models, weights="simplex").fit(X, y)

grid = np.linspace(-1, 1, 801)
for name, model in {"equal": equal, "one weight each": best_weights, "gated": gated}.items():
    error = np.mean((model.predict(grid[:, np.newaxis]) - truth(grid)) ** 2)
    print(f"{name:16} squared error against the truth {error:.3f}")

# %%
figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(7.5, 5.6), layout="constrained", sharex=True, height_ratios=[2, 1]
)
top.plot(x, y, ".", color="#ced4da", markersize=4)
top.plot(grid, truth(grid), color="black", linewidth=1, label="truth")
top.plot(grid, best_weights.predict(grid[:, np.newaxis]), color="#868e96", label="one weight each")
top.plot(grid, gated.predict(grid[:, np.newaxis]), color="#0b7285", label="gated")
top.legend(frameon=False, loc="lower left")
bottom.stackplot(
    grid,
    gated.gate_weights(grid[:, np.newaxis]).T,
    labels=[name for name, _ in models],
    colors=["#ffd8a8", "#99e9f2"],
)
bottom.set_ylabel("weight")
bottom.legend(loc="lower left")
plt.show()
