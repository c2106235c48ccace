"""
How many trees a random forest needs
====================================

The out-of-bag score against the number of trees, with its standard error, for a forest that grows
up to 2000 trees and stops when the curve is flat. The score on new rows is beside it: the
out-of-bag score is nearly the same and needs no test set.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification

from nonet import RandomForestClassifier
from nonet.bagging import FlatCurve

X, y = make_classification(4000, 12, n_informative=6, flip_y=0.1, random_state=0)
train, test = slice(0, 1500), slice(1500, None)
forest = RandomForestClassifier(2000, stop_when=FlatCurve(0.005, every=20), random_state=0)
forest.fit(X[train], y[train])
curve = forest.oob_curve_
print(
    f"{len(forest)} trees; out of bag {forest.oob_score_:.3f}, error {forest.oob_score_error_:.3f}"
)

# %%
# Trees depend on their number alone, so the first k of the forest are the forest of k.

new_scores = [
    RandomForestClassifier(int(k), random_state=0).fit(X[train], y[train]).score(X[test], y[test])
    for k in curve.n_members
]
print(f"on new rows {new_scores[-1]:.3f}")

figure, panel = plt.subplots(figsize=(7, 4), layout="constrained")
panel.plot(curve.n_members, 1 - curve.scores, marker="o", label="out of bag")
panel.fill_between(
    curve.n_members,
    1 - curve.scores - forest.oob_score_error_,
    1 - curve.scores + forest.oob_score_error_,
    alpha=0.2,
)
panel.plot(curve.n_members, 1 - np.array(new_scores), marker="s", label="new rows")
panel.set(xlabel="trees", ylabel="fraction of errors")
panel.legend()
plt.show()
