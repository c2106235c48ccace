"""
AdaBoost's training error stays below its bound, and falls exponentially
========================================================================

The training error stays below the product of 2 sqrt(eps (1 - eps)) in every round and is 0 after
22; the minimum edge alone guarantees it after 234 rounds. The bound as printed in the notes,
without the factor 2 in each round, is broken in 21 of the 60 rounds.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_hastie_10_2

from nonet import AdaBoostClassifier, DecisionTreeClassifier
from nonet.diagnostics import error_curve
from nonet.theory import edge_bound, rounds_to_fit, training_bound

N_ROUNDS = 60
X, y = make_hastie_10_2(300, random_state=0)
base = DecisionTreeClassifier(max_depth=3, random_state=0)
model = AdaBoostClassifier(base, n_estimators=N_ROUNDS, random_state=0).fit(X, y)
weighted = model.estimator_errors_
rounds = np.arange(1, N_ROUNDS + 1)
error = error_curve(model, train=(X, y)).errors["train"]
bound = np.array([training_bound(weighted[:t]) for t in rounds])
without_2 = bound / 2.0**rounds
by_edges = np.array([edge_bound(0.5 - weighted[:t]) for t in rounds])
print(f"error at most the bound in all {N_ROUNDS} rounds: {bool(np.all(error <= bound + 1e-12))}")
broken = int(np.sum(error > without_2))
print(f"without the factor 2 the bound is broken in {broken} rounds")
minimum = float(np.min(0.5 - weighted))
zero = np.flatnonzero(error == 0)
first = int(zero[0]) + 1 if zero.size else None
promised = rounds_to_fit(minimum, len(y))
print(f"training error 0 after {first} rounds; promised after {promised}")
print(f"(the minimum edge was {minimum:.3f}, the mean {np.mean(0.5 - weighted):.3f})")
# The numbers of the text, in its order.
quoted = first, promised, broken, N_ROUNDS

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.6), layout="constrained")
ax.plot(rounds, by_edges, color="#868e96", ls=":", label="exp(-2 sum of squared edges)")
ax.plot(rounds, bound, color="#0b7285", lw=2, label="product of 2 sqrt(eps (1 - eps))")
ax.plot(rounds, without_2, color="#e8590c", ls="--", label="as printed, without the 2s")
ax.step(rounds, error, color="#343a40", lw=2, where="post", label="training error")
ax.set(yscale="log", xlabel="rounds", ylabel="error", ylim=(1e-4, 2))
ax.legend(frameon=False)
plt.show()
