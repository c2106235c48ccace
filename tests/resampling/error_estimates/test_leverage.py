from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LinearRegression, Ridge, RidgeCV
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from nonet.resampling import ResamplingWarning, cv_error, loocv_error, loocv_smoother, ridge_path

X, Y = load_diabetes(return_X_y=True)
X, Y = X[:60], Y[:60]
WEIGHTS = np.random.default_rng(0).uniform(0.5, 2, size=60)


def naive_residuals(model, X, y, weights=None):
    residuals = np.empty(len(y))
    for row in range(len(y)):
        kept = np.arange(len(y)) != row
        given = None if weights is None else weights[kept]
        fitted = model.fit(X[kept], y[kept], sample_weight=given)
        residuals[row] = y[row] - fitted.predict(X[row : row + 1])[0]
    return residuals


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_residuals_against_naive(alpha, intercept, weights):
    kind = (
        Ridge(alpha, fit_intercept=intercept)
        if alpha
        else LinearRegression(fit_intercept=intercept)
    )
    result = loocv_error(X, Y, alpha=alpha, sample_weight=weights, fit_intercept=intercept)
    expected = naive_residuals(kind, X, Y, weights)
    np.testing.assert_allclose(result.residuals, expected, rtol=1e-7)
    assert result.error == pytest.approx(np.average(expected**2, weights=weights))


def test_error_and_its_standard_error_against_cross_validation():
    result = loocv_error(X, Y)
    slow = cv_error(LinearRegression(), X, Y, cv=LeaveOneOut())
    assert result.error == pytest.approx(slow.error)
    assert result.standard_error == pytest.approx(slow.standard_error)
    assert result.degrees_of_freedom == pytest.approx(X.shape[1] + 1)


def test_row_of_weight_zero_is_predicted_like_a_new_row():
    weights = WEIGHTS.copy()
    weights[5] = 0
    kept = np.arange(60) != 5
    for alpha, model in ((0.0, LinearRegression()), (0.5, Ridge(0.5))):
        result = loocv_error(X, Y, alpha=alpha, sample_weight=weights)
        model.fit(X[kept], Y[kept], sample_weight=weights[kept])
        assert result.residuals[5] == pytest.approx(Y[5] - model.predict(X[5:6])[0])


def test_leverage_one_is_left_out_and_counted():
    design = np.column_stack([X[:, :2], np.arange(60) == 7])  # row 7 alone has the last column
    with pytest.warns(ResamplingWarning, match="first of them row 7"):
        result = loocv_error(design, Y)
    assert result.n_undetermined == 1
    assert np.flatnonzero(np.isnan(result.residuals)).tolist() == [7]
    kept = np.arange(60) != 7
    assert result.error == pytest.approx(loocv_error(X[kept, :2], Y[kept]).error)


def test_every_row_of_leverage_one_is_an_error():
    with pytest.raises(ValueError, match="every row has leverage 1"):
        loocv_error(np.eye(4)[:, :3], np.arange(4.0))


def test_repeated_column_changes_nothing():
    doubled = np.column_stack([X, X[:, 0]])
    assert loocv_error(doubled, Y).error == pytest.approx(loocv_error(X, Y).error)
    assert loocv_error(doubled, Y).degrees_of_freedom == pytest.approx(X.shape[1] + 1)


def test_more_columns_than_rows_with_a_penalty_against_naive():
    wide = np.random.default_rng(0).normal(size=(12, 30))
    result = loocv_error(wide, Y[:12], alpha=2.0)
    np.testing.assert_allclose(result.residuals, naive_residuals(Ridge(2.0), wide, Y[:12]))


def test_smoother_against_kernel_ridge():
    model = KernelRidge(alpha=0.5, kernel="rbf", gamma=3.0)
    kernel = model._get_kernel(X)
    hat = kernel @ np.linalg.inv(kernel + 0.5 * np.eye(60))
    expected = Y - cross_val_predict(model, X, Y, cv=LeaveOneOut())
    np.testing.assert_allclose(loocv_smoother(hat, Y).residuals, expected)


