"""
Cost and accuracy of a cascade
==============================

A cheap linear member predicts the digits it is sure of; the rest goes on to a forest that costs a
hundred times as much. The confidence threshold of the first member sets the trade-off between cost
and error. Most of the forest's accuracy comes at a fraction of its cost.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from nonet import CascadeClassifier

X, y = load_digits(return_X_y=True)
X_learn, X_test, y_learn, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
stages = [
    ("line", LogisticRegression(C=0.01, max_iter=2000)),
    ("forest", RandomForestClassifier(100, random_state=0)),
]

# %%
bars = [0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0]
costs, errors = [], []
for sure in bars:
    cascade = CascadeClassifier(stages, sure=sure, costs=[1, 100]).fit(X_learn, y_learn)
    costs.append(cascade.mean_cost(X_test))
    errors.append(1 - cascade.score(X_test, y_test))
    print(f"sure from {sure:.2f}  cost {costs[-1]:5.1f}  error {errors[-1]:.3f}")

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
ax.plot(costs, errors, "o-", color="#0b7285")
for sure, cost, error in zip(bars, costs, errors, strict=True):
    ax.annotate(f"{sure:g}", (cost, error), textcoords="offset points", xytext=(6, 4))
ax.set_xlabel("mean cost of a row")
ax.set_ylabel("error on held-out digits")
ax.set_title("confidence threshold of the cheap member")
plt.show()
