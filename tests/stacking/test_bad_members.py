"""Members that are no estimators, folds that are none, weights below 0 (issue 18, item A.13)."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.linear_model import LogisticRegression, Ridge

import nonet
from contracts.instances import MEMBERS, make

X = np.arange(24.0).reshape(12, 2)
NUMBERS = X[:, 0]
LABELS = (X[:, 0] // 4 % 2).astype(int)

every_kind = pytest.mark.parametrize("kind", MEMBERS, ids=lambda kind: kind.__name__)


def target(model):
    return LABELS if is_classifier(model) else NUMBERS


@every_kind
@pytest.mark.parametrize("member", [3, None, "line", LogisticRegression, object()])
def test_member_that_is_no_estimator_is_one_sentence(kind, member):
    words = rf"^{kind.__name__}: member 'x' must be an estimator or 'drop', but got "
    model = make(kind).set_params(estimators=[("x", member)])
    with pytest.raises(ValueError, match=words) as caught:
        model.fit(X, LABELS if kind.__name__.endswith("Classifier") else NUMBERS)
    assert "\n" not in str(caught.value)


@every_kind
@pytest.mark.parametrize("pairs", [[3], [("a",)], [], "ab", [(1, Ridge())]])
def test_list_that_is_no_list_of_pairs_is_one_sentence(kind, pairs):
    words = rf"^{kind.__name__}: parameter 'estimators' must be .*pairs, but got "
    model = make(kind)
    model.estimators = pairs
    with pytest.raises(ValueError, match=words):
        model.fit(X, LABELS)


WITH_FOLDS = [kind for kind in MEMBERS if "cv" in make(kind).get_params(deep=False)]


@pytest.mark.parametrize("kind", WITH_FOLDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("cv", ["a", -1, 0, 1, 1.5, float("nan"), b"5", {}, object()])
def test_cv_that_makes_no_folds_is_one_sentence(kind, cv):
    model = make(kind, cv=cv)
    words = rf"^{kind.__name__}: parameter 'cv' must be None, a number of folds of at least 2"
    with pytest.raises(ValueError, match=words):
        model.fit(X, target(model))


def test_cv_of_things_that_are_no_pairs_is_one_sentence():
    model = nonet.BlendingRegressor([("a", Ridge())], cv=[1, 2])
    with pytest.raises(ValueError, match=r"'cv' must be an iterable of \(train, test\) pairs"):
        model.fit(X, NUMBERS)


def test_cv_still_takes_what_scikit_learn_takes():
    rows = np.arange(12)
    for cv in (None, 2, 0.3, [(rows[:6], rows[6:])], iter([(rows[6:], rows[:6])])):
        model = nonet.BlendingRegressor([("a", Ridge())], cv=cv).fit(X, NUMBERS)
        np.testing.assert_allclose(model.predict(X), Ridge().fit(X, NUMBERS).predict(X))


@every_kind
def test_negative_weights_are_refused(kind):
    """RoutedRegressor turned them into predictions of NaN."""
    model = make(kind)
    with pytest.raises(ValueError, match="^sample_weight must be finite and at least 0, but row 0"):
        model.fit(X, target(model), sample_weight=-np.ones(12))


class PredictionsNaN(Ridge):
    def predict(self, X):
        return np.where(X[:, 0] > 10, np.nan, 1.0)


def test_member_that_predicts_nan_is_named():
    model = nonet.VotingRegressor([("fine", Ridge()), ("odd", PredictionsNaN())]).fit(X, NUMBERS)
    words = r"^member 'odd' \(2 of 2\) failed to predict values: its output for row 6 is .*nan"
    with pytest.raises(ValueError, match=words):
        model.predict(X)
