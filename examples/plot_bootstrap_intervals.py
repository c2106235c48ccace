"""
Five bootstrap confidence intervals
===================================

The bootstrap draws samples from the sample and looks how much a statistic moves. Here it is the
standard deviation of 40 waiting times, whose distribution leans to the right. The histogram shows
its values in 1,999 resamples, the bars below are the intervals that can be made of them.

The histogram lies too low: a resample repeats rows, and so spreads less than its sample. The
percentile interval inherits that, the basic one mirrors it at the estimate, BCa corrects its levels
for it and for the skewness, and the studentised one measures each resample by its own standard
error, which makes it long where the data are few. The true value here is 1.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import bootstrap

waiting = np.random.default_rng(0).exponential(size=40)
result = bootstrap(waiting, "std", n_resamples=1999, standard_error="jackknife", random_state=0)
print(result)

# %%
# The picture that a result draws of itself, and all its intervals below.

figure, (top, bottom) = plt.subplots(
    2, sharex=True, height_ratios=(3, 2), figsize=(7.5, 5.5), layout="constrained"
)
result.plot(top, method="bca")
for height, (method, interval) in enumerate(result.intervals().items()):
    bottom.plot([interval.low, interval.high], [height, height], lw=4, color="#0b7285")
    print(f"{method:<12} {interval.low:.3f} to {interval.high:.3f}")
bottom.axvline(1.0, color="#343a40", ls="--", lw=1, label="true value")
bottom.set_yticks(range(len(result.intervals())), labels=list(result.intervals()))
bottom.legend(frameon=False)
bottom.set_xlabel("standard deviation")
top.set_xlabel("")

# %%
# The Monte Carlo error measures how much of this depends on the random draws.

print(result.monte_carlo_error())
plt.show()
