"""
A uniform mix of weak rules is a strong one; a mix of lines a moderate one
==========================================================================

Stumps that see ten rows each are right in 68 % of the cases, sixty of them with equal votes in 89
%: together they draw the diagonal that none of them can. Perceptrons all separate the training rows
without error, by different lines; the mean of their lines keeps a larger distance from the nearest
row than 90 % of them, though not more than the best one. Both claims hold.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Perceptron

from nonet import BaggingClassifier
from nonet.plots import plot_decision_regions
from nonet.trees import DecisionStump

random = np.random.default_rng(0)


def draw_diagonal(n_rows: int, gap: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Two classes on either side of a diagonal, with an empty strip between them."""
    X = random.uniform(-1, 1, size=(8 * n_rows, 2))
    X = X[np.abs(X.sum(axis=1)) > gap][:n_rows]
    return X, np.where(X.sum(axis=1) > 0, 1, -1)


# %%
# Stumps can only split along the axes, but the classes are separated by a diagonal. Each stump sees
# ten rows and one column, and all have one vote.

X, y = draw_diagonal(200)
X_test, y_test = draw_diagonal(2000)
stumps = BaggingClassifier(
    DecisionStump(), n_estimators=60, max_features=1, max_samples=0.05, random_state=0
).fit(X, y)
alone = np.mean([m.estimator.score(m.view(X_test), y_test) for m in stumps.members_])
print(f"stumps: one {alone:.3f}, mix {stumps.score(X_test, y_test):.3f}")

# %%
# Perceptrons that separate the training rows, each by another line: how far is each line from the
# nearest row, and how far is that of the mix?

X_lines, y_lines = draw_diagonal(30, gap=0.5)
lines = BaggingClassifier(
    Perceptron(shuffle=True, tol=None, max_iter=50),
    n_estimators=30,
    bootstrap=False,
    random_state=0,
).fit(X_lines, y_lines)


def margin_of(coefficients: np.ndarray, offset: float) -> float:
    return float((y_lines * (X_lines @ coefficients + offset)).min() / np.linalg.norm(coefficients))


units = [
    np.append(model.coef_[0], model.intercept_[0]) / np.linalg.norm(model.coef_[0])
    for model in lines.estimators_
]
margins = np.array([margin_of(unit[:2], unit[2]) for unit in units])
mixed = np.mean(units, axis=0)
mixed_margin = margin_of(mixed[:2], mixed[2])
print(f"lines: margins from {margins.min():.3f} to {margins.max():.3f}, mean {margins.mean():.3f}")
beaten = np.mean(margins < mixed_margin)
print(f"their mean line: margin {mixed_margin:.3f}, more than {beaten:.0%} of them")
# The numbers of the text, in its order.
quoted = alone, stumps.score(X_test, y_test), beaten

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.4), layout="constrained")
plot_decision_regions(stumps, X, y, left, title="a mix of sixty stumps")
plot_decision_regions(lines, X_lines, y_lines, right, title="thirty perceptrons and their mix")
across = np.array([-1.1, 1.1])
for unit in units:
    right.plot(across, -(unit[0] * across + unit[2]) / unit[1], color="#868e96", lw=0.5, alpha=0.6)
right.plot(across, -(mixed[0] * across + mixed[2]) / mixed[1], color="#d55e00", lw=2)
right.set_ylim(-1.1, 1.1)
plt.show()
