"""
Combination and decision rules in short
=======================================

The formula of an ensemble, and the rules for thresholds, signs, ties and silence, on numbers that
can be checked by hand.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from nonet import BlendingRegressor, DecisionTreeClassifier, DecisionTreeRegressor, VotingClassifier
from nonet.combine import majority, plurality, total, weighted_k_of_n
from nonet.decide import Argmax, Identity, Sign, Threshold

# %%
# Members, combination rule F, decision rule C: `predict` is C(F(members)).

random = np.random.default_rng(0)
X = random.normal(size=(200, 3))
y = (X[:, 0] + X[:, 1] ** 2 > 1).astype(int)
members = [
    ("line", LogisticRegression()),
    ("bayes", GaussianNB()),
    ("tree", DecisionTreeClassifier()),
]
vote = VotingClassifier(members, combine="mean", decide=Threshold(0.5)).fit(X, y)
by_hand = vote.decide_(vote.combine_(vote.member_outputs(X)))
print("predict is C(F(b)):", bool(np.all(by_hand == vote.predict(X))))

# %%
# Most votes (plurality) and more than half of the votes (majority); weights that reach a threshold.

print("plurality of 0 0 1 2:", plurality([[0, 0, 1, 2]]).argmax())
print("has a majority:", bool(majority([[0, 0, 1, 2]]).any()))
votes = np.array([[1, 0, 0], [0, 1, 1]])
print("weights 4, 3, 2 of the voters for 1 reach 5:", *weighted_k_of_n(votes, [4, 3, 2], 5)[:, 1])

# %%
# The same four votes, two against two, by the sign of their sum.

votes_sum = total(np.array([[-1.0, 1, -1, 1]]))
for zero in ("positive", "negative", "abstain"):
    print(f"two against two, zero is {zero}: code {Sign(zero=zero).decide(votes_sum)[0]}")

# %%
# Thresholds: at 0.5 the positive class, or silence (code -1); log-odds have their threshold at 0.

support = np.column_stack([1 - np.array([0.49, 0.5, 0.51]), [0.49, 0.5, 0.51]])
print("at least 0.5:", *Threshold(0.5).decide(support))
print("silence at 0.5:", *Threshold(0.5, at_equality="abstain").decide(support))
log_odds = np.array([-2.0, 0.0, 2.0])
print("log-odds -2, 0, 2:", *Threshold(0.0).decide(log_odds))

# %%
# Argmax with a tie, and the identity of regression.

tied = np.array([[0.4, 0.2, 0.4]])
print(
    "tie to the first:", *Argmax().decide(tied), "or silence:", *Argmax(tie="abstain").decide(tied)
)
print("regression:", *Identity()(np.array([28.67])))

# %%
# Linear blending for regression: weights at least 0, found on held-out predictions.

target = X[:, 0] + np.sin(2 * X[:, 1]) + random.normal(scale=0.3, size=200)
trees = [(f"depth {d}", DecisionTreeRegressor(max_depth=d, random_state=0)) for d in (1, 3, 6)]
blend = BlendingRegressor(trees, weights="non_negative").fit(X, target)
print("weights of trees of depth 1, 3, 6:", *np.round(blend.weights_, 2))
