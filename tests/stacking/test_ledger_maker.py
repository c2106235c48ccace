from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC

from nonet import Ledger, StackingClassifier, VotingClassifier, VotingRegressor, make_ledger

MODELS = [("bayes", GaussianNB()), ("near", KNeighborsClassifier())]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_vote_from_a_ledger_is_the_vote_without_it(iris):
    X, y = iris
    vote = VotingClassifier(MODELS, voting="soft", weights="simplex", cv=4)
    expected = vote.fit(X, y).predict_proba(X)
    given = vote.fit(X, y, ledger=make_ledger(MODELS, X, y, cv=4)).predict_proba(X)
    np.testing.assert_array_equal(given, expected)


def test_second_vote_from_a_ledger_uses_the_refitted_members_of_the_first(iris):
    X, y = iris
    ledger = make_ledger(MODELS, X, y)
    one = VotingClassifier(MODELS, voting="soft", weights="simplex").fit(X, y, ledger=ledger)
    two = VotingClassifier(MODELS, weights="accuracy").fit(X, y, ledger=ledger)
    assert one.estimators_ == two.estimators_


def test_groups_reach_the_splitter_of_a_vote(iris):
    X, y = iris
    groups = np.arange(len(y)) % 10
    vote = VotingClassifier(MODELS, voting="soft", weights="simplex", cv=GroupKFold(5))
    by_groups = vote.fit(X, y, groups=groups).weights_
    ledger = make_ledger(MODELS, X, y, cv=GroupKFold(5), groups=groups)
    np.testing.assert_array_equal(vote.fit(X, y, ledger=ledger).weights_, by_groups)


def test_method_of_each_model_is_the_first_that_it_has(iris):
    X, y = iris
    models = [*MODELS, ("svm", LinearSVC(random_state=0)), ("line", LinearRegression())]
    ledger = make_ledger(models, X, y)
    assert ledger.kinds == ("probabilities", "probabilities", "scores", "values")
    naive = cross_val_predict(LinearRegression(), X, y, cv=5)
    assert ledger.outputs[:, 3, 0].shape == naive.shape


def test_weights_reach_the_models():
    X, y = load_diabetes(return_X_y=True)
    weight = np.where(np.arange(len(y)) < 20, 50.0, 1.0)
    models = [("line", LinearRegression())]
    ledger = make_ledger(models, X, y, sample_weight=weight, cv=5)
    naive = cross_val_predict(LinearRegression(), X, y, cv=5, params={"sample_weight": weight})
    np.testing.assert_allclose(ledger.outputs[:, 0], naive)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"estimators": []}, "non-empty list"),
        ({"estimators": [("a", "drop")]}, "all estimators are dropped"),
        ({"method": "predict_log"}, "make_ledger: parameter 'method' must be one of"),
        ({"n_jobs": "two"}, "make_ledger: parameter 'n_jobs'"),
        ({"sample_weight": [1.0]}, "one number for each of the 150 rows"),
        ({"estimators": [("svm", LinearSVC())], "method": "predict_proba"}, "no method"),
    ],
)
def test_make_ledger_rejects(iris, change, message):
    X, y = iris
    arguments = {"estimators": MODELS, "X": X, "y": y} | change
    with pytest.raises((ValueError, TypeError), match=message):
        make_ledger(**arguments)


def test_loaded_ledger_needs_the_models_again(iris, tmp_path):
    X, y = iris
    make_ledger(MODELS, X, y).save(tmp_path / "record.npz")
    loaded = Ledger.load(tmp_path / "record.npz")
    with pytest.raises(ValueError, match="has only the names of its models"):
        StackingClassifier.from_ledger(loaded, X, y)


def test_stack_of_parts_rejects_a_ledger_of_whole_rows(iris):
    X, y = iris
    ledger = make_ledger(MODELS, X, y)
    with pytest.raises(ValueError, match="None if a ledger is given"):
        StackingClassifier(MODELS, partition="honest").fit(X, y, ledger=ledger)


def test_vote_rejects_a_ledger_of_something_else(iris):
    X, y = iris
    ledger = make_ledger(MODELS, X, y)
    vote = VotingClassifier(MODELS, weights="accuracy")
    with pytest.raises(ValueError, match="another target"):
        vote.fit(X[1:], y[1:], ledger=ledger)
    with pytest.raises(ValueError, match="no predictions of"):
        VotingClassifier([("line", LogisticRegression())]).fit(X, y, ledger=ledger)
    with pytest.raises(ValueError, match="holds the predictions of KNeighborsClassifier"):
        VotingClassifier([("near", KNeighborsClassifier(3))]).fit(X, y, ledger=ledger)
    with pytest.raises(TypeError, match="must be a Ledger"):
        vote.fit(X, y, ledger="ledger")
    with pytest.raises(ValueError, match="both be for classification"):
        VotingRegressor([("near", KNeighborsRegressor())]).fit(X, y, ledger=ledger.take(["near"]))


def test_ensembles_reject_a_ledger_of_other_rows_with_the_same_y(iris):
    X, y = iris
    ledger = make_ledger(MODELS, X, y)
    other = X + np.arange(X.shape[1])
    for ensemble in (VotingClassifier(MODELS, weights="accuracy"), StackingClassifier(MODELS)):
        with pytest.raises(ValueError, match="made on other rows: y is the same, but the values"):
            ensemble.fit(other, y, ledger=ledger)
        assert not ledger.refits
    VotingClassifier(MODELS, weights="accuracy").fit(X.tolist(), y, ledger=ledger)


def test_loaded_ledger_rejects_other_rows(iris, tmp_path):
    X, y = iris
    make_ledger(MODELS, X, y).save(tmp_path / "record.npz")
    loaded = Ledger.load(tmp_path / "record.npz")
    with pytest.raises(ValueError, match="made on other rows"):
        VotingClassifier(MODELS, weights="accuracy").fit(X[:, ::-1], y, ledger=loaded)
