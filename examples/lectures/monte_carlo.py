"""
Monte Carlo ensembles: the numbers of the slides
================================================

How many voters a target accuracy needs, what a biased algorithm saves, why accuracy may fall as
voters are added, and what Monte Carlo ensembles and bagging have in common. The printed 367 voters
reach 97.3 %, not 99 %, and the printed 11 biased runs reach 69 %, not 99 %.
"""

from __future__ import annotations

from math import ceil

import numpy as np

from nonet import correctness, record_predictions
from nonet.theory import (
    bagging_moments,
    biased_accuracy,
    biased_runs_needed,
    expected_accuracy,
    k_of_n_probability,
    limit_accuracy,
    majority_accuracy,
    majority_limits,
    monte_carlo_moments,
    voters_needed,
)

print("mc_T_055_095", voters_needed(0.55, 0.95))
print("mc_T_055_099", voters_needed(0.55, 0.99))
print("mc_pi_367", majority_accuracy(0.55, 367))
print("mc_biased", *biased_runs_needed([0.55, 0.55, 0.1], [0.95, 0.99, 0.99]))
print("mc_biased_formula", biased_accuracy(0.55, 4))

# %%
# The sum starts at floor(T / 2) + 1. The printed limit would need all three of three voters.

print("mc_pi_T_lower_limit.right", majority_accuracy(0.55, 3))
print("mc_pi_T_lower_limit.as_printed", k_of_n_probability(0.55, 3, ceil(3 / 2 + 1)))
for key, p in (("above", 0.55), ("below", 0.45), ("half", 0.5)):
    print(f"mc_limits.{key}", majority_accuracy(p, 20_001))

# %%
# Six easy rows and four hard ones: more voters first help, then harm. And hypotheses that are right
# less than half of the time can end in a vote that is right on 60 % of the rows.

print("nonmonotone_E_rho", *expected_accuracy([0.95] * 6 + [0.45] * 4, [1, 3, 11, 101, 1001]))
weak = [0.52] * 6 + [0.3] * 4
print("weak_below_half_still_useful.r", np.mean(weak))
print("weak_below_half_still_useful.asymptotic", limit_accuracy(weak))

# %%
# Voters sampled anew for each row (Monte Carlo) or once for all rows (bagging): equal means; either
# variance can be the larger.

for name, right in (
    ("equal", [[1, 1, 0], [1, 0, 1], [0, 1, 1]]),
    (
        "unequal",
        [[1, 1, 0, 0], [1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0]],
    ),
):
    mean_mc, variance_mc = monte_carlo_moments(right, n_members=3)
    mean_bag, variance_bag = bagging_moments(right, n_members=3)
    print(f"mc_vs_bagging_{name}_columns", mean_mc, mean_bag, variance_mc, variance_bag)

# %%
# Bounds on the accuracy of three voters on four rows, for each number of right votes of twelve.

for n_right in range(13):
    lower, upper = majority_limits(n_right / 12, n_members=3, n_rows=4)
    print(f"majority_limits.{n_right}", lower, upper)

# %%
# Five hypotheses of accuracy 0.6 on ten rows, with two patterns of overlap: the vote of the first
# three, and of all five.

overlaps = {
    "A": [[1, 1, 0, 1, 0]] * 3 + [[0, 1, 1, 1, 1]] * 3 + [[1, 0, 1, 0, 1]] * 3 + [[0] * 5],
    "B": [[0, 0, 1, 1, 1]] * 2
    + [[0, 1, 1, 0, 1]] * 2
    + [[1, 0, 1, 0, 1]] * 2
    + [[1, 1, 0, 1, 0]] * 4,
}


def vote_accuracy(right: np.ndarray) -> float:
    predictions = record_predictions(right, np.ones(len(right), int), classes=[0, 1])
    return correctness(predictions).accuracy


for key, rows in overlaps.items():
    right = np.array(rows)
    print(f"rho3_rho5_tradeoff.{key}", vote_accuracy(right[:, :3]), vote_accuracy(right))
print("rho3_rho5_tradeoff.acc", *np.mean([*overlaps.values()], axis=1).ravel())
