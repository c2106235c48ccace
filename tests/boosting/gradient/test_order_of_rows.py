"""The order of rows changes no bit of a booster: sums over rows are whole numbers, or exact."""

import numpy as np
import pytest

import nonet

LOSSES = ["squared_error", "poisson", "logistic", "multinomial"]


def draw(n_rows, loss, rng):
    X = rng.normal(size=(n_rows, 5)).astype(np.float32)
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 4] = rng.integers(0, 12, n_rows)
    signal = np.nan_to_num(X[:, 0] - X[:, 1] * X[:, 2]) + 0.5 * (X[:, 4] % 3)
    if loss == "squared_error":
        return X, signal + rng.normal(size=n_rows)
    if loss == "poisson":
        return X, rng.poisson(np.exp(np.clip(signal, -4, 3))).astype(np.float64)
    return X, np.digitize(signal + rng.normal(size=n_rows), [0] if loss == "logistic" else [-1, 1])


def booster(loss, **parameters):
    if loss in ("squared_error", "poisson"):
        return nonet.BoostedTreesRegressor(objective=loss, **parameters)
    return nonet.BoostedTreesClassifier(**parameters)


def fitted_scores(X, y, rows, weights, loss):
    model = booster(loss, n_estimators=6, categorical_features=[4], random_state=0)
    model.fit(X[rows], y[rows], sample_weight=None if weights is None else weights[rows])
    return model.predict(X, raw_score=True)


# Rows are packed from 32,768 on, and are wide below.
@pytest.mark.parametrize("n_rows", [1_500, 33_000])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_order_of_rows_changes_no_bit(n_rows, loss, is_weighted):
    rng = np.random.default_rng(n_rows)
    X, y = draw(n_rows, loss, rng)
    weights = rng.random(n_rows) + 0.1 if is_weighted else None
    expected = fitted_scores(X, y, np.arange(n_rows), weights, loss)
    shuffled = fitted_scores(X, y, rng.permutation(n_rows), weights, loss)
    np.testing.assert_array_equal(shuffled, expected)


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_of_evaluation_sets_are_the_same_in_any_order(loss):
    rng = np.random.default_rng(5)
    X, y = draw(4_000, loss, rng)
    histories = []
    for rows in (np.arange(2_000, 4_000), 2_000 + rng.permutation(2_000)):
        model = booster(loss, n_estimators=8)
        model.fit(X[:2_000], y[:2_000], eval_set=[(X[rows], y[rows])])
        histories.append(model.evals_result_)
    assert histories[0] == histories[1]
