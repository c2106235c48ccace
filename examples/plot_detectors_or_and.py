"""
OR, AND and k-of-n combination of detectors
===========================================

Seven detectors, each on four measurements of its own. With ``KOfN(1)`` one detector raises the
alarm (OR), with ``KOfN(7)`` it takes all of them (AND), and there is every step between. Recall
falls and precision rises as k grows; the plain majority, k = 4, is only one of the choices.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import VotingClassifier
from nonet.combine import KOfN, k_of_n

data = load_breast_cancer()
X, y = data.data, data.target_names[data.target]

# %%
# Each detector sees four columns, drawn at random.

columns = np.random.default_rng(0).permutation(X.shape[1])[:28].reshape(7, 4)
detectors = [
    (
        f"detector {i}",
        make_pipeline(
            make_column_transformer((StandardScaler(), own.tolist())), LogisticRegression()
        ),
    )
    for i, own in enumerate(columns, 1)
]

# %%
# ``transform`` returns the output of each member: class codes. Rules are functions on arrays, so
# the members need not be fitted again for each of them.

X_learn, X_test, y_learn, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
codes = VotingClassifier(detectors).fit(X_learn, y_learn).transform(X_test)

voices = np.arange(1, 8)
precision, recall = [], []
for k in voices:
    alarms = k_of_n(codes, int(k)).argmax(axis=1)
    precision.append(precision_score(y_test == "malignant", alarms))
    recall.append(recall_score(y_test == "malignant", alarms))

# %%
# Once k is chosen, it is a parameter of the ensemble.

vote = VotingClassifier(detectors, combine=KOfN(3, pos_label="malignant")).fit(X_learn, y_learn)
print(vote.combine_.rule, f"accuracy {vote.score(X_test, y_test):.3f}")

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
ax.plot(voices, recall, "o-", color="#e8590c", label="recall: tumours found")
ax.plot(voices, precision, "o-", color="#0b7285", label="precision: alarms that are right")
ax.set_xticks(voices, labels=["1\nOR", "2", "3", "4\nmajority", "5", "6", "7\nAND"])
ax.set_xlabel("votes needed, k")
ax.legend(frameon=False, loc="lower center")
plt.show()
