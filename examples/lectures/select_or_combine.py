"""
Select or combine? The matrix of right predictions
==================================================

The same matrix of hypotheses (columns) and rows shows which hypothesis is best, how accurate votes
of random hypotheses are, and how their accuracy is distributed. The last part trains members that
err on one side only, so that one vote is enough.
"""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_classification

from nonet import OneSidedClassifier
from nonet.combine import AtLeastOne
from nonet.theory import accuracy_distribution, biased_accuracy, select_or_combine

# %%
# A hypothesis that is right on 9 of 10 rows is lost among four others that are right on 6; five
# that are right on 7 rows each, but on different ones, are better together.

alike = np.zeros((10, 5))
alike[:6], alike[6:9, 0] = 1, 1
different = np.ones((10, 5))
for column in range(5):
    different[(2 * column + np.arange(3)) % 10, column] = 0
for name, right in (("alike", alike), ("different", different)):
    found = select_or_combine(right)
    print(f"{name}: {found.choice}, {found.selection:.1f} against {found.combination:.1f}")

# %%
# Bagging draws hypotheses once for all rows, Monte Carlo anew for each row. The means agree; the
# distributions do not.

accuracies, bagging = accuracy_distribution(different, 3)
_, monte_carlo = accuracy_distribution(different, 3, ensemble="monte_carlo")
for name, probabilities in (("bagging", bagging), ("Monte Carlo", monte_carlo)):
    mean = accuracies @ probabilities
    deviation = np.sqrt((accuracies - mean) ** 2 @ probabilities)
    print(f"{name}: mean accuracy {mean:.3f}, standard deviation {deviation:.3f}")

# %%
# One-sided members: a prediction of class 1 is hardly ever wrong, and one such vote is enough.

X, y = make_classification(4000, 20, n_informative=4, flip_y=0, random_state=1)
votes = np.column_stack(
    [
        OneSidedClassifier(random_state=seed).fit(X[part], y[part]).predict(X[2000:])
        for seed, part in enumerate(np.array_split(np.arange(2000), 5))
    ]
)
together = AtLeastOne(1).support(votes, classes=np.array([0, 1])).argmax(axis=1)
is_one = y[2000:] == 1
alone = votes[is_one].mean()
print(f"class 1 detected by one: {alone:.2f}, by five: {together[is_one].mean():.2f}")
print(f"by five that were independent: {biased_accuracy(alone, 5):.2f}")
print(f"false alarms of one: {votes[~is_one].mean():.3f}, of five: {together[~is_one].mean():.3f}")
