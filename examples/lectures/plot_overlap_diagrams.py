"""
Overlap of right predictions: three voters or five
==================================================

Five hypotheses, each right on six of ten rows, with two patterns of overlap. A column is a row of
data; a filled cell means that the hypothesis is right there. The vote of the first three is better
under pattern A (0.90 against 0.80), the vote of all five under pattern B (1.00 against 0.90). No
overlap is best for every number of voters.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import correctness, record_predictions

PATTERNS = {
    "A": [[1, 1, 0, 1, 0]] * 3 + [[0, 1, 1, 1, 1]] * 3 + [[1, 0, 1, 0, 1]] * 3 + [[0] * 5],
    "B": [[0, 0, 1, 1, 1]] * 2
    + [[0, 1, 1, 0, 1]] * 2
    + [[1, 0, 1, 0, 1]] * 2
    + [[1, 1, 0, 1, 0]] * 4,
}


def vote_accuracy(right: np.ndarray) -> float:
    predictions = record_predictions(right, np.ones(len(right), int), classes=[0, 1])
    return correctness(predictions).accuracy


accuracy = {
    (name, n_voters): vote_accuracy(np.array(rows)[:, :n_voters])
    for name, rows in PATTERNS.items()
    for n_voters in (3, 5)
}
quoted = accuracy["A", 3], accuracy["B", 3], accuracy["B", 5], accuracy["A", 5]

# %%
figure, axes = plt.subplots(
    2, 2, figsize=(10, 4.6), height_ratios=[4, 6], sharex=True, layout="constrained"
)
for column, (name, rows) in enumerate(PATTERNS.items()):
    for ax, n_voters in zip(axes[:, column], (3, 5), strict=True):
        right = np.array(rows)[:, :n_voters].T
        vote = right.mean(axis=0, keepdims=True) > 0.5
        picture = np.vstack([right * 0.45, vote])
        ax.imshow(picture, cmap="GnBu", vmin=0, vmax=1.2, aspect="auto")
        ax.set_xticks(np.arange(-0.5, 10), minor=True)
        ax.set_yticks(np.arange(-0.5, n_voters + 1), minor=True)
        ax.grid(which="minor", color="white", lw=2)
        ax.tick_params(which="both", length=0)
        ax.axhline(n_voters - 0.5, color="black", lw=1)
        names = [f"h{i + 1}" for i in range(n_voters)]
        ax.set(xticks=[], yticks=range(n_voters + 1), yticklabels=[*names, "vote"])
        title = f"{name}: {n_voters} voters are right on {accuracy[name, n_voters]:.2f}"
        ax.set_title(title, fontsize=10)
plt.show()
