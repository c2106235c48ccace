from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from nonet import VotingClassifier, combine

SCORES = np.random.default_rng(0).normal(size=(7, 4, 3))


def test_sum_against_naive_with_weights_as_repetition():
    np.testing.assert_allclose(combine.score_sum(SCORES), SCORES.sum(axis=1))
    twice = SCORES[:, [0, 1, 1, 2, 3]]
    np.testing.assert_allclose(
        combine.score_sum(SCORES, [1, 2, 1, 1]), combine.score_sum(twice), rtol=1e-12
    )


def test_support_has_the_order_of_the_sums_and_adds_up_to_one():
    support = combine.ScoreSum().support(1000 * SCORES)  # far beyond the range of exp
    np.testing.assert_array_equal(support.argmax(axis=1), SCORES.sum(axis=1).argmax(axis=1))
    np.testing.assert_allclose(support.sum(axis=1), 1)


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("weights", [None, [1, 3]])
def test_voting_over_decision_scores_against_naive(load, weights):
    X, y = load(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    names = np.array(["a", "b", "c"])[y]
    members = [("svm", LinearSVC(random_state=0)), ("ridge", RidgeClassifier())]
    vote = VotingClassifier(members, combine="score_sum", weights=weights).fit(X, names)
    first, second = 1.0, 1.0 if weights is None else 3.0
    svm, ridge = LinearSVC(random_state=0).fit(X, names), RidgeClassifier().fit(X, names)
    sums = first * svm.decision_function(X) + second * ridge.decision_function(X)
    position = (sums > 0).astype(int) if sums.ndim == 1 else sums.argmax(axis=1)
    np.testing.assert_array_equal(vote.predict(X), svm.classes_[position])


def test_sum_of_margins_and_vote_differ_where_one_member_is_sure():
    scores = np.array([[[0.1, -0.1], [0.2, -0.2], [-1.0, 1.0]]])
    assert combine.ScoreSum().support(scores).argmax() == 1
    assert combine.plurality(scores.argmax(axis=2)).argmax() == 0


def test_independent_log_odds_give_the_joint_probability():
    """Two columns independent given the class, each with its own logistic model, equal priors."""
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 20_000)
    X = random.normal(size=(40_000, 2)) + y[:, None]
    together = LogisticRegression(C=1e6).fit(X, y)
    margins = [
        LogisticRegression(C=1e6).fit(X[:, [j]], y).decision_function(X[:, [j]]) for j in (0, 1)
    ]
    scores = np.stack([np.column_stack([-g, g]) for g in margins], axis=1)
    support = combine.ScoreSum().support(scores)[:, 1]
    np.testing.assert_allclose(support, together.predict_proba(X)[:, 1], atol=0.01)


def test_members_with_probabilities_only_give_those():
    X, y = load_iris(return_X_y=True)
    members = [("bayes", GaussianNB()), ("svm", LinearSVC(random_state=0))]
    vote = VotingClassifier(members, combine="score_sum").fit(X, y)
    outputs = vote.member_outputs(X)
    np.testing.assert_allclose(outputs[:, 0], vote.estimators_[0].predict_proba(X))


def test_member_without_scores_is_named():
    X, y = load_iris(return_X_y=True)

    class Labels(GaussianNB):
        predict_proba = property()

    with pytest.raises(TypeError, match="has no decision_function or predict_proba"):
        VotingClassifier([("plain", Labels())], combine="score_sum").fit(X, y)


def test_rejects_scores_without_an_axis_of_classes():
    with pytest.raises(ValueError, match="rows, members, classes"):
        combine.score_sum(SCORES[:, :, 0])
