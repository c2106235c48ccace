"""
A majority vote of scaled pipelines
===================================

Two classes of iris by two columns: a logistic regression, a tree and nearest neighbours, the first
and the last behind a scaler inside a pipeline. The area under the ROC curve is estimated by ten
folds on the training half; the curves and the regions are those of the test half, which chooses
nothing.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import DecisionTreeClassifier, VotingClassifier
from nonet.plots import plot_decision_regions

iris = load_iris()
chosen = iris.target > 0
X, y = iris.data[chosen][:, [1, 2]], iris.target[chosen] - 1  # sepal width, petal length
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=1)
members = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.001)),
    "tree": DecisionTreeClassifier(max_depth=1, criterion="entropy", random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
}
models = {**members, "vote": VotingClassifier(list(members.items()), voting="soft")}
for name, model in models.items():
    areas = cross_val_score(model, X_train, y_train, cv=10, scoring="roc_auc")
    print(f"{name}: ROC AUC {areas.mean():.2f} +- {areas.std(ddof=1) / np.sqrt(10):.2f}")

# %%
figure, axes = plt.subplots(1, 5, figsize=(15, 3.3), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=False):
    plot_decision_regions(model.fit(X_train, y_train), X_test, y_test, ax=ax, title=name)
    ax.set(xlabel="sepal width", ylabel="petal length" if name == "logistic" else "")
    false_alarms, recognised, _ = roc_curve(y_test, model.predict_proba(X_test)[:, 1])
    axes[-1].plot(false_alarms, recognised, label=name, lw=2.5 if name == "vote" else 1.2)
axes[-1].plot([0, 1], [0, 1], color="#868e96", ls=":")
axes[-1].set(
    xlabel="false positive rate", ylabel="true positive rate", title="ROC on the test half"
)
axes[-1].legend(frameon=False, fontsize=8)
plt.show()
