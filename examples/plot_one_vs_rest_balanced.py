"""
One-vs-rest with balanced classes
=================================

The more classes there are, the more uneven one against the rest becomes: each member sees one row
of its own for every k - 1 others, learns that "no" is mostly right, and more and more rows get
no class. Giving both sides the same weight corrects that. The arg max hides the problem, since it
names a class even where every member predicts no.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from nonet import OneVsRestClassifier
from nonet.decide import Abstain


def classes_on_a_circle(k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return 60 rows of each of k classes, which overlap with their neighbours."""
    angles = 2 * np.pi * np.arange(k) / k
    centres = 3 * np.column_stack([np.cos(angles), np.sin(angles)])
    rows, labels = make_blobs(60 * k, centers=centres, cluster_std=1.0, random_state=seed)
    return rows, labels


# %%
# Rows on which no member predicts yes, and accuracy of the plain arg max.

numbers = [3, 4, 5, 6, 8, 10, 12]
silent: dict[bool, list[float]] = {False: [], True: []}
for k in numbers:
    X, y = classes_on_a_circle(k, seed=0)
    X_test, y_test = classes_on_a_circle(k, seed=1)
    for balanced in (False, True):
        shy = OneVsRestClassifier(
            LogisticRegression(),
            decoding="probabilities",
            decide=Abstain(0.5, abstain_label=-1),
            balanced=balanced,
        ).fit(X, y)
        silent[balanced].append(float(np.mean(shy.predict(X_test) == -1)))
        plain = OneVsRestClassifier(LogisticRegression(), balanced=balanced).fit(X, y)
        print(
            f"{k:2} classes  balanced {balanced!s:5}  nobody's {silent[balanced][-1]:.2f}  "
            f"arg max right {plain.score(X_test, y_test):.2f}"
        )

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
ax.plot(numbers, silent[False], "o-", color="#e8590c", label="rows as they are")
ax.plot(numbers, silent[True], "o-", color="#0b7285", label="both sides weigh the same")
ax.set_xlabel("classes")
ax.set_ylabel("fraction of rows without a class")
ax.set_ylim(0, 1)
ax.legend(frameon=False)
plt.show()
