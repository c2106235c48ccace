"""
Hypotheses right less than half of the time can make a useful vote
==================================================================

Six rows on which a hypothesis is right with probability 0.52, four on which it is right with 0.30:
on average 43 %, worse than random guessing. The vote of many is right on the six, that is 60 %
(left). It takes thousands of voters. Nor do high margins mean high accuracy: on the right, the vote
with the larger mean margin is the one that errs.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet.diagnostics import Margins
from nonet.plots import plot_margins
from nonet.theory import class_margins, expected_accuracy, limit_accuracy

p = np.array([0.52] * 6 + [0.3] * 4)
sizes = 2 * np.unique(np.geomspace(1, 20_000, 40).astype(int)) - 1
accuracy = expected_accuracy(p, sizes)
print(f"one hypothesis {p.mean():.3f}; vote of {sizes[-1]} {accuracy[-1]:.3f}")
print(f"limit of ever more voters {limit_accuracy(p)}")
# The numbers of the text, in its order.
quoted = p[0], p[-1], p.mean(), limit_accuracy(p)

# %%
# Two votes on four rows, class 0 being right: timid and flawless, or loud and once wrong.

timid = Margins(class_margins([0] * 4, [[0.55, 0.45]] * 4), "votes", error=0.0)
loud = Margins(class_margins([0] * 4, [[0.95, 0.05]] * 3 + [[0.4, 0.6]]), "votes", error=0.25)
for name, result in {"timid": timid, "loud": loud}.items():
    print(f"{name}: mean margin {result.mean:.3f}, error {result.error:.2f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
left.plot(sizes, accuracy, color="#0b7285", lw=2, label="vote")
left.axhline(p.mean(), color="#868e96", ls=":", label="one hypothesis")
left.axhline(0.5, color="#e8590c", ls="--", lw=1, label="a coin")
left.set(xscale="log", xlabel="voters", ylabel="expected accuracy")
left.legend(frameon=False)
plot_margins(timid, right, label="timid: mean 0.10, error 0", color="#0b7285")
plot_margins(loud, right, label="loud: mean 0.63, error 1/4", color="#e8590c")
plt.show()
