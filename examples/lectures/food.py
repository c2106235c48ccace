"""
Food: many classes by binary models
===================================

Fruit, protein and vegetable by sweetness and crispness. One model per class against the rest, or
one per pair of classes; both classify the bell pepper (6, 9) as a vegetable. The second printed
line of the notes is that of protein and the third that of vegetable.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from nonet import OneVsOneClassifier, OneVsRestClassifier
from nonet.decide import Abstain

FOOD = {
    "fruit": [[10, 1], [7, 4], [8, 3], [9, 8], [8, 7]],
    "protein": [[2, 2], [1, 5], [3, 3], [2, 1], [3, 2]],
    "vegetable": [[2, 8], [4, 10], [2, 9], [3, 7]],
}
X = np.array([point for points in FOOD.values() for point in points], dtype=float)
y = np.array([name for name, points in FOOD.items() for _ in points])
pepper = np.array([6.0, 9.0])
rest = OneVsRestClassifier(
    LogisticRegression(), decoding="probabilities", decide=Abstain(0.5, abstain_label="none")
).fit(X, y)
lines = [np.r_[model.intercept_, model.coef_[0]] for model in rest.estimators_]
for key, line in zip("fpv", lines, strict=True):
    print(f"ovr_logistic.{key}", *line)
own_scores = [model.score(X, y == name) for name, model in zip(FOOD, rest.estimators_, strict=True)]
print("ovr_train_no_mistakes", *own_scores)

# %%
# The bell pepper, by the printed coefficients and by the exact ones.

scores = [line[0] + pepper @ line[1:] for line in np.round(lines, 2)]
print("ovr_bell_pepper_printed.psi", *scores)
print("ovr_bell_pepper_printed.p", *expit(scores))
for key, probability in zip("fpv", rest.member_outputs([pepper])[0], strict=True):
    print(f"ovr_bell_pepper_exact.{key}", probability)
print("the bell pepper is predicted as", *rest.predict([pepper]))

# %%
# The three lines enclose a triangle in which no probability reaches one half: the rule abstains.

corners = [
    np.linalg.solve([lines[i][1:], lines[j][1:]], [-lines[i][0], -lines[j][0]])
    for i, j in ((0, 1), (0, 2), (1, 2))
]
print("ovr_silence_triangle", bool(rest.predict([np.mean(corners, axis=0)])[0] == "none"))

# %%
# Pairs of classes; the first named class is on the positive side.

pairs = OneVsOneClassifier(LogisticRegression(), decoding="votes").fit(X, y)
lines_of_pairs = {}
for key, first, second in (
    ("fv", "fruit", "vegetable"),
    ("fp", "fruit", "protein"),
    ("vp", "vegetable", "protein"),
):
    names = sorted([first, second])
    (model,) = [m.estimator for m in pairs.members_ if m.name == " against ".join(names)]
    line = np.r_[model.intercept_, model.coef_[0]] * (1 if names[1] == first else -1)
    lines_of_pairs[key] = line
    print(f"ovo_logistic.{key}", *line)
    print(f"ovo_bell_pepper_exact.{key}", expit(line[0] + pepper @ line[1:]))
scores = [line[0] + pepper @ line[1:] for line in np.round(list(lines_of_pairs.values()), 2)]
print("ovo_bell_pepper_printed.psi", *scores)
print("ovo_bell_pepper_printed.p", *expit(scores))
print("the bell pepper is predicted as", *pairs.predict([pepper]))
