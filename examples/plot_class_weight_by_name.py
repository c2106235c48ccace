"""
Class weights by label inside an ensemble
=========================================

Members of a nonet ensemble see your own labels, so a weight can be given to a class by its name,
inside an ensemble as outside of it. (scikit-learn's voting turns labels into 0, 1, ... before the
members see them, and the same code fails there.)

The weight of "malignant" grows from left to right: fewer tumours are missed, more healthy patients
are alarmed.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from nonet import VotingClassifier

data = load_breast_cancer(as_frame=True)
X = data.data[["mean radius", "mean texture", "mean smoothness", "mean symmetry"]]
y = data.target_names[data.target]


def vote(malignant):
    """Make an ensemble whose members all weigh 'malignant' so much."""
    weight = {"malignant": malignant, "benign": 1}
    line = LogisticRegression(class_weight=weight)
    return VotingClassifier(
        [
            ("line", make_pipeline(StandardScaler(), line)),
            ("tree", DecisionTreeClassifier(max_depth=3, class_weight=weight, random_state=0)),
        ],
        voting="soft",
    )


# %%
# Out-of-fold predictions for each weight.

weights = [1, 2, 3, 5, 8, 12, 20]
predictions = [cross_val_predict(vote(weight), X, y, cv=5) for weight in weights]
missed = [1 - recall_score(y, prediction, pos_label="malignant") for prediction in predictions]
alarmed = [1 - recall_score(y, prediction, pos_label="benign") for prediction in predictions]

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
ax.plot(weights, missed, "o-", color="#e8590c", label="malignant, but missed")
ax.plot(weights, alarmed, "o-", color="#0b7285", label="benign, but alarmed")
ax.set_xscale("log")
ax.set_xticks(weights, labels=map(str, weights))
ax.minorticks_off()
ax.set_ylim(bottom=0)
ax.set_xlabel("class_weight of 'malignant'")
ax.set_ylabel("fraction of the class")
ax.legend(frameon=False)
print(f"missed falls from {missed[0]:.1%} to {missed[-1]:.1%}")
print(f"alarmed rises from {alarmed[0]:.1%} to {alarmed[-1]:.1%}")
print(f"labels of the members: {np.unique(y)}")
plt.show()