def test_smoother_against_kernel_average():
    kernel = np.exp(-((X[:, :1] - X[:, 0]) ** 2) / 0.002)
    hat = kernel / kernel.sum(axis=1, keepdims=True)
    others = kernel - np.eye(60)
    expected = Y - others @ Y / others.sum(axis=1)
    np.testing.assert_allclose(loocv_smoother(hat, Y).residuals, expected)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_path_against_ridge_cv(weights):
    alphas = np.array([0.01, 0.1, 1.0, 10.0])
    path = ridge_path(X, Y, alphas=alphas, sample_weight=weights)
    assert path.alphas.tolist() == alphas[::-1].tolist()
    singles = [loocv_error(X, Y, alpha=a, sample_weight=weights).error for a in path.alphas]
    np.testing.assert_allclose(path.errors, singles)
    if weights is None:
        peer = RidgeCV(alphas, store_cv_results=True).fit(X, Y)
        np.testing.assert_allclose(path.errors[::-1], peer.cv_results_.mean(axis=0))
        assert path.best_alpha == peer.alpha_
    fitted = Ridge(path.best_alpha).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(path.coefficients[path.best], fitted.coef_)
    assert path.intercepts[path.best] == pytest.approx(fitted.intercept_)


def test_path_spends_fewer_degrees_of_freedom_on_larger_penalties():
    path = ridge_path(X, Y)
    assert (np.diff(path.degrees_of_freedom) > 0).all()
    assert path.degrees_of_freedom[0] < 1.2
    assert path.degrees_of_freedom[-1] == pytest.approx(X.shape[1] + 1, abs=0.01)
    assert path.one_standard_error() <= path.best


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_leverages_lie_between_one_over_n_and_one(seed, width):
    random = np.random.default_rng(seed)
    result = loocv_error(random.normal(size=(12, width)), random.normal(size=12))
    assert (result.leverages >= 1 / 12 - 1e-12).all()
    assert (result.leverages <= 1 + 1e-12).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": -1}, "parameter 'alpha' must be"),
        ({"fit_intercept": 1}, "parameter 'fit_intercept' must be"),
        ({"y": Y[:5]}, "one number for each"),
        ({"y": np.full(60, np.nan)}, "y must be finite, but is not in row 0"),
        ({"X": np.array([["a"]] * 60)}, "must be real numbers"),
        ({"X": X[:2], "y": Y[:2]}, "at least 3 rows"),
    ],
)
def test_loocv_error_rejects_bad_input(arguments, message):
    with pytest.raises((ValueError, TypeError), match=message):
        loocv_error(**({"X": X, "y": Y} | arguments))


@pytest.mark.parametrize("alphas", [[], [0.0], [np.inf], [[1.0]]])
def test_ridge_path_rejects_bad_penalties(alphas):
    with pytest.raises(ValueError, match="positive finite numbers"):
        ridge_path(X, Y, alphas=alphas)


def test_ridge_path_rejects_a_table_without_variation():
    with pytest.raises(ValueError, match="no variation"):
        ridge_path(np.ones((5, 1)), np.arange(5.0))


def test_smoother_rejects_a_matrix_that_is_not_square():
    with pytest.raises(ValueError, match="square matrix"):
        loocv_smoother(np.ones((3, 2)), np.ones(3))


def test_nearly_dependent_columns_against_naive():
    """Powers of a column far from 0: the normal equations would lose all digits."""
    powers = (10 + X[:, :1]) ** np.arange(1, 4)
    expected = naive_residuals(LinearRegression(), (X[:, :1]) ** np.arange(1, 4), Y)
    np.testing.assert_allclose(loocv_error(powers, Y).residuals, expected, rtol=1e-4)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_units_of_a_column_change_nothing(scale):
    rescaled = X * np.r_[scale, np.ones(X.shape[1] - 1)]
    np.testing.assert_allclose(loocv_error(rescaled, Y).residuals, loocv_error(X, Y).residuals)
