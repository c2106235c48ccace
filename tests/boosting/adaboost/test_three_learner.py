from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_hastie_10_2, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from nonet import DecisionTreeClassifier, ThreeLearnerClassifier
from nonet.decide import find_threshold

X, Y = make_moons(600, noise=0.25, random_state=0)


@pytest.fixture(scope="module")
def model():
    base = DecisionTreeClassifier(max_depth=2)
    return ThreeLearnerClassifier(base, random_state=0).fit(X, Y)


def predictions(model, position):
    return model.estimators_[position].predict(X)


def test_first_member_sees_its_fraction_of_rows(model):
    assert len(model.rows_[0]) == 240


def test_second_member_sees_rows_of_which_the_first_gets_half_wrong(model):
    rows = model.rows_[1]
    assert (predictions(model, 0)[rows] != Y[rows]).mean() == 0.5
    assert set(rows) & set(model.rows_[0]) == set()


def test_third_member_sees_the_rows_the_first_two_disagree_on(model):
    disagree = predictions(model, 0) != predictions(model, 1)
    np.testing.assert_array_equal(model.rows_[2], np.flatnonzero(disagree))


def test_majority_is_the_third_where_the_first_two_disagree(model):
    one, two, three = (predictions(model, position) for position in range(3))
    np.testing.assert_array_equal(model.predict(X), np.where(one == two, one, three))
    assert model.member_outputs(X).shape == (600, 3)


def test_three_against_theory_are_better_than_one_on_average():
    gains = []
    for seed in range(6):
        rows, labels = make_hastie_10_2(4000, random_state=seed)
        three = ThreeLearnerClassifier(DecisionTreeClassifier(max_depth=4), random_state=seed)
        three.fit(rows[:2000], labels[:2000])
        alone = three.estimators_[0].score(rows[2000:], labels[2000:])
        gains.append(three.score(rows[2000:], labels[2000:]) - alone)
    assert np.mean(gains) > 2 * np.std(gains, ddof=1) / np.sqrt(6)


def test_first_member_without_a_mistake_predicts_alone():
    model = ThreeLearnerClassifier(random_state=0).fit([[0], [1], [8], [9]] * 5, [0, 0, 1, 1] * 5)
    assert len(model.members_) == 1
    assert model.score([[0], [9]], [0, 1]) == 1


def test_one_class_is_answered():
    model = ThreeLearnerClassifier().fit(X, np.full(600, "only"))
    assert set(model.predict(X)) == {"only"}


def test_learner_without_weights_will_do():
    assert ThreeLearnerClassifier(LogisticRegression(), random_state=1).fit(X, Y).score(X, Y) > 0.8


def test_threshold_is_cross_fitted_against_naive():
    """Issue 17, item 3: no row is held out from all members, and tuning ended in an assertion."""
    X, y = make_moons(300, noise=0.3, random_state=0)
    model = ThreeLearnerClassifier(decide="tuned_threshold", random_state=0).fit(X, y)
    support = np.empty(len(y))
    for train, test in StratifiedKFold(5).split(X, y):
        plain = ThreeLearnerClassifier(random_state=0).fit(X[train], y[train])
        support[test] = plain.predict_proba(X[test])[:, 1]
    assert model.decide_.rule.threshold_ == find_threshold(support, y == 1)


def test_third_member_of_three_classes_learns_where_the_first_two_predict_different_labels():
    """Issue 18, item A.1: rows that both got wrong with different labels were left out."""
    X, y = load_iris(return_X_y=True)
    noisy = np.where(np.arange(150) % 4 == 0, (y + 1) % 3, y)
    model = ThreeLearnerClassifier(DecisionTreeClassifier(max_depth=2), random_state=0)
    model.fit(X, noisy)
    one, two = (model.estimators_[position].predict(X) for position in range(2))
    both_wrong = (one != noisy) & (two != noisy) & (one != two)
    assert both_wrong.any()
    np.testing.assert_array_equal(model.rows_[2], np.flatnonzero(one != two))


def test_third_member_decides_where_all_three_differ():
    """Issue 18, item A.1: with three classes such rows went to the first class."""
    X, y = load_iris(return_X_y=True)
    noisy = np.where(np.arange(150) % 4 == 0, (y + 1) % 3, y)
    model = ThreeLearnerClassifier(DecisionTreeClassifier(max_depth=2), random_state=0)
    model.fit(X, noisy)
    new = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), (2000, 4))
    one, two, three = model.member_outputs(new).T
    assert np.any((one != two) & (two != three) & (one != three) & (three != 0))
    np.testing.assert_array_equal(model.predict(new), np.where(one == two, one, three))
