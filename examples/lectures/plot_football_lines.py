"""
Football: one logistic line and five bagged ones
================================================

Wins and losses by shots on target and possession. One logistic regression separates them by a line;
five fitted on bootstrap samples give five lines that differ most where data are few. The star is
the match Z with 5 shots and 65 % possession. The hard vote counts on which side of each line it
lies, the soft vote averages the five probabilities. As with the numbers of the notes, the hard vote
predicts a loss and the soft vote a win. The notes show only four of their 34 matches, so the
matches here are simulated.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from nonet import BaggingClassifier

random = np.random.default_rng(162)
shots, possession = random.integers(0, 10, 34), random.integers(30, 71, 34)
score = 0.6 * (shots - 4.5) - 0.06 * (possession - 50)
won = (random.random(34) < 1 / (1 + np.exp(-score))).astype(int)
X, z = np.column_stack([shots, possession]).astype(float), np.array([[5.0, 65.0]])
quoted = z[0, 1] / 100, len(X)  # the numbers of the text, in its order

single = LogisticRegression(max_iter=1000).fit(X, won)
bagged = BaggingClassifier(LogisticRegression(max_iter=1000), 5, random_state=11).fit(X, won)
probabilities = bagged.member_outputs(z)[0, :, 1]
print(f"one model: probability of a win {single.predict_proba(z)[0, 1]:.2f}")
print("five models:", *probabilities.round(2))
print(f"votes for a win: {np.sum(probabilities >= 0.5)} of 5; mean {probabilities.mean():.2f}")

# %%
figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
x = np.array([-0.5, 9.5])
for ax, models in zip(
    axes, ([single], [member.estimator for member in bagged.members_]), strict=True
):
    for model in models:
        (a, b), c = model.coef_[0], model.intercept_[0]
        ax.plot(x, -(a * x + c) / b, color="#0b7285", lw=1.6)
    ax.plot(*X[won == 1].T, "o", color="gold", mec="black", label="win")
    ax.plot(*X[won == 0].T, "o", color="seagreen", mec="black", label="loss")
    ax.plot(*z[0], "*", ms=15, color="#e8590c", mec="black", label="Z")
    ax.set(xlim=x, ylim=(28, 72), xlabel="shots on target")
axes[0].set(title="one logistic regression", ylabel="possession (%)")
axes[1].set_title("five on bootstrap samples")
axes[0].legend(frameon=True, loc="lower left")
plt.show()
