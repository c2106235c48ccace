"""
Bagging can hurt
================

Hard to find with real learners, easy to build. Nearest neighbours, which see 63 % of the rows in a
bag, neither gain nor lose significantly; the maximum loss, 0.010 with 15 neighbours of 30 rows, is
within two standard errors of nothing. Where members are right less than half of the time the vote
does harm as theory predicts: from 0.46 to 0.43 for a learner that guesses.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

from nonet import BaggingClassifier
from nonet.theory import distinct_fraction, majority_accuracy

# %%
# First, with fewer distinct rows: a bag of n rows holds 63 % of them. A learner that memorises all
# rows (1-NN) loses some, and gets little back; a stable one (15-NN) gets nothing back.

N_REPEATS = 8
sizes = (30, 60, 120)
table = {}
for k in (1, 15):
    for n in sizes:
        differences = []
        for seed in range(N_REPEATS):
            X, y = make_classification(
                n + 1000, 6, n_informative=6, n_redundant=0, class_sep=1.5, random_state=seed
            )
            plain = KNeighborsClassifier(k).fit(X[:n], y[:n])
            bagged = BaggingClassifier(KNeighborsClassifier(k), 15, random_state=seed).fit(
                X[:n], y[:n]
            )
            differences.append(plain.score(X[n:], y[n:]) - bagged.score(X[n:], y[n:]))
        table[k, n] = np.array(differences)
        error = table[k, n].std(ddof=1) / np.sqrt(N_REPEATS)
        print(
            f"{k}-NN, {n} rows: bagging adds {table[k, n].mean():+.4f} +- {error:.4f} to the error"
        )
print(f"distinct rows in a bag of 100: {distinct_fraction(100):.1%}")


# %%
# Second, where members are right less than half of the time the vote makes it worse. A learner that
# guesses: class 1, which is right in 60 % of the cases, with probability 0.35 only.


class Guess(ClassifierMixin, BaseEstimator):
    """Guess one class for all rows, more often the wrong one."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> Guess:
        """Draw the class; X is ignored."""
        self.classes_ = np.unique(y)
        self.guess_ = int(np.random.default_rng(self.random_state).random() < 0.35)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Predict that class."""
        return np.full(len(X), self.guess_)


X, y = np.zeros((500, 1)), (np.arange(500) % 5 < 3).astype(int)
runs = 60
alone = [Guess(seed).fit(X, y).score(X, y) for seed in range(runs)]
voted = [BaggingClassifier(Guess(), 15, random_state=s).fit(X, y).score(X, y) for s in range(runs)]
maximum = max(abs(differences.mean()) for differences in table.values())
quoted = (
    distinct_fraction(100),
    maximum,
    15,
    sizes[0],
    np.mean(alone),
    np.mean(voted),
)  # the numbers of the text, in its order
by_theory = 0.4 + 0.2 * majority_accuracy(0.35, 15)
print(
    f"guessing: one {np.mean(alone):.3f}, vote of 15 {np.mean(voted):.3f} (theory {by_theory:.3f})"
)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
for k, colour in ((1, "#0b7285"), (15, "#e8590c")):
    means = [table[k, n].mean() for n in sizes]
    spread = [table[k, n].std(ddof=1) / np.sqrt(N_REPEATS) for n in sizes]
    left.errorbar(sizes, means, yerr=spread, fmt="o-", color=colour, label=f"{k}-NN")
left.axhline(0, color="#343a40", lw=1)
left.set(xscale="log", xlabel="training rows", ylabel="error that bagging adds")
left.legend(frameon=False)
sizes_of_vote = np.arange(1, 200, 2)
for p, colour in ((0.35, "#e8590c"), (0.65, "#0b7285")):
    right.plot(
        sizes_of_vote,
        majority_accuracy(p, sizes_of_vote),
        color=colour,
        label=f"members right in {p:.0%}",
    )
right.set(xlabel="members", ylabel="probability that the vote is right", ylim=(0, 1))
right.legend(frameon=False)
plt.show()
