"""Members that err on one side only."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import BaggingClassifier, OneSidedClassifier
from nonet.combine import AtLeastOne
from nonet.theory import biased_accuracy

X, Y = make_moons(600, noise=0.3, random_state=0)


def shifted(n_rows, random):
    """Two normal classes, one standard deviation and a half apart."""
    y = random.integers(2, size=n_rows)
    return random.normal(size=(n_rows, 1)) + 1.5 * y[:, None], y


@pytest.mark.parametrize("estimator", [None, LinearSVC(), GaussianNB()])
@pytest.mark.parametrize("certain", [0, 1])
def test_certain_class_is_never_wrong_on_held_out_rows(estimator, certain):
    model = OneSidedClassifier(estimator, certain_class=certain, random_state=0).fit(X, Y)
    rates = [(model.predict(X[label == Y]) == certain).mean() for label in (0, 1)]
    assert rates[1 - certain] < 0.03
    assert rates[certain] > 5 * rates[1 - certain]
    assert model.false_positive_rate_ == 1 / (75 + 1)


@pytest.mark.parametrize("max_error", [0.0, 0.1])
def test_false_positive_rate_against_theory(max_error):
    """Over many samples, a new row of the other class is above with probability (k+1)/(m+1)."""
    random = np.random.default_rng(0)
    fresh, truth = shifted(20_000, random)
    rates, stated = [], []
    for seed in range(150):
        model = OneSidedClassifier(LogisticRegression(), max_error=max_error, random_state=seed)
        model.fit(*shifted(160, random))
        rates.append(model.predict(fresh[truth == 0]).mean())
        stated.append(model.false_positive_rate_)
    error = np.std(rates, ddof=1) / np.sqrt(150)
    assert np.mean(rates) == pytest.approx(np.mean(stated), abs=3.5 * error)


def test_detection_rate_estimates_the_probability_of_finding_the_class():
    random = np.random.default_rng(1)
    model = OneSidedClassifier(random_state=0).fit(*shifted(8000, random))
    fresh, truth = shifted(20_000, random)
    assert model.detection_rate_ == pytest.approx(model.predict(fresh[truth == 1]).mean(), abs=0.02)


def test_independent_members_amplify_against_theory():
    """Members on columns that are independent given the class: 1 - (1 - p)^k are found."""
    random = np.random.default_rng(2)
    n_members = 5
    y = random.integers(2, size=4000)
    table = random.normal(size=(4000, n_members)) + 2.0 * y[:, None]
    truth = random.integers(2, size=20_000)
    fresh = random.normal(size=(20_000, n_members)) + 2.0 * truth[:, None]
    votes = []
    for column in range(n_members):
        model = OneSidedClassifier(random_state=column).fit(table[:, [column]], y)
        votes.append(model.predict(fresh[:, [column]]) == 1)
    found = np.stack(votes)[:, truth == 1]
    missed = np.prod(1 - found.mean(axis=1))
    assert found.any(axis=0).mean() == pytest.approx(1 - missed, abs=0.01)
    assert 1 - missed == pytest.approx(biased_accuracy(found.mean(), n_members), abs=0.02)
    assert np.stack(votes)[:, truth == 0].any(axis=0).mean() < 0.02


def test_vote_of_one_finds_more_with_every_member():
    train, test = (X[:400], Y[:400]), (X[400:], Y[400:])
    member = OneSidedClassifier(DecisionTreeClassifier(max_depth=4, max_features=1))
    found = []
    for k in (1, 5, 25):
        vote = BaggingClassifier(
            member, k, bootstrap=False, max_samples=0.5, combine=AtLeastOne(1), random_state=0
        ).fit(*train)
        found.append((vote.predict(test[0][test[1] == 1]) == 1).mean())
    assert found == sorted(found)
    assert found[-1] > found[0] + 0.2


def test_is_deterministic():
    one, other = (OneSidedClassifier(random_state=3).fit(X, Y) for _ in range(2))
    assert one.threshold_ == other.threshold_


def test_labels_may_be_words():
    words = np.array(["no", "yes"])[Y]
    model = OneSidedClassifier(certain_class="no", random_state=0).fit(X, words)
    assert set(model.predict(X)) == {"no", "yes"}
    assert (words[model.predict(X) == "no"] == "no").mean() > 0.95


@pytest.mark.parametrize(
    ("settings", "data", "message"),
    [
        ({}, load_iris(return_X_y=True), "two classes, but y has 3"),
        ({"certain_class": 2}, (X, Y), "one of the classes"),
        ({"max_error": 1.0}, (X, Y), "max_error"),
        ({"test_size": 0}, (X, Y), "test_size"),
        ({}, (X[:3], [0, 0, 1]), "at least 2 rows of each class"),
    ],
)
def test_fit_rejects(settings, data, message):
    with pytest.raises(ValueError, match=message):
        OneSidedClassifier(**settings).fit(*data)
