"""
Error-correcting output codes
=============================

Ten digits, shallow trees on binary problems. One against the rest is a code whose words are two
letters apart: one wrong member may change the class. Longer codes correct more errors. The picture
shows the accuracy against the number of members, for coin tosses and for the best of many draws,
with one against the rest and one against one for comparison.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from nonet import OutputCodeClassifier
from nonet.theory import code_distance

X, y = load_digits(return_X_y=True)
X_learn, X_test, y_learn, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
tree = DecisionTreeClassifier(max_depth=6, random_state=0)


def accuracy(code: str, code_size: float = 1.5) -> tuple[int, float, float]:
    """Return the number of members, the accuracy, and how far apart the codewords are."""
    model = OutputCodeClassifier(
        tree, code=code, code_size=code_size, decoding="hamming", random_state=0
    ).fit(X_learn, y_learn)
    score = model.score(X_test, y_test)
    return len(model.estimators_), score, code_distance(model.code_matrix_)


# %%
sizes = [1, 1.5, 2, 3, 4.5, 6]
lines = {code: [accuracy(code, size) for size in sizes] for code in ("random", "dense")}
points = {code: accuracy(code) for code in ("one_vs_rest", "one_vs_one")}
for code, (members, score, apart) in points.items():
    print(f"{code:12} {members:3} members  {apart:4} apart  accuracy {score:.3f}")
for code, steps in lines.items():
    for members, score, apart in steps:
        print(f"{code:12} {members:3} members  {apart:4} apart  accuracy {score:.3f}")

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
labels = {"random": "coin tosses", "dense": "best of many draws"}
for (code, steps), colour in zip(lines.items(), ("#868e96", "#0b7285"), strict=True):
    ax.plot(
        [m for m, _, _ in steps], [s for _, s, _ in steps], "o-", color=colour, label=labels[code]
    )
for (code, (members, score, _)), marker in zip(points.items(), ("s", "^"), strict=True):
    ax.plot(members, score, marker, color="#e8590c", markersize=9, label=code.replace("_", " "))
ax.set_xlabel("members")
ax.set_ylabel("accuracy on held-out digits")
ax.legend(frameon=False)
plt.show()
