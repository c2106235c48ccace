"""
Shopping: a regression line and its bootstrap
=============================================

Ten shoppers. The notes regress the second column on the first, against its headings; the line is
4.01 + 0.93 x (they print 4.06), which gives 29.23 at x = 27. The mean of a thousand bootstrap lines
is about half a minute lower there, not higher.
"""

from __future__ import annotations

import numpy as np

from nonet import bootstrap

first = np.array([10.0, 5, 12, 25, 1, 18, 11, 7, 19, 15])
second = np.array([15.0, 12, 18, 30, 3, 20, 14, 10, 20, 13])
at_27 = np.array([1, 27])

lines = bootstrap((first, second), "coefficients", n_resamples=1000, random_state=0)
for name, value in zip(("intercept", "slope"), lines.estimate, strict=True):
    print(f"shopping_ols.{name}", value)
print("shopping_ols.at27", lines.estimate @ at_27)
print("shopping_bagged_mean", lines.distribution.mean(axis=0) @ at_27)

# %%
# The line of a reader who follows the headings.

as_worded = bootstrap((second, first), "coefficients", n_resamples=9, random_state=0).estimate
print("shopping_ols_as_worded.intercept", as_worded[0])
print("shopping_ols_as_worded.slope", as_worded[1])
print("shopping_ols_as_worded.at27", as_worded @ at_27)

# %%
# Nine of ten single lines are between 24 and 32 at x = 27, and the mean of a thousand lines varies
# by 0.08 from seed to seed.

many = bootstrap((first, second), "coefficients", n_resamples=40_000, random_state=0)
print("shopping_bootstrap_spread", *np.quantile(many.distribution @ at_27, [0.05, 0.95]))
means = [
    bootstrap((first, second), "coefficients", n_resamples=1000, random_state=seed)
    .distribution.mean(axis=0)
    .dot(at_27)
    for seed in range(400)
]
print("shopping_bagged_sd_over_seeds.mean", np.mean(means))
print("shopping_bagged_sd_over_seeds.sd", np.std(means, ddof=1))
