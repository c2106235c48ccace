"""
The wrong and the right way to cross-validate
=============================================

Fifty rows, two classes, 5,000 columns of pure noise: no model can do better than guessing. Yet
choose the 100 columns that go best with the labels first, cross-validate a model on these, and it
is right nearly always. The choice has seen the held-out rows.

The histograms show why. Look at a fifth of the rows that was held out, and at the correlation of
each chosen column with the labels there. Chosen with these rows in sight, columns keep their
correlation on them (wrong); chosen without, they have none (right).
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from nonet import selection_leak

random = np.random.default_rng(1)
X, y = random.normal(size=(50, 5000)), np.tile([0, 1], 25)
selector = SelectKBest(f_classif, k=100)

leak = selection_leak(selector, KNeighborsClassifier(1), X, y)
print(leak)
# The numbers of the text, in its order.
quoted = X.shape[1], selector.k

# %%
# Correlations in ten held-out rows of the columns chosen with and without them.


def correlations(columns: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.array([np.corrcoef(column, labels)[0, 1] for column in columns.T])


train, test = next(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
seen = X[:, selector.fit(X, y).get_support()]
unseen = X[:, selector.fit(X[train], y[train]).get_support()]
# A column may go with the labels or against them: the sign it had in training counts.
signs = [np.sign(correlations(table[train], y[train])) for table in (seen, unseen)]

figure, axes = plt.subplots(1, 2, sharex=True, sharey=True, figsize=(9, 4), layout="constrained")
for ax, table, sign, title, error in zip(
    axes,
    (seen, unseen),
    signs,
    ("wrong: chosen with the held-out rows", "right: chosen without them"),
    (leak.wrong_error, leak.right_error),
    strict=True,
):
    values = sign * correlations(table[test], y[test])
    ax.hist(values, bins=np.linspace(-1, 1, 21), color="#0b7285", alpha=0.75)
    ax.axvline(values.mean(), color="#e8590c", lw=2, label=f"mean {values.mean():.2f}")
    ax.set(title=f"{title}\nerror {error:.0%}", xlabel="correlation in held-out rows")
    ax.legend(frameon=False, loc="upper left")
axes[0].set_ylabel("columns")
plt.show()
