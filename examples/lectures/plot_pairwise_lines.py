"""
Food: lines of one class against the rest, and of pairs
=======================================================

Left: three logistic regressions, each for one class against the rest. Between their lines is a
triangle in which every probability is below one half. Right: three for the pairs of classes; a
class is predicted if it wins most of its pairs. The star is the bell pepper, a vegetable by both.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from nonet import OneVsOneClassifier, OneVsRestClassifier
from nonet.decide import Abstain
from nonet.plots import plot_decision_regions

FOOD = {
    "fruit": [[10, 1], [7, 4], [8, 3], [9, 8], [8, 7]],
    "protein": [[2, 2], [1, 5], [3, 3], [2, 1], [3, 2]],
    "vegetable": [[2, 8], [4, 10], [2, 9], [3, 7]],
}
X = np.array([point for points in FOOD.values() for point in points], dtype=float)
y = np.array([name for name, points in FOOD.items() for _ in points])
models = {
    "one class against the rest, abstaining below one half": OneVsRestClassifier(
        LogisticRegression(), decoding="probabilities", decide=Abstain(0.5, abstain_label="none")
    ),
    "pairs of classes": OneVsOneClassifier(LogisticRegression()),
}
figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
x = np.array([0.0, 11.0])
for ax, (title, model) in zip(axes, models.items(), strict=True):
    plot_decision_regions(model.fit(X, y), X, y, ax=ax, title=title)
    for member in model.members_:
        (a, b), c = member.estimator.coef_[0], member.estimator.intercept_[0]
        ax.plot(x, -(a * x + c) / b, color="black", lw=1.2)
    ax.plot(6, 9, "*", ms=16, color="#e8590c", mec="black")
    ax.set(xlim=(0, 11), ylim=(0, 11), xlabel="sweetness", ylabel="crispness")
    print(f"{title}: the bell pepper is predicted as", *model.predict([[6, 9]]))
plt.show()
