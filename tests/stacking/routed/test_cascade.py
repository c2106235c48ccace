"""Early exit: cheap members first, the rest moves on."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import CascadeClassifier
from nonet.decide import Abstain

X, Y = load_digits(n_class=4, return_X_y=True)
X_LEARN, Y_LEARN, X_TEST, Y_TEST = X[::2], Y[::2], X[1::2], Y[1::2]
STAGES = [
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("line", LogisticRegression(C=1e-4, max_iter=500)),
    ("forest", RandomForestClassifier(20, max_depth=4, random_state=0)),
]


def fitted(**settings):
    return CascadeClassifier(STAGES, **settings).fit(X_LEARN, Y_LEARN)


class Counting(LogisticRegression):
    n_predicted = 0

    def predict_proba(self, X):
        type(self).n_predicted += len(X)
        return super().predict_proba(X)


def test_first_sure_member_predicts_against_naive():
    model = fitted(sure=[0.95, 0.7])
    predicted = [member.predict_proba(X_TEST) for member in model.estimators_]
    for row, (stage, prediction) in enumerate(
        zip(model.exit_stages(X_TEST), model.predict(X_TEST), strict=True)
    ):
        sure = [predicted[0][row].max() >= 0.95, predicted[1][row].max() >= 0.7, True]
        assert stage == sure.index(True)
        assert prediction == predicted[stage][row].argmax()
    assert set(model.exit_stages(X_TEST)) == {0, 1, 2}


def test_lazy_run_equals_the_formula():
    model = fitted()
    outputs = model.member_outputs(X_TEST)
    np.testing.assert_array_equal(model.combine_(outputs), model.predict_proba(X_TEST))
    np.testing.assert_array_equal(model.decide_(model.combine_(outputs)), model.predict(X_TEST))
    np.testing.assert_array_equal(model.combine_.stages(outputs), model.exit_stages(X_TEST))


def test_later_members_predict_open_rows_only():
    stages = [STAGES[0], ("line", Counting(max_iter=2000))]
    model = CascadeClassifier(stages, sure=0.99).fit(X_LEARN, Y_LEARN)
    Counting.n_predicted = 0
    model.predict(X_TEST)
    assert Counting.n_predicted == (model.exit_stages(X_TEST) == 1).sum() < len(X_TEST)


def test_cost_counts_every_member_that_predicts():
    model = fitted(costs=[1, 10, 100])
    paid = np.array([1, 11, 111])[model.exit_stages(X_TEST)]
    assert model.mean_cost(X_TEST) == paid.mean()
    assert fitted().mean_cost(X_TEST) == (1 + fitted().exit_stages(X_TEST)).mean()


def test_higher_bar_costs_more_and_errs_less():
    costs = [fitted(sure=sure).mean_cost(X_TEST) for sure in (0.6, 0.9, 1.0)]
    assert costs == sorted(costs)
    assert fitted(sure=1.0).score(X_TEST, Y_TEST) > fitted(sure=0.6).score(X_TEST, Y_TEST)


def test_unsure_end_is_rejected():
    model = fitted(decide=Abstain(0.7, abstain_label=-1))
    silent = model.predict(X_TEST) == -1
    np.testing.assert_array_equal(silent, model.predict_proba(X_TEST).max(axis=1) < 0.7)
    assert silent.any()
    assert (model.exit_stages(X_TEST)[silent] == 2).all()


def test_single_member_is_a_cascade_too():
    model = CascadeClassifier(STAGES[:1]).fit(X_LEARN, Y_LEARN)
    np.testing.assert_array_equal(model.predict(X_TEST), model.estimators_[0].predict(X_TEST))


def test_cascade_rejects_a_member_that_can_never_predict():
    with pytest.raises(ValueError, match="member 'forest' can never predict, as 'line' is sure"):
        fitted(sure=[0.9, 0.25])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sure": [0.9, 1.2]}, "'sure' must be between 0 and 1"),
        ({"costs": [1, -1, 1]}, "weights must be finite and at least 0"),
        ({"costs": [1, 1]}, "one number for each of the 3 members"),
        ({"sure": [0.9, 0.9, 0.9]}, "'sure' must be one number, or one for each of the 2 members"),
        ({"decide": "tuned_threshold"}, "two classes|not tuned"),
    ],
)
def test_cascade_rejects_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        fitted(**settings)


def test_cascade_rejects_members_without_probabilities():
    with pytest.raises(TypeError, match="'svm' .* has no predict_proba"):
        CascadeClassifier([("svm", LinearSVC()), *STAGES]).fit(X_LEARN, Y_LEARN)
