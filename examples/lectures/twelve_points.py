"""
AdaBoost on twelve points, number by number
===========================================

Three stumps: errors, coefficients, normalising factors and the weights after each round, in exact
arithmetic. The notes round the weights between rounds, which changes the third round in the third
decimal. With the other of two equal minimisers in the first round the training error exceeds the
bound that is printed without its factors of two.
"""

from __future__ import annotations

import numpy as np

from nonet import AdaBoostClassifier, DecisionStump
from nonet.theory import training_bound

X = np.array(
    [[4, 1], [2, 4], [5, 1], [3, 2], [1, 5], [3, 5], [2, 1], [2, 2], [2, 5], [4, 3], [2, 3], [5, 2]]
)
y = np.array([1, -1, 1, 1, -1, -1, 1, 1, -1, -1, 1, -1])  # +1 yellow, -1 green


def boost(n_estimators: int, tie: str = "highest") -> AdaBoostClassifier:
    stump = DecisionStump(tie=tie)
    return AdaBoostClassifier(stump, method="discrete", n_estimators=n_estimators).fit(X, y)


model = boost(3)
log = model.round_log_
for i, stump in enumerate(model.estimators_):
    fact = f"ada12_round{i + 1}"
    print(f"{fact}.eps", log.error[i])
    print(f"{fact}.omega", log.alpha[i])
    print(f"{fact}.Z", log.z[i])
    print(f"{fact}.errors", *(np.flatnonzero(stump.predict(X) != y) + 1))
    print(f"{fact}.weights", *log.weights[i + 1])
print("ada12_b3_row", *model.estimators_[2].predict(X))

# %%
# Each stump is a minimiser of the weighted error among all stumps.


def smallest_error(weights: np.ndarray) -> float:
    errors = [
        weights[np.where(X[:, column] < threshold, side, -side) != y].sum()
        for column in (0, 1)
        for threshold in np.arange(0.5, 6)
        for side in (1, -1)
    ]
    return min(errors)


is_minimum = [bool(np.isclose(log.error[i], smallest_error(log.weights[i]))) for i in range(3)]
print("ada12_all_minimisers", *is_minimum)

# %%
# The sum of the three votes at (4, 1), and the bound on the training error.

print("ada12_final.value", model.decision_function([[4, 1]])[0] / 2 * log.alpha.sum())
print("ada12_final.train_errors", np.sum(model.predict(X) != y))
print("ada12_final.label", model.predict([[4, 1]])[0])
print("ada12_bound.prod_Z", training_bound(log.error))
print("ada12_bound.train_err", log.training_error[-1])

# %%
# Among equal minimisers the stump takes the largest threshold, or the smallest if told so.

other = boost(4, tie="lowest").round_log_
bound = training_bound(other.error)
print("ada_bound_needs_factor_2.train_err", other.training_error[-1])
print("ada_bound_needs_factor_2.without_2", bound / 2**4)
print("ada_bound_needs_factor_2.with_2", bound)
