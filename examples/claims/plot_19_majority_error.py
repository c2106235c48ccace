"""
Are many voters always better than one?
=======================================

Each voter errs with the probability on the horizontal axis; the curves show how often a majority of
eleven errs. Independent voters (the steep curve) are better than one, but only to the left of one
half: to the right the vote is *worse* than its voters. And the more the voters err together, the
closer the vote comes to the diagonal, where eleven are worth no more than one.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet.theory import majority_error

N_VOTERS = 11
errors = np.linspace(0, 1, 201)

# %%
# The calculators take arrays: one call for each curve.

correlations = {0.0: "#0b7285", 0.1: "#e8590c", 0.5: "#9c36b5"}
curves = {rho: majority_error(errors, N_VOTERS, correlation=rho) for rho in correlations}

# %%
# The example of the lecture: eleven voters that are wrong one time in four.

for rho in correlations:
    print(f"correlation {rho:.1f}: {majority_error(0.25, N_VOTERS, correlation=rho):.3f}")

# %%
figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
ax.plot(errors, errors, "--", color="#868e96", label="one voter")
for rho, color in correlations.items():
    words = "independent" if rho == 0 else f"correlation {rho:.1f}"
    ax.plot(errors, curves[rho], color=color, label=f"{N_VOTERS} voters, {words}")
ax.plot(0.25, majority_error(0.25, N_VOTERS), "o", color=correlations[0.0], ms=8, mec="white")
ax.axvline(0.5, color="#dee2e6", zorder=0)
ax.set_xlabel("error of one voter")
ax.set_ylabel("error of the majority")
ax.legend(frameon=False, loc="upper left")
plt.show()
