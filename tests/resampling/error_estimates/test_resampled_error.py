from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from nonet._native.resample import draw_units
from nonet.resampling import BootstrapError, ResamplingWarning, bootstrap_error
from nonet.resampling.bootstrap.draws import seed_of

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 3))
Y = X[:, 0] + RANDOM.normal(size=40)
LABELS = (Y > 0).astype(int)


def test_left_out_errors_against_naive():
    result = bootstrap_error(LinearRegression(), X, Y, n_resamples=30, random_state=5)
    seen: list[list[float]] = [[] for _ in Y]
    for number in range(30):
        rows = draw_units(40, 40, 1, seed=seed_of(5), first=number)[0]
        model = LinearRegression().fit(X[rows], Y[rows])
        for row in set(range(40)) - set(rows.tolist()):
            seen[row].append((Y[row] - model.predict(X[row : row + 1])[0]) ** 2)
    np.testing.assert_allclose(result.row_errors, [np.mean(own) for own in seen])
    assert result.left_out_error == pytest.approx(np.mean(result.row_errors))
    assert result.standard_error == pytest.approx(result.row_errors.std(ddof=1) / np.sqrt(40))


def test_no_information_error_of_labels_against_theory():
    """Sum over classes of p_k (1 - q_k), truths p and predictions q (Efron & Tibshirani 1997)."""
    result = bootstrap_error(LogisticRegression(), X, LABELS, n_resamples=20, random_state=0)
    p = LABELS.mean()
    q = LogisticRegression().fit(X, LABELS).predict(X).mean()
    assert result.no_information_error == pytest.approx(p * (1 - q) + (1 - p) * q)


def test_no_information_error_of_squares_against_naive():
    result = bootstrap_error(LinearRegression(), X, Y, n_resamples=20, random_state=0)
    predictions = LinearRegression().fit(X, Y).predict(X)
    assert result.no_information_error == pytest.approx(np.mean((Y[:, None] - predictions) ** 2))


def test_no_information_error_of_probabilities_is_finite():
    result = bootstrap_error(
        LogisticRegression(), X, LABELS, loss="log_loss", n_resamples=20, random_state=0
    )
    assert result.training_error < result.left_out_error < result.no_information_error


def test_formulas_against_theory():
    """As Efron & Tibshirani (1997) define them, with .632 for 1 - 1/e."""
    found = BootstrapError(0.1, np.full(10, 0.3), 0.5, 100, "zero_one")
    assert found.error_632 == pytest.approx(0.368 * 0.1 + 0.632 * 0.3, abs=1e-3)
    assert found.overfitting_rate == pytest.approx(0.5)
    weight = 0.632 / (1 - 0.368 * 0.5)
    assert found.error_632_plus == pytest.approx((1 - weight) * 0.1 + weight * 0.3, abs=1e-3)


@pytest.mark.parametrize(
    ("training", "left_out", "none", "rate"),
    [(0.2, 0.1, 0.5, 0), (0.2, 0.3, 0.1, 0), (0.0, 0.6, 0.5, 1)],
)
def test_overfitting_rate_stays_between_0_and_1(training, left_out, none, rate):
    found = BootstrapError(training, np.full(5, left_out), none, 100, "zero_one")
    assert found.overfitting_rate == rate
    if rate == 0:
        assert found.error_632_plus == found.error_632


def test_memorising_model_is_exposed_by_632_plus_against_theory():
    """One neighbour on labels by chance: error 1/2, training error 0, .632 gives about 0.32."""
    plain, plus = [], []
    for seed in range(8):
        random = np.random.default_rng(seed)
        data = random.normal(size=(40, 5)), np.tile([0, 1], 20)
        found = bootstrap_error(KNeighborsClassifier(1), *data, n_resamples=40, random_state=0)
        assert found.training_error == 0
        plain.append(found.error_632)
        plus.append(found.error_632_plus)
    assert np.mean(plain) == pytest.approx(0.32, abs=0.04)
    assert np.mean(plus) == pytest.approx(0.5, abs=0.06)


def test_rows_in_every_resample_are_counted():
    with pytest.warns(ResamplingWarning, match="rows are in each of the 2"):
        found = bootstrap_error(DummyRegressor(), X, Y, n_resamples=2, random_state=0)
    assert found.n_never_left_out == np.isnan(found.row_errors).sum() > 0
    assert np.isfinite(found.error_632_plus)


def test_result_is_deterministic_and_does_not_depend_on_the_number_of_jobs():
    runs = [
        bootstrap_error(LinearRegression(), X, Y, n_resamples=25, random_state=1, n_jobs=n)
        for n in (None, 1)
    ]
    np.testing.assert_array_equal(runs[0].row_errors, runs[1].row_errors)


@pytest.mark.parametrize("n_resamples", [0, 1, 2.5])
def test_bootstrap_error_rejects_too_few_resamples(n_resamples):
    with pytest.raises(ValueError, match="parameter 'n_resamples' must be"):
        bootstrap_error(LinearRegression(), X, Y, n_resamples=n_resamples)


def test_groups_are_held_out_whole_against_naive():
    random = np.random.default_rng(3)
    groups = random.permutation(np.repeat(np.arange(10), 5))
    X = random.normal(size=10)[groups, None] + 1e-3 * random.normal(size=(50, 1))
    y = random.normal(size=10)[groups]
    model = KNeighborsRegressor(1)
    by_row = bootstrap_error(model, X, y, n_resamples=60, random_state=0)
    by_group = bootstrap_error(model, X, y, groups=groups, n_resamples=60, random_state=0)
    assert by_row.left_out_error < 0.1 * by_group.left_out_error  # twins of the row are a leak
    total, count = np.zeros(50), np.zeros(50)
    for b in range(60):
        drawn = draw_units(10, 10, 1, seed=seed_of(0), first=b)[0]
        rows = np.concatenate([np.flatnonzero(groups == group) for group in drawn])
        outside = np.flatnonzero(~np.isin(groups, drawn))
        fitted = KNeighborsRegressor(1).fit(X[rows], y[rows])
        total[outside] += (y[outside] - fitted.predict(X[outside])) ** 2
        count[outside] += 1
    np.testing.assert_allclose(by_group.row_errors, total / count)
    sums = np.bincount(groups, weights=by_group.row_errors - by_group.left_out_error)
    assert by_group.standard_error == pytest.approx(np.sqrt(10 / 9 * np.sum(sums**2)) / 50)


def test_rejects_groups_of_another_length():
    with pytest.raises(ValueError, match="groups"):
        bootstrap_error(KNeighborsRegressor(1), np.ones((4, 1)), np.arange(4.0), groups=[1, 2])
