"""
Jackknife influence of single rows
==================================

The jackknife leaves out one row at a time. What the estimate loses without a row is that row's
influence, and the influences together give the standard error. In this correlation one point, far
from the others and against their trend, outweighs all the rest: the estimate depends on it more
than on the other 29.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import jackknife

random = np.random.default_rng(1)
x = random.normal(size=30)
y = x + 0.5 * random.normal(size=30)
x[12], y[12] = 3.0, -3.0

result = jackknife((x, y), "correlation")
print(result)

# %%
# The point is easy to see in the plane, and stands out in the influences too, where it would also
# stand out in ten dimensions.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
left.plot(x, y, "o", color="#0b7285")
left.annotate("12", (x[12], y[12]), xytext=(-14, 4), textcoords="offset points", color="#e8590c")
left.set(xlabel="x", ylabel="y")
result.plot(right, n_named=1)

# %%
# Without it:

others = np.delete(np.arange(30), 12)
print(jackknife((x[others], y[others]), "correlation"))
plt.show()
