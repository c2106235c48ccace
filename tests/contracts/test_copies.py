"""What is fitted or built can be cloned, pickled and sent through joblib, and predicts the same."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

from contracts import public
from contracts.instances import RULES, every_instance, prediction

X, Y = make_classification(n_samples=80, random_state=0)


def through_joblib(thing, folder):
    joblib.dump(thing, folder / "thing.joblib")
    return joblib.load(folder / "thing.joblib")


@pytest.mark.parametrize("estimator", every_instance(), ids=repr)
def test_pickled_estimator_predicts_the_same(estimator, tmp_path):
    expected = prediction(estimator.fit(X, Y), X)
    np.testing.assert_array_equal(prediction(pickle.loads(pickle.dumps(estimator)), X), expected)
    np.testing.assert_array_equal(prediction(through_joblib(estimator, tmp_path), X), expected)


@pytest.mark.parametrize("estimator", every_instance(), ids=repr)
def test_cloned_estimator_predicts_the_same_once_fitted(estimator):
    copied = clone(estimator).fit(X, Y)
    np.testing.assert_array_equal(prediction(copied, X), prediction(estimator.fit(X, Y), X))


def test_every_public_rule_has_an_instance():
    assert {type(rule) for rule in RULES} == set(public.rule_classes())


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_rule_survives_clone_and_pickle(rule):
    for copied in (clone(rule), pickle.loads(pickle.dumps(rule))):
        assert type(copied) is type(rule)
        assert repr(copied) == repr(rule)
        assert copied.get_params() == rule.get_params()
