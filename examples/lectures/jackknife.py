"""
Jackknife: pseudovalues, bias and variance
==========================================

The worked examples of the jackknife. For a mean the pseudovalues are the data. For the variance
with divisor n the correction gives exactly the variance with divisor n - 1. For a minimum the
estimate of bias helps, and the estimate of variance is about twice too large.
"""

from __future__ import annotations

import warnings

import numpy as np

from nonet import jackknife

mean = jackknife([1, 4, 7, 9], "mean")
print("jackknife_mean_1479.theta", mean.estimate)
print("jackknife_mean_1479.partials", *mean.partials)
print("jackknife_mean_1479.pseudovalues", *mean.pseudovalues)
print("jackknife_mean_1479.jack", mean.corrected_estimate)
print("jackknife_mean_1479.bias_standard", mean.bias)
print("jackknife_mean_1479.var", mean.variance)
print("jackknife_mean_1479.var2", mean.variance_from_partials)

# %%
# The bias of the variance with divisor n is negative. What the notes call bias is the correction.

variance = jackknife([1, 4, 7, 9], "variance")
print("jackknife_S2_to_S02.theta", variance.estimate)
print("jackknife_S2_to_S02.jack", variance.corrected_estimate)
print("jackknife_S2_to_S02.bias_standard", variance.bias)
print("jackknife_S2_to_S02.bias_as_printed", variance.correction)

# %%
# A minimum is not smooth, and `jackknife` warns of that.

sample = [2.6, 3.26, 2.75, 2.64, 2.83, 2.58, 3.17, 3.31, 3.48, 3.14]  # uniform on (2.5, 3.5)
with warnings.catch_warnings(action="ignore"):
    minimum = jackknife(sample, "minimum")
print("jackknife_min_uniform10.theta", minimum.estimate)
print("jackknife_min_uniform10.jack", minimum.corrected_estimate)
print("jackknife_min_uniform10.bias_standard", minimum.bias)
print("jackknife_min_uniform10.var", minimum.variance)

# %%
# In closed form: the jackknife variance of a minimum is ((n - 1) / n)^2 (X(2) - X(1))^2, and the
# spacing X(2) - X(1) of uniform numbers has a second moment of 2 / ((n + 1) (n + 2)).

n = 10
print("min_uniform_variances_n10.true_var", n / ((n + 1) ** 2 * (n + 2)))
print("min_uniform_variances_n10.E_var_jack", (0.9**2) * 2 / ((n + 1) * (n + 2)))

# %%
# 4,000 samples of four sizes. Columns: mean jackknife variance and mean bootstrap variance (both
# divided by the true variance), how often the jackknife variance is the smaller, how often the
# corrected minimum is nearer to the truth, how often it is below the truth.

for n in (5, 10, 50, 200):
    samples = np.sort(np.random.default_rng(1).uniform(size=(4000, n)), axis=1)
    first, gap = samples[:, 0], samples[:, 1] - samples[:, 0]
    by_jackknife, corrected = ((n - 1) / n * gap) ** 2, first - (n - 1) / n * gap
    above = np.arange(n, -1, -1) / n
    is_minimum = above[:-1] ** n - above[1:] ** n  # that X(i) is the minimum of a resample
    by_bootstrap = samples**2 @ is_minimum - (samples @ is_minimum) ** 2
    truth = n / ((n + 1) ** 2 * (n + 2))
    print(
        f"fig3_jack_vs_boot_variance.{n}",
        by_jackknife.mean() / truth,
        by_bootstrap.mean() / truth,
        np.mean(by_jackknife < by_bootstrap),
        np.mean(np.abs(corrected) < first),
        np.mean(corrected < 0),
    )
