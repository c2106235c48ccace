"""
A biased algorithm needs far fewer repetitions
==============================================

To be right in 95 % of the cases takes 269 voters that are right in 55 %, but only 4 runs of a
biased algorithm, one whose "yes" is always true. For 99 % it is 539 and 6. The notes print 367 for
539, and for p = 0.1 they print 11 runs where 44 are needed; the claim itself holds.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from nonet.theory import biased_accuracy, biased_runs_needed, majority_accuracy, voters_needed

P, SMALL_P = 0.55, 0.1
IN_THE_NOTES = 367, 11
targets = (0.95, 0.99)
voters = [voters_needed(P, target) for target in targets]
for target, needed in zip(targets, voters, strict=True):
    print(f"for {target:.0%}: {needed} voters, {biased_runs_needed(P, target)} biased runs")
runs_needed = biased_runs_needed(SMALL_P, 0.99)
print(f"even with p = {SMALL_P} a biased algorithm reaches 99 % in {runs_needed} runs")
as_printed, too_few = IN_THE_NOTES
# The numbers of the text, in its order.
quoted = targets[0], voters[0], P, targets[1], voters[1]
quoted += as_printed, voters[1], SMALL_P, too_few, runs_needed

# %%
# Unbiased: the majority of the runs decides. Biased: one of the two outputs is never given wrongly,
# so that a single such output decides.

runs = np.arange(1, 600, 2)
figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
ax.plot(runs, majority_accuracy(P, runs), color="#0b7285", lw=2, label="majority, p = 0.55")
ax.plot(runs, biased_accuracy(P, runs), color="#e8590c", lw=2, label="biased, p = 0.55")
ax.plot(runs, biased_accuracy(0.1, runs), color="#e8590c", ls="--", label="biased, p = 0.1")
ax.axhline(0.95, color="#868e96", ls=":", lw=1)
ax.axhline(0.99, color="#868e96", ls=":", lw=1)
ax.set(xscale="log", xlabel="runs", ylabel="probability of the right output", ylim=(0, 1.02))
ax.legend(frameon=False)
plt.show()
