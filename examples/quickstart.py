"""Five models against the ensembles made of them, on handwritten digits.

The models learn from 300 digits. Another 300, which they have not seen, are for combination rules
that have to be fitted; the rest is the test set. Everything is repeated over ten splits.

Digits were chosen because five so different models disagree on them in useful ways. On easier
data one good model can be as good as any ensemble: look at both columns of the table.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from matplotlib import pyplot
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeClassifier

from nonet import VotingClassifier
from nonet.decide import Abstain, coverage, risk_coverage_curve, selective_accuracy
from nonet.plots import plot_risk_coverage, plot_scores

MEMBERS = [
    ("logistic", make_pipeline(MinMaxScaler(), LogisticRegression(max_iter=200))),
    ("discriminant", LinearDiscriminantAnalysis()),
    ("naive Bayes", make_pipeline(PCA(20, random_state=0), GaussianNB())),
    ("neighbours", make_pipeline(PCA(6, random_state=0), KNeighborsClassifier())),
    ("tree", DecisionTreeClassifier(min_samples_leaf=5, random_state=0)),
]
ENSEMBLES = {
    "plurality": {"combine": "plurality"},
    "mean": {"combine": "mean"},
    "median": {"combine": "median"},
    "product": {"combine": "product"},
    "borda": {"combine": "borda"},
    "plurality by log-odds": {"combine": "plurality", "weights": "log_odds"},
    "mean, simplex weights": {"combine": "mean", "weights": "simplex"},
    "mean, ridge weights": {"combine": "mean", "weights": "ridge_to_uniform"},
}
ABSTAINED = -1
N_SPLITS = 10


def split(X, y, seed):
    """Return rows to fit on, rows to combine on, and rows to test on."""
    X_learn, X_rest, y_learn, y_rest = train_test_split(
        X, y, train_size=300, stratify=y, random_state=seed
    )
    X_held, X_test, y_held, y_test = train_test_split(
        X_rest, y_rest, train_size=300, stratify=y_rest, random_state=seed
    )
    return (X_learn, y_learn), (X_held, y_held), (X_test, y_test)


def fit_all(learn, held_out):
    """Fit the members once, and every ensemble on top of the same fitted members."""
    members = VotingClassifier(MEMBERS).fit(*learn).named_estimators_
    ensembles = {
        name: VotingClassifier(list(members.items()), prefit=True, **settings).fit(*held_out)
        for name, settings in ENSEMBLES.items()
    }
    return {**members, **ensembles}


def compete(X, y):
    """Return the scores of all models, the true labels, and two supports, over all splits."""
    scores, truth, supports = defaultdict(list), [], defaultdict(list)
    for seed in range(N_SPLITS):
        learn, held_out, (X_test, y_test) = split(X, y, seed)
        models = fit_all(learn, held_out)
        for name, model in models.items():
            scores[name].append(model.score(X_test, y_test))
        truth.append(y_test)
        for name in ("mean", "logistic"):
            supports[name].append(models[name].predict_proba(X_test))
    pooled = {name: np.concatenate(parts) for name, parts in supports.items()}
    return dict(scores), np.concatenate(truth), pooled


def show_table(scores):
    """Print one line per model: its accuracy, and how often it beat the best member."""
    best = max((name for name, _ in MEMBERS), key=lambda name: np.mean(scores[name]))
    print(f"{'':26}accuracy        better than {best}")
    for title, names in (("members", dict(MEMBERS)), ("ensembles", ENSEMBLES)):
        print(title)
        for name in sorted(names, key=lambda name: -np.mean(scores[name])):
            values = np.array(scores[name])
            wins = (
                "" if name == best else f"on {np.sum(values > scores[best])} of {N_SPLITS} splits"
            )
            print(f"  {name:24}{values.mean():.3f} ± {values.std(ddof=1):.3f}   {wins}".rstrip())


def show_silence(truth, support):
    """Print the accuracy of the mean when it may abstain."""
    codes = Abstain(min_support=0.6).decide(support)
    covered = coverage(codes, abstain_label=ABSTAINED)
    right = selective_accuracy(truth, codes, abstain_label=ABSTAINED, silence="skip")
    print(f"\nThe mean, abstaining below a support of 0.6, predicts {covered:.1%} of the rows,")
    print(f"and {right:.1%} of its predictions are right.")


def draw(scores, truth, supports):
    """Save the picture: scores on the left, the risk-coverage curves on the right."""
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(12, 5.2), width_ratios=(1.25, 1), layout="constrained"
    )
    plot_scores(scores, left, ensembles=ENSEMBLES, label="accuracy on ten test sets")
    left.set_title("Five members and their ensembles", loc="left")
    for (name, support), color in zip(supports.items(), ("#0b7285", "#868e96"), strict=True):
        plot_risk_coverage(risk_coverage_curve(truth, support), right, label=name, color=color)
    right.set_title("Abstention reduces errors", loc="left")
    figure.savefig("quickstart.png", dpi=150)


def main():
    """Run the competition, print the table, save the picture."""
    print("Digits: 300 rows to learn from, 300 held out, 1197 to test on.\n")
    scores, truth, supports = compete(*load_digits(return_X_y=True))
    show_table(scores)
    show_silence(truth, supports["mean"])
    draw(scores, truth, supports)
    print("\nThe picture is in quickstart.png.")


if __name__ == "__main__":
    main()
