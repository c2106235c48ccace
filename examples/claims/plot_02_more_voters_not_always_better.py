"""
More voters are not always better
=================================

Ten rows: on six of them a random hypothesis is right with probability 0.95, on the other four with
0.45. A vote of T hypotheses gets better on the easy rows at once and worse on the hard ones slowly
(left). So the expected accuracy first rises and then falls, to 0.6, the fraction of rows on which a
hypothesis is right more often than not; one voter is better than a thousand (right).
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet.theory import expected_accuracy, limit_accuracy, majority_accuracy

EASY, HARD = 0.95, 0.45
rows = [EASY] * 6 + [HARD] * 4
sizes = 2 * np.unique(np.geomspace(1, 5000, 60).astype(int)) - 1

# %%
# Exact binomial sums, for all sizes at once.

accuracy = expected_accuracy(rows, sizes)
best = sizes[accuracy.argmax()]
print(f"one voter {accuracy[0]:.3f}, best with {best}: {accuracy.max():.3f}")
print(f"{sizes[-1]} voters {accuracy[-1]:.3f}, limit {limit_accuracy(rows):.1f}")
# The numbers of the text, in its order.
quoted = EASY, HARD, limit_accuracy(rows)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.4), sharex=True, layout="constrained")
left.plot(sizes, majority_accuracy(EASY, sizes), color="#0b7285", label="easy row, p = 0.95")
left.plot(sizes, majority_accuracy(HARD, sizes), color="#e8590c", label="hard row, p = 0.45")
left.set_ylabel("probability that the vote is right on the row")
left.set_ylim(0, 1.03)
left.legend(frameon=False, loc="center left")

right.plot(sizes, accuracy, color="#0b7285", label="vote")
right.axhline(accuracy[0], ls=":", color="#868e96", label="one voter")
right.axhline(limit_accuracy(rows), ls="--", color="#868e96", label="limit")
right.plot(best, accuracy.max(), "o", color="#0b7285", ms=8, mec="white")
right.set_ylabel("expected accuracy over the rows")
right.legend(frameon=False)

for ax in (left, right):
    ax.set_xscale("log")
    ax.set_xlabel("number of voters T")
plt.show()
