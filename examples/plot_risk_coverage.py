"""
Abstention: the risk-coverage curve
===================================

An ensemble that may abstain errs less on the rows it does predict. Each curve predicts the rows
with the highest support first. At the right end every row is predicted and the height is the plain
error; how fast a curve falls to the left shows how well its support ranks the errors. The product
is sure of nearly everything, also where it is wrong: its curve hardly falls.

The dot is a target turned into a rule: predict as many rows as possible with at most one error in a
hundred predictions. It is chosen on held-out rows and then checked on test rows. A threshold chosen
on some rows is fitted to them, so expect a few more errors than the target on new ones.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from nonet import VotingClassifier
from nonet.decide import coverage, risk_coverage_curve, selective_accuracy
from nonet.plots import plot_risk_coverage

X, y = load_digits(return_X_y=True)
X_learn, X_rest, y_learn, y_rest = train_test_split(X, y, train_size=400, random_state=0)
X_held, X_test, y_held, y_test = train_test_split(X_rest, y_rest, train_size=500, random_state=0)
members = [
    ("discriminant", LinearDiscriminantAnalysis()),
    ("bayes", GaussianNB(var_smoothing=1e-2)),
    ("near", KNeighborsClassifier(10)),
    ("tree", DecisionTreeClassifier(min_samples_leaf=5, random_state=0)),
]

# %%
# One curve for each combination rule, on the test rows.

figure, ax = plt.subplots(figsize=(7.5, 5), layout="constrained")
colors = {"plurality": "#e8590c", "product": "#868e96", "mean": "#0b7285"}
for rule, color in colors.items():
    vote = VotingClassifier(members, combine=rule).fit(X_learn, y_learn)
    curve = risk_coverage_curve(y_test, vote.predict_proba(X_test))
    plot_risk_coverage(curve, ax, label=rule, color=color)

# %%
# The target, on rows that the members have not seen: at most one error in a hundred predictions.

held_out = risk_coverage_curve(y_held, vote.predict_proba(X_held))
careful = held_out.rule_at_risk(0.01, abstain_label=-1)
print(careful)

# %%
# The rule is then a parameter like any other, and its predictions contain a label for abstention.

predictions = vote.set_params(decide=careful).fit(X_learn, y_learn).predict(X_test)
covered = coverage(predictions, abstain_label=-1)
right = selective_accuracy(y_test, predictions, abstain_label=-1, silence="skip")
print(f"predicts {covered:.1%} of the test rows, {1 - right:.1%} of them wrong")
ax.plot(covered, 1 - right, "o", color=colors["mean"], ms=9, mec="white")
plt.show()
