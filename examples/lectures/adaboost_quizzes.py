"""
AdaBoost: weights, quizzes and bounds
=====================================

Re-weighting so that the last member is no better than a coin, the coefficient of a member in its
three forms, the quizzes on stumps, the number of rounds, and the margin that AdaBoost misses.
"""

from __future__ import annotations

import numpy as np

from nonet import AdaBoostClassifier, DecisionStump, log_odds
from nonet.theory import (
    maximize_margin,
    rounds_needed,
    stump_vote_vc_dimension,
    training_bound,
)

# %%
# Multiply the incorrect weights by lambda and divide the correct ones by it.

rate = 1234 / 5555
scale = np.exp(log_odds(rate) / 2)
incorrect, correct = rate * scale, (1 - rate) / scale
print("optimal_reweighting.rate", rate)
print("optimal_reweighting.new_incorrect", incorrect / (incorrect + correct))
print("reweighting_ratio", np.exp(log_odds(1 / 4)))
print("beta_positive", *(bool(log_odds(error) > 0) for error in (0.3, 0.5, 0.7)))

# %%
# The coefficient of a member with error 0.2, by its error and by its edge r, and the factor Z.

edge = 1 - 2 * 0.2
print("alpha_two_forms.a", np.log((1 + edge) / (1 - edge)) / 2)
print("alpha_two_forms.b", log_odds(0.2) / 2)
print("alpha_two_forms.Z", training_bound([0.2]))

# %%
# A stump reads one column: 1,000 stumps read at most 1,000 of 1,024. A small run shows the same.

print("stump_features_quiz", min(1000, 1024))
random = np.random.default_rng(0)
X, y = random.normal(size=(200, 64)), random.integers(0, 2, 200)
model = AdaBoostClassifier(DecisionStump(), n_estimators=20).fit(X, y)
print("20 stumps read", len({stump.column_ for stump in model.estimators_}), "of 64 columns")

# %%
print("ada_T_bound", rounds_needed(edge=0.1, target=0.05))
print("vc_of_T_stumps_on_line", *stump_vote_vc_dimension([1, 2, 3]))

# %%
# Eight rows and eight members (Rudin, Daubechies and Schapire 2004): entries are y_i h_j(x_i).
# AdaBoost ends at a margin of 1/3, although weights with a margin of 3/8 exist. AdaBoost* subtracts
# a second term from each coefficient, and gets within nu of the maximum.

M = np.array(
    [
        [-1, 1, 1, 1, 1, -1, -1, 1],
        [-1, 1, 1, -1, -1, 1, 1, 1],
        [1, -1, 1, 1, 1, -1, 1, 1],
        [1, -1, 1, 1, -1, 1, 1, 1],
        [1, -1, 1, -1, 1, 1, 1, -1],
        [1, 1, -1, 1, 1, 1, 1, -1],
        [1, 1, -1, 1, 1, 1, -1, 1],
        [1, 1, 1, 1, -1, -1, 1, -1],
    ]
)


def final_margin(nu: float | None = None, n_rounds: int = 10_000) -> float:
    """Boost the given members; with nu as AdaBoost*."""
    weights, alphas, least = np.full(8, 1 / 8), np.zeros(8), 1.0
    for _ in range(n_rounds):
        edges = weights @ M
        best = int(np.argmax(edges.round(12)))
        least = min(least, edges[best])
        alpha = np.arctanh(edges[best]) - (0 if nu is None else np.arctanh(least - nu))
        alphas[best] += alpha
        weights *= np.exp(-alpha * M[:, best])
        weights /= weights.sum()
    return (M @ alphas).min() / alphas.sum()


print("ada_not_max_margin.lp", maximize_margin(M)[0])
print("ada_not_max_margin.adaboost", final_margin())
print("ada_not_max_margin.star", final_margin(nu=0.01))
