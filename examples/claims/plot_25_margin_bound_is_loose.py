"""
The margin bound is too loose to be useful
==========================================

A hundred stumps boosted on 1,000 rows err in 21 % of new rows. The margin bound is 148
%. With a hundred times the rows and the same margins it would still be above 1, with ten thousand
times 49 %. The claim holds: the bound explains a direction and gives no number to use.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_hastie_10_2

import nonet
from nonet import AdaBoostClassifier
from nonet.theory import margin_bound, margin_fraction

X, y = make_hastie_10_2(4000, random_state=0)
model = AdaBoostClassifier(n_estimators=100, random_state=0).fit(X[:1000], y[:1000])
values = nonet.margins(model, X[:1000], y[:1000]).values
test_error = 1 - model.score(X[1000:], y[1000:])
thetas = np.linspace(0.02, 0.9, 60)
N_STUMPS = 2 * 10 * 999  # two signs, ten columns, a threshold between any two rows

# %%
# The bound for every theta, with the rows that there are, and with more of the same margins.

rows = {1_000: "#e8590c", 100_000: "#e69f00", 10_000_000: "#0b7285"}
bounds = {
    n: np.array(
        [margin_bound(margin_fraction(values, t), t, n, n_hypotheses=N_STUMPS) for t in thetas]
    )
    for n in rows
}
print(f"test error {test_error:.3f}, training error {margin_fraction(values):.3f}")
for n, bound in bounds.items():
    best = int(bound.argmin())
    print(f"{n:,} rows: minimum bound {bound[best]:.2f} at theta {thetas[best]:.2f}")
now, _, with_many = (bound.min() for bound in bounds.values())
# The numbers of the text, in its order.
quoted = min(rows), test_error, now, with_many

# %%
figure, ax = plt.subplots(figsize=(7.5, 4.4), layout="constrained")
for n, colour in rows.items():
    ax.plot(thetas, bounds[n], color=colour, lw=2, label=f"bound with {n:,} rows")
label = "fraction of margins up to theta"
ax.plot(thetas, margin_fraction(values, thetas), color="#868e96", label=label)
ax.axhline(1, color="#343a40", lw=1, ls=":")
ax.axhline(test_error, color="#343a40", lw=2, ls="--", label=f"test error {test_error:.2f}")
ax.set(xlabel="theta", ylabel="error", yscale="log", ylim=(0.05, 60))
ax.legend(frameon=False, fontsize="small")
plt.show()
