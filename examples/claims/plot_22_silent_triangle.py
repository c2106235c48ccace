"""
One against the rest leaves a triangle where no class is predicted
==================================================================

Three machines, each for one class against the rest. Where their lines meet there is a triangle in
which no machine predicts yes: 6 % of the rows lie in it, and 3 % where two machines do. With ten
classes it becomes the rule: no machine predicts yes on 72 % of the rows, and two never do, because
"no" is right nine times of ten. The claim holds; the machines' probabilities would still name a
class.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

centres = np.array([[0.0, 2.0], [-1.8, -1.0], [1.8, -1.0]])
X, y = make_blobs([60, 60, 60], centers=centres, cluster_std=0.9, random_state=0)
machines = [LogisticRegression().fit(X, y == label) for label in range(3)]

# %%
# Each of three machines predicts yes or no for its class. How many predict yes, over the plane?

side = np.linspace(-5, 5, 300)
plane = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
yes = sum(machine.predict(plane).astype(int) for machine in machines)
on_rows = sum(machine.predict(X).astype(int) for machine in machines)
for count, words in enumerate(("none yes", "one yes", "two yes")):
    plane_fraction, row_fraction = np.mean(yes == count), np.mean(on_rows == count)
    print(f"{words}: {plane_fraction:.1%} of the plane, {row_fraction:.1%} of rows")
fractions = [np.mean(y == label) for label in range(3)]
print(f"each machine learns from {fractions[0]:.0%} yes and {1 - fractions[0]:.0%} no")

# %%
# With ten classes the task is imbalanced even if the classes are not: a machine that always
# predicts no is right nine times of ten.

X_ten, y_ten = make_blobs(1000, centers=10, cluster_std=2.5, random_state=3)
ten = [LogisticRegression().fit(X_ten, y_ten == label) for label in range(10)]
counts = sum(machine.predict(X_ten).astype(int) for machine in ten)
silent, claimed = np.mean(on_rows == 0), np.mean(on_rows == 2)
# The numbers of the text, in its order.
quoted = silent, claimed, np.mean(counts == 0)
never = sum(not machine.predict(X_ten).any() for machine in ten)
print(f"ten classes: no machine predicts yes on {np.mean(counts == 0):.0%} of rows;", end=" ")
print(f"{never} machines never do")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
shades = left.contourf(
    side,
    side,
    yes.reshape(300, 300),
    levels=[-0.5, 0.5, 1.5, 2.5],
    colors=["#e8590c", "#e9ecef", "#96c5d0"],
    alpha=0.7,
)
for label, (machine, colour) in enumerate(
    zip(machines, ("#0072b2", "#e69f00", "#009e73"), strict=True)
):
    left.plot(*X[y == label].T, "o", ms=4, color=colour, mec="white", mew=0.4)
    (a, b), c = machine.coef_[0], machine.intercept_[0]
    left.plot(side, -(a * side + c) / b, color=colour, lw=1.5)
left.set(xlim=(-5, 5), ylim=(-5, 5), title="orange: no machine predicts yes; blue: two do")
right.bar(range(counts.max() + 1), np.bincount(counts) / len(counts), color="#0b7285")
right.set(
    xlabel="machines that predict yes, of ten", ylabel="fraction of rows", title="ten classes"
)
plt.show()
