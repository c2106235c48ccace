"""
Training, out-of-bag and test loss against the number of trees
==============================================================

Out-of-bag above test above training loss, and all of them flat after some dozen trees: the notes'
figure is reproduced. Out of bag only about a third of the trees predict each row, which makes
the estimate pessimistic (7.4 against 5.8 with 80 trees) until there are many; the training loss
(1.0) is uninformative.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from sklearn.datasets import make_friedman1
from sklearn.tree import DecisionTreeRegressor

from nonet import BaggingRegressor
from nonet.diagnostics import error_curve

X, y = make_friedman1(2000, noise=1.0, random_state=0)
train, test = (X[:300], y[:300]), (X[300:], y[300:])
model = BaggingRegressor(DecisionTreeRegressor(max_features=3), 80, random_state=0).fit(*train)
curve = error_curve(model, *test, train=train, out_of_bag=True)
print(curve)
for name, errors in curve.errors.items():
    print(f"{name}: with 40 trees {errors[39]:.2f}, with 80 {errors[79]:.2f}")
by_name = {name: errors[-1] for name, errors in curve.errors.items()}
quoted = (
    by_name["out of bag"],
    by_name["test"],
    len(model),
    by_name["train"],
)  # the numbers of the text, in its order

# %%
ax = curve.plot()
ax.set_title("the out-of-bag curve needs no test rows")
plt.show()
