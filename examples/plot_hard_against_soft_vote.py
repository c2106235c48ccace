"""
Hard voting and soft voting
===========================

A hard vote counts labels; a soft vote averages probabilities. The left picture is the fraction of
hard votes, a step function; the right one is the mean probability, and its border (black)
is smooth. In the rows marked with a ring the two disagree: there the minority is surer than the
majority.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from nonet import VotingClassifier

# %%
# Two columns of the breast cancer data, so that the votes can be drawn, and three members.

data = load_breast_cancer(as_frame=True)
X = data.data[["mean concave points", "mean texture"]].to_numpy()
y = data.target_names[data.target]
members = [
    ("line", make_pipeline(StandardScaler(), LogisticRegression())),
    ("near", make_pipeline(StandardScaler(), KNeighborsClassifier(15))),
    ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
]
votes = {name: VotingClassifier(members, voting=name).fit(X, y) for name in ("hard", "soft")}

# %%
# ``predict_proba`` exists for both: vote fractions for the hard one.

disagree = votes["hard"].predict(X) != votes["soft"].predict(X)
print(f"the two votes disagree on {disagree.sum()} of {len(X)} rows")

grid = np.stack(
    np.meshgrid(
        np.linspace(X[:, 0].min(), X[:, 0].max(), 150),
        np.linspace(X[:, 1].min(), X[:, 1].max(), 150),
    )
)
figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), sharey=True, layout="constrained")
for ax, (name, vote) in zip(axes, votes.items(), strict=True):
    benign = vote.predict_proba(grid.reshape(2, -1).T)[:, 0].reshape(grid.shape[1:])
    filled = ax.contourf(*grid, benign, levels=np.linspace(0, 1, 13), cmap="RdBu", alpha=0.6)
    ax.contour(*grid, benign, levels=[0.5], colors="black", linewidths=1)
    for label, color in zip(vote.classes_, ("tab:blue", "tab:red"), strict=True):
        ax.plot(*X[y == label].T, ".", color=color, ms=3, alpha=0.6, label=label)
    ax.plot(*X[disagree].T, "o", mfc="none", mec="black", ms=8)
    ax.set_title(f"{name} vote", loc="left")
    ax.set_xlabel("mean concave points")
axes[0].set_ylabel("mean texture")
axes[0].legend(loc="upper right")
figure.colorbar(filled, ax=axes, label="support of 'benign'")
plt.show()
