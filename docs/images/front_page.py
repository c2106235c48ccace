"""Draw the picture of the front page: one tree beside three ensembles of trees.

Run it in this folder: ``python front_page.py`` writes ``front_page.png``.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons

from nonet import BoostedTreesClassifier, DecisionTreeClassifier, RandomForestClassifier
from nonet.decide import Abstain, coverage, selective_accuracy
from nonet.plots import plot_decision_regions

UNSURE = -1
MODELS = {
    "one tree": DecisionTreeClassifier(),
    "random forest": RandomForestClassifier(random_state=0),
    "gradient boosting": BoostedTreesClassifier(learning_rate=0.1, random_state=0),
    "forest that abstains": RandomForestClassifier(
        decide=Abstain(min_support=0.8, abstain_label=UNSURE), random_state=0
    ),
}


def describe(model, X, y):
    """Return the accuracy on the rows that get a label, and their fraction where it is below 1."""
    labels = model.predict(X)
    accuracy = selective_accuracy(y, labels, abstain_label=UNSURE, silence="skip")
    predicted = coverage(labels, abstain_label=UNSURE)
    text = f"accuracy {accuracy:.3f}"
    return text if predicted == 1 else f"{text} on {predicted:.0%} of rows"


def main():
    """Fit the models on 300 points, test them on 5,000, and save the picture."""
    X, y = make_moons(300, noise=0.3, random_state=0)
    new_X, new_y = make_moons(5000, noise=0.3, random_state=1)
    figure, axes = plt.subplots(1, 4, figsize=(10, 2.9), layout="constrained", sharey=True)
    for ax, (name, model) in zip(axes, MODELS.items(), strict=True):
        plot_decision_regions(model.fit(X, y), X, y, ax)
        ax.set_title(f"{name}\n{describe(model, new_X, new_y)}", fontsize=11)
        ax.get_legend().remove()
        ax.set(xlabel="", ylabel="", xticks=[], yticks=[])
    figure.savefig("front_page.png", dpi=150)


if __name__ == "__main__":
    main()
