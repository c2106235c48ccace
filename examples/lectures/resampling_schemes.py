"""
Resampling in a few lines
=========================

Ways to resample that the notes name: three estimates of the end of a uniform distribution with
their standard errors, bootstrap bias and interval, the parametric bootstrap, subsamples, and
resampling by weights.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import uniform

from nonet import BaggingRegressor, DecisionTreeRegressor, bootstrap
from nonet.resampling import Parametric

# %%
# Twenty numbers from U(0, 3). Three estimates of the end: twice the mean, the maximum, and the root
# of three times the mean square.

sample = np.random.default_rng(0).uniform(0, 3, size=20)
estimates = {
    "twice the mean": lambda x, axis: 2 * x.mean(axis=axis),
    "maximum": lambda x, axis: x.max(axis=axis),
    "root of three mean squares": lambda x, axis: np.sqrt(3 * (x**2).mean(axis=axis)),
}
for name, statistic in estimates.items():
    result = bootstrap(sample, statistic, n_resamples=2000, random_state=0)
    low, high = result.interval("normal", 0.95)
    print(f"{name}: {result.estimate:.3f}, standard error {result.standard_error:.3f},", end=" ")
    print(f"bias {result.bias:+.3f}, normal interval {low:.2f} to {high:.2f}")

# %%
# The parametric bootstrap draws from the fitted distribution: its maxima take any value, those of
# the ordinary bootstrap only values of the sample.

fitted = Parametric(uniform(0, sample.max()))
for name, scheme in (("ordinary", None), ("parametric", fitted)):
    result = bootstrap(sample, "maximum", scheme=scheme, n_resamples=1000, random_state=0)
    print(f"{name}: {len(np.unique(result.distribution))} different maxima of 1,000")

# %%
# The sample (1, 1, 2, 4) of four rows is the same as the weights (2, 1, 0, 1).

rows = np.array([1.0, 4, 7, 9])
drawn = bootstrap(rows, "mean", indices=[[0, 0, 1, 3], [2, 2, 2, 0]]).distribution[0]
print("mean of the drawn rows", drawn, "and weighted mean", np.average(rows, weights=[2, 1, 0, 1]))

# %%
# Rows drawn with probabilities of our own, and bags of half the rows without replacement.

heavy = bootstrap(rows, "mean", draw_weights=[1, 1, 1, 7], n_resamples=2000, random_state=0)
print(f"mean of resamples that prefer the last row: {heavy.mean:.2f}, of the sample {rows.mean()}")
X = np.arange(40.0)[:, np.newaxis]
halves = BaggingRegressor(
    DecisionTreeRegressor(), 5, bootstrap=False, max_samples=0.5, random_state=0
).fit(X, X[:, 0])
print("rows of each bag:", *(len(set(bag)) for bag in halves.estimators_samples_))

# %%
# The table of bagging rounds: how often each of ten rows is in each of three bags.

bags = BaggingRegressor(DecisionTreeRegressor(), 3, random_state=0).fit(X[:10], X[:10, 0])
for number, bag in enumerate(bags.estimators_samples_, 1):
    print(f"bag {number}:", *np.bincount(bag, minlength=10))
