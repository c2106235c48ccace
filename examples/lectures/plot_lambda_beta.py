"""
The scale and the coefficient of a round of AdaBoost
====================================================

A member with weighted error eps has its mistakes multiplied by lambda = sqrt((1 - eps) / eps), and
it votes with the coefficient beta = ln(lambda). At an error of one half both are neutral: weights
stay as they are, and the member has no vote. Above one half the coefficient is negative: the
opposite of the member votes.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet import log_odds

error = np.linspace(0.01, 0.99, 197)
beta = np.array([log_odds(eps) for eps in error]) / 2
for eps in (0.14, 0.3, 0.5, 0.7):
    print(f"error {eps}: lambda {np.exp(log_odds(eps) / 2):.3f}, beta {log_odds(eps) / 2:.3f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(error, np.exp(beta), color="#0b7285", lw=2)
left.axhline(1, color="#868e96", ls=":")
left.set(
    xlabel="weighted error of the member", ylabel="lambda", ylim=(0, 8), title="scale of mistakes"
)
right.plot(error, beta, color="#0b7285", lw=2)
right.axhline(0, color="#868e96", ls=":")
right.fill_between(error, beta, 0, where=beta > 0, color="#0b7285", alpha=0.15)
right.fill_between(error, beta, 0, where=beta < 0, color="#e8590c", alpha=0.15)
right.set(xlabel="weighted error of the member", ylabel="beta", title="coefficient of the vote")
for ax in (left, right):
    ax.axvline(0.5, color="#868e96", ls=":")
plt.show()
