from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy.sparse import csr_matrix
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    LeavePOut,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet.resampling import best_of_many, cv_curve, cv_error

X, Y = load_diabetes(return_X_y=True)
X, Y = X[:103, :4], Y[:103]


@pytest.mark.parametrize(
    "cv",
    [
        4,
        KFold(5, shuffle=True, random_state=0),
        RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
        LeaveOneOut(),
        ShuffleSplit(1, test_size=0.5, random_state=0),
        TimeSeriesSplit(4),
    ],
    ids=repr,
)
def test_fold_errors_against_sklearn(cv):
    result = cv_error(LinearRegression(), X, Y, cv=cv)
    scores = cross_val_score(LinearRegression(), X, Y, cv=cv, scoring="neg_mean_squared_error")
    np.testing.assert_allclose(result.fold_errors, -scores)
    assert result.mean_fold_error == pytest.approx(-scores.mean())


def test_leave_p_out_predicts_every_row_equally_often():
    result = cv_error(LinearRegression(), X[:9], Y[:9], cv=LeavePOut(2))
    assert result.n_folds == 36
    assert np.bincount(result.rows).tolist() == [8] * 9


def test_groups_stay_together():
    groups = np.arange(len(Y)) // 10
    result = cv_error(LinearRegression(), X, Y, cv=GroupKFold(5), groups=groups)
    folds = np.split(groups[result.rows], np.cumsum(result.fold_sizes)[:-1])
    assert sum(len(set(fold)) for fold in folds) == len(set(groups))


def test_pooled_error_weights_folds_by_size():
    """Sum of n_k / n times the error of fold k, as the notes define it."""
    result = cv_error(LinearRegression(), X, Y, cv=10)
    assert set(result.fold_sizes) == {10, 11}
    assert result.error == pytest.approx(result.fold_fractions @ result.fold_errors)
    predictions = cross_val_predict(LinearRegression(), X, Y, cv=10)
    assert result.error == pytest.approx(np.mean((Y - predictions) ** 2))
    assert result.error != pytest.approx(result.mean_fold_error, rel=1e-6)


def test_standard_error_over_equal_folds_against_theory():
    result = cv_error(LinearRegression(), X[:100], Y[:100], cv=5)
    expected = result.fold_errors.std(ddof=1) / np.sqrt(5)
    assert result.standard_error == pytest.approx(expected)


def test_standard_error_of_one_split_is_over_its_rows():
    result = cv_error(LinearRegression(), X, Y, cv=ShuffleSplit(1, random_state=0))
    expected = result.losses.std(ddof=1) / np.sqrt(len(result.losses))
    assert result.standard_error == pytest.approx(expected)


@pytest.mark.parametrize(
    ("loss", "metric"),
    [
        ("log_loss", log_loss),
        ("brier", lambda y, p: brier_score_loss(y, p, scale_by_half=False)),
    ],
)
def test_probability_losses_against_sklearn(loss, metric):
    data = load_iris(return_X_y=True)
    model = GaussianNB()
    result = cv_error(model, *data, cv=5, loss=loss)
    probabilities = cross_val_predict(model, *data, cv=5, method="predict_proba")
    assert result.error == pytest.approx(metric(data[1], probabilities))


def test_default_loss_of_a_classifier_is_its_fraction_of_mistakes():
    data = make_classification(random_state=0)
    result = cv_error(KNeighborsClassifier(), *data, cv=5)
    assert result.loss == "zero_one"
    scores = cross_val_score(KNeighborsClassifier(), *data, cv=5)
    np.testing.assert_allclose(result.fold_errors, 1 - scores)


def test_class_unseen_in_training_costs_a_finite_log_loss():
    y = np.array([0] * 10 + [1] * 10 + [2])
    result = cv_error(DummyClassifier(), np.zeros((21, 1)), y, cv=LeaveOneOut(), loss="log_loss")
    assert result.losses[-1] == pytest.approx(-np.log(np.finfo(float).eps))


def test_weights_are_fitted_with_and_counted_with():
    weights = np.ones(len(Y))
    weights[::3] = 3
    result = cv_error(LinearRegression(), X, Y, cv=5, sample_weight=weights)
    (train, test), *_ = KFold(5).split(X)
    model = LinearRegression().fit(X[train], Y[train], sample_weight=weights[train])
    squares = (Y[test] - model.predict(X[test])) ** 2
    assert result.fold_errors[0] == pytest.approx(np.average(squares, weights=weights[test]))
    assert result.error == pytest.approx(result.fold_fractions @ result.fold_errors)


