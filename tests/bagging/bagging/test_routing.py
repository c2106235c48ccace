from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from nonet.bagging import BaggingClassifier

X, Y = load_iris(return_X_y=True)


class Listener(ClassifierMixin, BaseEstimator):
    """Remembers the metadata it was given."""

    def fit(self, X, y, hint=None):
        self.classes_ = np.unique(y)
        self.hint_ = hint
        self.n_rows_ = len(y)
        return self

    def predict(self, X, tone=None):
        self.tone_ = tone
        return np.full(len(X), self.classes_[0])


def listening():
    return Listener().set_fit_request(hint=True).set_predict_request(tone=True)


def test_members_get_the_metadata_of_their_rows():
    with config_context(enable_metadata_routing=True):
        bagging = BaggingClassifier(listening(), 4, random_state=0)
        bagging.fit(X, Y, hint=np.arange(150))
    for model, rows in zip(bagging, bagging.estimators_samples_, strict=True):
        np.testing.assert_array_equal(model.hint_, rows)


def test_metadata_of_predict_reach_the_members():
    with config_context(enable_metadata_routing=True):
        bagging = BaggingClassifier(listening(), 4, random_state=0).fit(X, Y)
        bagging.predict(X, tone="low")
    assert [model.tone_ for model in bagging] == ["low"] * 4


def test_each_of_several_learners_gets_what_it_requests():
    with config_context(enable_metadata_routing=True):
        bases = [listening(), LogisticRegression(max_iter=500)]
        bagging = BaggingClassifier(bases, 4, random_state=0).fit(X, Y, hint=np.ones(150))
    assert all(model.hint_ is not None for model in bagging[::2])


def test_groups_travel_through_a_pipeline():
    groups = np.arange(150) % 10
    with config_context(enable_metadata_routing=True):
        bagging = BaggingClassifier(n_estimators=3, random_state=0).set_fit_request(groups=True)
        make_pipeline(bagging).fit(X, Y, groups=groups)
    assert np.intersect1d(groups[bagging.members_[0].unseen_rows], groups[_rows(bagging)]).size == 0


def _rows(bagging):
    return bagging.estimators_samples_[0]


@pytest.mark.parametrize("method", ["fit", "predict", "predict_proba"])
def test_metadata_without_routing_are_rejected(method):
    bagging = BaggingClassifier(n_estimators=2, random_state=0).fit(X, Y)
    arguments = (X, Y) if method == "fit" else (X,)
    with pytest.raises(ValueError, match=rf"{method} got \['hint'\].*enable_metadata_routing"):
        getattr(bagging, method)(*arguments, hint=1)
