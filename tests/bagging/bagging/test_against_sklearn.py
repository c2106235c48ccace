"""Comparison with scikit-learn's bagging: equal predictions from equal rows, else as good."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import sklearn.ensemble
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC

import nonet.bagging

CLASSIFIERS = [GaussianNB(), KNeighborsClassifier(), LogisticRegression(max_iter=200), SVC()]
REGRESSORS = [Ridge(), KNeighborsRegressor()]
NAMES = ["BaggingClassifier", "BaggingRegressor"]


def pair(name):
    return getattr(nonet.bagging, name), getattr(sklearn.ensemble, name)


def as_data(parameters):
    return [(p.name, p.kind, p.default) for p in parameters]


@pytest.mark.parametrize("name", NAMES)
def test_parameters_against_sklearn_come_first_with_their_defaults(name):
    ours, theirs = (list(inspect.signature(kind).parameters.values()) for kind in pair(name))
    assert as_data(ours[: len(theirs)]) == as_data(theirs)
    assert {p.kind for p in ours[len(theirs) :]} == {inspect.Parameter.KEYWORD_ONLY}


@pytest.mark.parametrize("name", NAMES)
def test_methods_against_sklearn_take_the_same(name):
    ours, theirs = pair(name)
    for method in (m for m in dir(theirs) if not m.startswith("_")):
        reference = getattr(theirs, method)
        if method.startswith("set_") and method.endswith("_request"):
            requested = set(inspect.signature(reference).parameters)
            assert requested <= set(inspect.signature(getattr(ours, method)).parameters)
        elif callable(reference):
            shared = list(inspect.signature(reference).parameters.values())
            mine = list(inspect.signature(getattr(ours, method)).parameters.values())
            assert as_data(mine[: len(shared)]) == as_data(shared), method
        else:
            assert hasattr(ours, method)


@pytest.mark.parametrize("name", NAMES)
def test_fitted_attributes_against_sklearn_are_all_there(name):
    X, y = load_iris(return_X_y=True)
    ours, theirs = (kind(n_estimators=40, oob_score=True, random_state=0) for kind in pair(name))
    names = {
        attribute
        for attribute in dir(theirs.fit(X, y))
        if attribute.endswith("_") and not attribute.startswith("_")
    }
    assert {attribute for attribute in names if not hasattr(ours.fit(X, y), attribute)} == set()


@pytest.mark.parametrize("base", CLASSIFIERS, ids=repr)
def test_same_rows_against_sklearn_give_the_same_probabilities(base):
    X, y = load_iris(return_X_y=True)
    settings = {"n_estimators": 3, "bootstrap": False, "max_samples": 1.0, "random_state": 0}
    ours, theirs = (kind(base, **settings).fit(X, y) for kind in pair("BaggingClassifier"))
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    if hasattr(base, "decision_function"):
        mine, reference = ours.decision_function(X), theirs.decision_function(X)
        np.testing.assert_allclose(mine, reference, atol=1e-9)


@pytest.mark.parametrize("base", REGRESSORS, ids=repr)
def test_same_rows_against_sklearn_give_the_same_values(base):
    X, y = load_diabetes(return_X_y=True)
    settings = {"n_estimators": 3, "bootstrap": False, "random_state": 0}
    ours, theirs = (kind(base, **settings).fit(X, y) for kind in pair("BaggingRegressor"))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-10)


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("BaggingClassifier", load_iris),
        ("BaggingClassifier", load_wine),
        ("BaggingClassifier", load_breast_cancer),
        ("BaggingClassifier", load_digits),
        ("BaggingRegressor", load_diabetes),
    ],
)
def test_scores_against_sklearn_are_equal_within_noise(name, load):
    X, y = load(return_X_y=True)
    X, y = X[:600], y[:600]
    gaps = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(X))
        train, test = order[: len(X) // 2], order[len(X) // 2 :]
        ours, theirs = (
            kind(n_estimators=15, random_state=seed).fit(X[train], y[train]).score(X[test], y[test])
            for kind in pair(name)
        )
        gaps.append(ours - theirs)
    error = np.std(gaps, ddof=1) / np.sqrt(len(gaps))
    assert np.mean(gaps) >= -stats.t.ppf(0.975, len(gaps) - 1) * error


def one_class_bags():
    """A class of two rows among thirty: with thirty bags some lack it."""
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.zeros(30, dtype=int)
    y[:2] = 1
    return X, y


def test_bags_without_a_class_against_sklearn_are_fitted_by_weights():
    X, y = one_class_bags()
    ours, theirs = (
        kind(LogisticRegression(), 30, random_state=0) for kind in pair("BaggingClassifier")
    )
    ours.fit(X, y)
    lacking = [rows for rows in ours.estimators_samples_ if y[rows].max() == 0]
    assert lacking
    assert theirs.fit(X, y).predict_proba(X).shape == ours.predict_proba(X).shape == (30, 2)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=0.1)


def test_bag_without_a_class_is_named_with_the_way_out():
    X, y = one_class_bags()
    with pytest.raises(ValueError, match=r"member 'SVC\[\d+\]' .* draw='stratified'"):
        nonet.bagging.BaggingClassifier(SVC(), 30, random_state=0).fit(X, y)
    stratified = nonet.bagging.BaggingClassifier(SVC(), 30, draw="stratified", random_state=0)
    assert stratified.fit(X, y).predict(X).shape == (30,)
