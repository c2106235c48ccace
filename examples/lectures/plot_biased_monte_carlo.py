"""
Biased Monte Carlo: at least one instead of a majority
======================================================

A biased algorithm never gives one of its two outputs wrongly. A test of primality is one: it proves
a number composite, or finds no proof. Left: numbers of composite numbers that k random bases
recognise, against the theory; the rule "at least one" needs few runs, the majority needs many or
never gets there. Right: the same idea for learned members. Trees to which a false alarm costs much
raise few of them, and each recognises only a part of the positive class. At least one of them
recognises most of it, with more false alarms as trees are added: learned members are only nearly
one-sided.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from nonet import BaggingClassifier, DecisionTreeClassifier
from nonet.combine import AtLeastOne
from nonet.theory import biased_accuracy, majority_accuracy

# %%
# The Fermat test of a Carmichael number is fooled by most bases; 561 has 318 of 560 to fool it.

random = np.random.default_rng(0)
NUMBER = 561
proves = np.array([pow(base, NUMBER - 1, NUMBER) != 1 for base in range(1, NUMBER)])
p = proves.mean()
print(f"a random base proves {NUMBER} composite with probability {p:.3f}")
runs = np.arange(1, 16)
drawn = proves[random.integers(0, NUMBER - 1, size=(20_000, runs[-1]))]
classes = np.array(["composite", "prime"])
codes = np.where(drawn, 0, 1)
at_least_one = [
    np.mean(AtLeastOne("composite").support(codes[:, :k], classes=classes).argmax(axis=1) == 0)
    for k in runs
]
majority = [np.mean(drawn[:, :k].sum(axis=1) > k / 2) for k in runs]
print(f"after 5 runs: {at_least_one[4]:.3f} by at least one, {majority[4]:.3f} by majority")

# %%
X, y = make_moons(3000, noise=0.35, random_state=0)
train, test = slice(600), slice(600, None)
positive, negative = y[test] == 1, y[test] == 0
found = {}
for name, cost, rule in (("majority of plain trees", 1, None), ("at least one, biased", 40, 1)):
    base = DecisionTreeClassifier(max_depth=4, class_weight={0: cost, 1: 1}, random_state=0)
    bags = BaggingClassifier(base, 25, random_state=0).fit(X[train], y[train])
    alarms = bags.member_outputs(X[test])[..., 1] > 0.5
    votes = np.cumsum(alarms, axis=1) / np.arange(1, 26)
    together = votes > (0 if rule else 0.5)
    found[name] = together[positive].mean(axis=0), together[negative].mean(axis=0)
    print(f"{name}, 25 trees: recognised {found[name][0][-1]:.2f},", end=" ")
    print(f"false alarms {found[name][1][-1]:.2f}")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.3), layout="constrained")
left.plot(runs, biased_accuracy(p, runs), color="#e8590c", label="at least one, theory")
left.plot(runs, at_least_one, "o", color="#e8590c", ms=4, label="at least one, 20,000 trials")
odd = runs[::2]
left.plot(odd, majority_accuracy(p, odd), color="#0b7285", label="majority, theory")
left.plot(odd, majority[::2], "o", color="#0b7285", ms=4, label="majority, 20,000 trials")
left.set(
    xlabel="runs", ylabel="composite number recognised", ylim=(0, 1.03), title="a proof or none"
)
left.legend(frameon=False, fontsize=8, loc="center right")
for (name, (recognised, alarms)), colour in zip(found.items(), ("#0b7285", "#e8590c"), strict=True):
    right.plot(np.arange(1, 26), recognised, color=colour, lw=2, label=f"recognised: {name}")
    right.plot(np.arange(1, 26), alarms, color=colour, ls="--", label=f"false alarms: {name}")
right.set(xlabel="trees", ylabel="fraction of test rows", ylim=(0, 1.03), title="learned members")
right.legend(frameon=False, fontsize=8, loc="center right")
plt.show()
