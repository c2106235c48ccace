"""
Correlation limits what bagging can take away
=============================================

Trees bagged on 16 fresh samples. The variance of their mean follows rho s^2 + (1 - rho) s^2 / T
within 8 %, and stops far above the s^2 / T of independent members (dashed). Trees that choose among
one random column vary more one by one (22 against 12) and less together (1.5 against 2.1), for they
are hardly correlated. The claim holds.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.tree import DecisionTreeRegressor

from nonet import BaggingRegressor
from nonet.theory import variance_of_mean

N_REPEATS, N_MEMBERS = 16, 25
sizes = np.arange(1, N_MEMBERS + 1)
X_test, _ = make_friedman1(150, random_state=1000)


def predictions_of(columns: int | None) -> np.ndarray:
    """Predictions of trees bagged on fresh samples, on fixed rows: (repeats, rows, members)."""
    predictions = []
    for repeat in range(N_REPEATS):
        X, y = make_friedman1(150, noise=1.0, random_state=repeat)
        tree = DecisionTreeRegressor(max_features=columns)
        model = BaggingRegressor(tree, N_MEMBERS, random_state=repeat).fit(X, y)
        predictions.append(model.member_outputs(X_test))
    return np.array(predictions)


# %%
# Two members of one sample correlate because they share its rows. Their variance and correlation
# over samples, put into the formula, against the variance of means that were really taken.

found = []
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
for name, columns, colour in (("all columns", None, "#0b7285"), ("1 of 10 columns", 1, "#e8590c")):
    predictions = predictions_of(columns)
    variance = predictions.var(axis=0, ddof=1).mean()
    means = predictions.mean(axis=2).var(axis=0, ddof=1).mean()
    correlation = (means / variance - 1 / N_MEMBERS) / (1 - 1 / N_MEMBERS)
    grown = predictions.cumsum(axis=2) / sizes
    measured = grown.var(axis=0, ddof=1).mean(axis=0)
    formula = variance_of_mean(variance, sizes, correlation=correlation)
    off = np.max(np.abs(measured / formula - 1))
    found.append((off, variance, measured[-1]))
    print(
        f"{name}: variance of one {variance:.2f}, correlation {correlation:.2f}, "
        f"of {N_MEMBERS} {measured[-1]:.2f} (formula off by at most {off:.0%}; floor "
        f"{correlation * variance:.2f}, independent {variance / N_MEMBERS:.2f})"
    )
    ax.plot(sizes, measured, "o", ms=4, color=colour, label=f"{name}: measured")
    ax.plot(sizes, formula, color=colour, label=f"formula, correlation {correlation:.2f}")
    ax.axhline(correlation * variance, color=colour, ls=":", lw=1)
    ax.plot(sizes, variance / sizes, color=colour, ls="--", lw=1, alpha=0.5)
deviations, single, together = np.transpose(found)
quoted = (
    N_REPEATS,
    deviations.max(),
    *single[::-1],
    *together[::-1],
)  # the numbers of the text, in its order
ax.set(xlabel="members", ylabel="variance of the mean", ylim=(0, None))
ax.legend(frameon=False)
plt.show()