def test_callable_loss_and_frames_are_taken():
    frame = pd.DataFrame(X, columns=list("abcd"))
    pipeline = make_pipeline(StandardScaler(), LinearRegression())
    result = cv_error(pipeline, frame, pd.Series(Y), loss=lambda y, p: np.abs(y - p))
    expected = cv_error(pipeline, X, Y, loss="absolute_error")
    assert result.error == pytest.approx(expected.error)


@pytest.mark.parametrize("kind", [csr_matrix, np.ndarray.tolist, pd.DataFrame])
def test_other_tables_give_the_same_error(kind):
    result = cv_error(LinearRegression(), kind(X), Y.tolist())
    assert result.error == pytest.approx(cv_error(LinearRegression(), X, Y).error)


def test_polars_frames_are_taken():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    result = cv_error(LinearRegression(), polars.DataFrame(X), polars.Series(Y))
    assert result.error == pytest.approx(cv_error(LinearRegression(), X, Y).error)


def test_result_is_deterministic_and_survives_pickle():
    one = cv_error(LinearRegression(), X, Y, n_jobs=1)
    with parallel_config("threading"):
        two = pickle.loads(pickle.dumps(cv_error(LinearRegression(), X, Y, n_jobs=2)))
    np.testing.assert_array_equal(one.losses, two.losses)
    assert "standard_error" in str(two)


def test_curve_holds_what_single_errors_hold():
    models = {"mean": DummyRegressor(), "line": LinearRegression()}
    curve = cv_curve(models, X, Y, cv=KFold(5, shuffle=True, random_state=1))
    for position, model in enumerate(models.values()):
        single = cv_error(model, X, Y, cv=KFold(5, shuffle=True, random_state=1))
        assert curve.errors[position] == pytest.approx(single.error)
        assert curve.standard_errors[position] == pytest.approx(single.standard_error)
        np.testing.assert_allclose(curve.fold_errors[:, position], single.fold_errors)
    assert curve.names[curve.best] == "line"


def test_row_held_out_twice_is_resampled_as_a_whole():
    models = {"mean": DummyRegressor(), "line": LinearRegression()}
    repeated = cv_curve(models, X, Y, cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0))
    losses = np.array([repeated.losses[repeated.rows == row].mean(axis=0) for row in range(len(Y))])
    expected = best_of_many(losses, n_resamples=40, random_state=0)
    assert repeated.best_of_many(n_resamples=40, random_state=0).error == expected.error


def test_curve_of_one_split_has_standard_errors_over_rows():
    curve = cv_curve({1: LinearRegression()}, X, Y, cv=ShuffleSplit(1, random_state=0))
    single = cv_error(LinearRegression(), X, Y, cv=ShuffleSplit(1, random_state=0))
    assert curve.standard_errors[0] == pytest.approx(single.standard_error)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"estimator": 3}, "parameter 'estimator' must be an estimator"),
        ({"y": Y[:5]}, "one value for each of the 103 rows"),
        ({"loss": "squard_error"}, "did you mean 'squared_error'"),
        ({"loss": 3}, "parameter 'loss' must be"),
        ({"loss": lambda y, p: 1.0}, "one number for each"),
        ({"loss": lambda y, p: y * np.nan}, "must be finite"),
        ({"cv": [(np.arange(50), np.arange(40, 60))]}, "row 40 is on both sides of split 0"),
        ({"cv": [(np.arange(50), np.array([], dtype=int))]}, "rows to fit on and rows to predict"),
        ({"cv": []}, "at least one split"),
        ({"sample_weight": np.zeros(len(Y))}, "must not all be 0"),
        ({"sample_weight": np.arange(len(Y)) >= 30}, "split 0 holds out rows of weight 0 only"),
        ({"loss": "brier"}, "which LinearRegression does not have"),
    ],
)
def test_cv_error_rejects_bad_input(arguments, message):
    given = {"estimator": LinearRegression(), "X": X, "y": Y} | arguments
    with pytest.raises((ValueError, TypeError), match=message):
        cv_error(**given)


@pytest.mark.parametrize("models", [{}, [LinearRegression()]])
def test_cv_curve_rejects_what_is_no_mapping(models):
    with pytest.raises(ValueError, match="mapping of complexities"):
        cv_curve(models, X, Y)


def test_one_row_held_out_once_has_no_standard_error():
    result = cv_error(LinearRegression(), X, Y, cv=[(np.arange(1, 50), np.array([0]))])
    with pytest.raises(ValueError, match="at least 2 folds"):
        _ = result.standard_error
