"""
AND of two lines reduces underfitting, an average of two curves overfitting
===========================================================================

Left: a quadrant, which one line cannot cut out (error 0.10); two lines joined by AND can (0.01).
Each of the two was fitted on its own side, as in the notes' figure; learning the parts from the
joint label would be harder. Right: two wiggly curves from half of the rows each (0.063 and 0.073),
and their mean (0.037). Both claims hold.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsRegressor

from nonet.combine import k_of_n, mean

random = np.random.default_rng(0)

# %%
# A quadrant: no single line can cut it out, but one line for each side and AND can.

X = random.uniform(-1, 1, size=(400, 2))
y = (X[:, 0] > 0) & (X[:, 1] > -0.2)
X_test = random.uniform(-1, 1, size=(4000, 2))
y_test = (X_test[:, 0] > 0) & (X_test[:, 1] > -0.2)
one = LogisticRegression().fit(X, y)
halves = [
    LogisticRegression().fit(X[:, [j]], X[:, j] > threshold) for j, threshold in ((0, 0), (1, -0.2))
]


def both(rows: np.ndarray) -> np.ndarray:
    predictions = np.column_stack([half.predict(rows[:, [j]]) for j, half in enumerate(halves)])
    return k_of_n(predictions.astype(int), 2, n_classes=2).argmax(axis=1)


one_error, and_error = np.mean(one.predict(X_test) != y_test), np.mean(both(X_test) != y_test)
print(f"one line: error {one_error:.3f}; two lines with AND: {and_error:.3f}")

# %%
# Two wiggly curves, each from its own half of the rows, and their mean.

x = np.sort(random.uniform(0, 6, 80))[:, np.newaxis]
values = np.sin(x[:, 0]) + random.normal(scale=0.4, size=80)
grid = np.linspace(0.2, 5.8, 300)[:, np.newaxis]
curves = [KNeighborsRegressor(2).fit(x[part::2], values[part::2]).predict(grid) for part in (0, 1)]
together = mean(np.column_stack(curves))
truth = np.sin(grid[:, 0])
errors = [np.mean((curve - truth) ** 2) for curve in (*curves, together)]
print(f"curves: squared errors {errors[0]:.3f} and {errors[1]:.3f}; their mean {errors[2]:.3f}")
# The numbers of the text, in its order.
quoted = one_error, and_error, *errors

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
side = np.linspace(-1, 1, 150)
plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
left.contourf(
    side, side, both(plane).reshape(150, 150), levels=[0.5, 1.5], colors=["#0b7285"], alpha=0.25
)
left.contour(side, side, one.predict(plane).reshape(150, 150), levels=[0.5], colors=["#e8590c"])
left.plot(*X[y].T, "o", ms=3, color="#0072b2")
left.plot(*X[~y].T, "s", ms=3, color="#e69f00")
left.set_title(f"line: error {one_error:.2f}, AND: {and_error:.2f}")
for curve in curves:
    right.plot(grid, curve, color="#868e96", lw=1)
right.plot(grid, together, color="#0b7285", lw=2, label="mean")
right.plot(grid, truth, color="#e8590c", ls="--", label="truth")
right.legend(frameon=False)
plt.show()
