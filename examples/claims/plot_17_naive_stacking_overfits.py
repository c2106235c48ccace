"""
Naive stacking overfits
=======================

Naive stacking fits the final model on the members' predictions of their own training rows. Members
that memorise, such as a full tree or the nearest neighbour, look perfect there, so the final model
gives them the most weight. Held-out predictions show how members do on new rows.

The left picture shows the error on new rows as the labels get noisier: naive stacking follows the
member that memorises, stacking on held-out predictions does not. The right one tries final models
from simple to complex on held-out predictions: with few rows the complex ones overfit, with many
they do no harm.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier, leak_check


def members():
    return [
        ("nearest", KNeighborsClassifier(1)),
        ("tree", DecisionTreeClassifier(random_state=0)),
        ("bayes", GaussianNB()),
        ("15 nearest", KNeighborsClassifier(15)),
    ]


def draw(n_rows, noise, seed):
    """Two moons; a fraction of the labels is wrong."""
    X, y = make_moons(n_rows, noise=0.25, random_state=seed)
    wrong = np.random.default_rng(seed).random(n_rows) < noise
    return X, np.where(wrong, 1 - y, y)


def fit_naive(X, y, final=None):
    fitted = [(name, model.fit(X, y)) for name, model in members()]
    return StackingClassifier(fitted, final, cv="prefit").fit(X, y)


def error(model, seed):
    """Return the error on new rows with true labels."""
    X, y = draw(2000, 0.0, 1000 + seed)
    return 1 - model.score(X, y)


# %%
# The effect of wrong labels on each stack.

noises, seeds = (0.0, 0.1, 0.2, 0.3), range(5)
curves = {"naive stacking": [], "stacking on held-out predictions": [], "best member": []}
for noise in noises:
    rows = [draw(200, noise, seed) for seed in seeds]
    naive = [error(fit_naive(X, y), seed) for seed, (X, y) in zip(seeds, rows, strict=True)]
    held_out = [
        error(StackingClassifier(members()).fit(X, y), seed)
        for seed, (X, y) in zip(seeds, rows, strict=True)
    ]
    alone = [
        min(error(model.fit(X, y), seed) for _, model in members())
        for seed, (X, y) in zip(seeds, rows, strict=True)
    ]
    for name, errors in zip(curves, (naive, held_out, alone), strict=True):
        curves[name].append(np.mean(errors))

figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
for (name, errors), color in zip(curves.items(), ("#e8590c", "#0b7285", "#868e96"), strict=True):
    left.plot(noises, errors, "o-", color=color, label=name)
    print(f"{name:30}", " ".join(f"{value:.3f}" for value in errors))
left.set_xlabel("fraction of wrong labels in training")
left.set_ylabel("error on new rows")
left.legend(frameon=False)

# %%
# A check that finds the naive stack without new rows.

X, y = draw(200, 0.2, 0)
for name, stack in (("naive", fit_naive(X, y)), ("held out", StackingClassifier(members()))):
    check = leak_check(stack, X, y, n_permutations=5, random_state=0)
    print(f"{name:9} claims {check.claimed:.2f}, holds {check.held_out:.2f}, leaks: {check.leaks}")

# %%
# From simple to complex final models, with few rows and with many.

finals = {
    "logistic": LogisticRegression(),
    "depth 2": DecisionTreeClassifier(max_depth=2, random_state=0),
    "depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
    "full tree": DecisionTreeClassifier(random_state=0),
}
for n_rows, color in ((100, "#e8590c"), (1000, "#0b7285")):
    errors = [
        [
            error(StackingClassifier(members(), final).fit(*draw(n_rows, 0.2, s)), s)
            for s in range(4)
        ]
        for final in finals.values()
    ]
    right.errorbar(
        range(len(finals)),
        np.mean(errors, axis=1),
        np.std(errors, axis=1),
        fmt="o-",
        capsize=4,
        color=color,
        label=f"{n_rows} rows",
    )
right.set_xticks(range(len(finals)), labels=finals)
right.set_xlabel("final model")
right.set_ylabel("error on new rows")
right.legend(frameon=False)
plt.show()
