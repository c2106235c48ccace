"""
Votes and averages: the small examples
======================================

Votes of labels, of probabilities and of ranks; the error of a majority of independent voters; two
quizzes on blending; the error of an average. Hard and soft votes disagree twice: with weights of
0.2, 0.2, 0.6, and for the five football models.
"""

from __future__ import annotations

import numpy as np

from nonet import ambiguity, record_predictions
from nonet.combine import borda, mean, plurality
from nonet.decide import choose_by_sign, choose_by_threshold
from nonet.theory import jensen_gap, majority_error

print("majority_11_025", majority_error(0.25, 11))
print("majority_11_curve", *majority_error([0.5, 0.6], 11))

# %%
# Labels 0, 0, 1 and weights 0.2, 0.2, 0.6; the same three as probabilities.

weights = [0.2, 0.2, 0.6]
print("weighted_vote.unweighted", plurality([[0, 0, 1]]).argmax())
print("weighted_vote.weighted", plurality([[0, 0, 1]], weights).argmax())
probabilities = np.array([[[0.9, 0.1], [0.8, 0.2], [0.4, 0.6]]])
print("soft_vote.p", *mean(probabilities, weights)[0])
print("soft_vote.label", mean(probabilities, weights).argmax())

# %%
# Five models give a football team these probabilities to win.

wins = np.array([0.63, 0.39, 0.45, 0.38, 0.75])
votes = choose_by_threshold(np.column_stack([1 - wins, wins]))
print("football_votes.votes", *votes)
print("football_votes.hard", plurality([votes]).argmax())
average = mean(wins[np.newaxis])[0]
print("football_votes.mean", average)
print("football_votes.soft", choose_by_threshold(np.array([[1 - average, average]]))[0])

# %%
# Three models with scores on three scales: the ranks can be added (Borda counts, not Brier scores).

scores = np.array([[[0.9, 0.5, 0.1], [10.0, 30.0, 20.0], [-3.0, -2.0, -9.0]]])
print("borda_ranking_scores", *borda(scores)[0])

# %%
# Quizzes. Three stumps with one vote each, on six points, where sign(0) counts as +1; and the mean
# of two linear models, which is the linear model with the mean coefficients.

x = np.array([-2, -1, -0.5, 0, 1, 1.5])
sign = np.array([-1, 1])
total = sign[choose_by_sign(1 - x)] + sign[choose_by_sign(1 + x)] - 1
print("quiz_stumps", *sign[choose_by_sign(total)])
models, point = np.array([[1.0, 2.0], [3.0, -4.0]]), np.array([5.0, 6.0])
print("quiz_linear_blend.blend", mean((models @ point)[np.newaxis])[0])
print("quiz_linear_blend.mean_w_dot_x", models.mean(axis=0) @ point)

# %%
# Three predictions 1, 2, 4 of a truth 3: squared error of the average, and what averaging gains
# over the choice of a random member under the absolute loss.

parts = ambiguity(record_predictions([[1.0, 2.0, 4.0]], [3.0], weights=[0.2, 0.3, 0.5]))
print("ambiguity_decomposition.lhs", parts.error)
print("ambiguity_decomposition.err", parts.member_error)
print("ambiguity_decomposition.amb", parts.ambiguity)
averaged = abs(mean([[1.0, 2.0, 4.0]], [0.2, 0.3, 0.5])[0] - 3)
gain = jensen_gap([1, 2, 4], 3, "absolute", weights=[0.2, 0.3, 0.5])
print("convex_loss_answer.sampled", averaged + gain)
print("convex_loss_answer.averaged", averaged)
