"""
No measure of diversity predicts the accuracy of a vote
=======================================================

In practice the claim holds: among subsets of seven real bagged trees, eight of the
eleven measures have a correlation of at most 0.3 with the accuracy of the vote, and the three that
do better (double fault, generalized diversity, coincident failure) count failures, so they depend
on how accurate the members are. It does not hold for every population: among random ensembles of
equal member accuracy all eleven correlate with the vote (0.74 and more), and if the accuracy varies
most of them change sign.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

import nonet
from nonet import BaggingClassifier
from nonet.diagnostics import measure_diversity
from nonet.theory import score_majority

N_ROWS, N_MEMBERS, N_ENSEMBLES = 60, 7, 400
random = np.random.default_rng(0)


def draw_oracle(accuracy: float) -> np.ndarray:
    """Sample a correctness matrix: rows of some difficulty, members of some ability, exact mean."""
    rows = random.normal(scale=random.choice([0.1, 1, 3]), size=(N_ROWS, 1))
    members = random.normal(scale=random.choice([0.1, 1]), size=(1, N_MEMBERS))
    score = rows + members + random.logistic(size=(N_ROWS, N_MEMBERS))
    return score > np.quantile(score, 1 - accuracy)


def compare(
    matrices: list[np.ndarray], votes: list[float]
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return every measure, and the accuracy of the vote, of each ensemble."""
    results = [measure_diversity(matrix) for matrix in matrices]
    table = [{**result.pairwise, **result.overall} for result in results]
    return {name: np.array([row[name] for row in table]) for name in table[0]}, np.array(votes)


def study(accuracies: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
    matrices = [draw_oracle(accuracy) for accuracy in accuracies]
    return compare(matrices, [score_majority(matrix) for matrix in matrices])


def study_real() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Measure subsets of seven bagged trees on some rows, and score their votes on others."""
    X, y = make_classification(1800, n_informative=6, flip_y=0.1, random_state=0)
    bagging = BaggingClassifier(n_estimators=60, max_samples=0.2, random_state=0).fit(
        X[:300], y[:300]
    )
    correct = nonet.correctness(bagging, X[300:], y[300:]).matrix
    parts = [random.choice(60, N_MEMBERS, replace=False) for _ in range(N_ENSEMBLES)]
    seen, new = correct[:750], correct[750:]
    return compare(
        [seen[:, part] for part in parts], [score_majority(new[:, part]) for part in parts]
    )


# %%
# Three populations: random ensembles whose members are right 60 % of the time, or any fraction of
# it; and subsets of seven real bagged trees, measured on other rows than their vote is scored on.

populations = {
    "random, 60 % right": (study(np.full(N_ENSEMBLES, 0.6)), "#0b7285"),
    "random, any accuracy": (study(random.uniform(0.4, 0.9, N_ENSEMBLES)), "#868e96"),
    "real trees": (study_real(), "#e8590c"),
}
names = list(populations["real trees"][0][0])
correlations = {
    label: [np.corrcoef(measures[name], votes)[0, 1] for name in names]
    for label, ((measures, votes), _) in populations.items()
}
for name, *found in zip(names, *correlations.values(), strict=True):
    print(f"{name:22}", *(f"{value:+.2f}" for value in found))
sizes = {label: np.sort(np.abs(found)) for label, found in correlations.items()}
quoted = (
    sizes["real trees"][7],
    sizes["random, 60 % right"][0],
)  # the numbers of the text, in its order

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.8), layout="constrained")
positions = np.arange(len(names))
for shift, (label, ((measures, votes), colour)) in enumerate(populations.items()):
    left.plot(measures["disagreement"], votes, ".", color=colour, label=label, alpha=0.5)
    right.barh(positions + 0.25 * (1 - shift), correlations[label], 0.25, color=colour, label=label)
left.set(xlabel="disagreement of pairs", ylabel="accuracy of the vote")
left.legend(frameon=False, fontsize="small")
right.axvline(0, color="#343a40", lw=1)
right.set_yticks(positions, labels=[name.replace("_", " ") for name in names])
right.set_xlabel("correlation with the accuracy of the vote")
plt.show()
