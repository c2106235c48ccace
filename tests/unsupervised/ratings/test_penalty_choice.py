"""Penalties of factors that are chosen on held-out ratings."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import root_mean_squared_error

from nonet import ALSFactorization, BiasModel, SGDFactorization, make_ratings

MODELS = [ALSFactorization, SGDFactorization]


def split_of(**settings):
    data = make_ratings(600, 200, 20_000, random_state=0, **settings)
    return (data.X[:16_000], data.y[:16_000]), (data.X[16_000:], data.y[16_000:])


def error_of(model, train, test):
    return root_mean_squared_error(test[1], model.fit(*train).predict(test[0]))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("noise", [1.5, 3.0])
def test_very_noisy_ratings_are_not_overfitted(model, noise):
    data = split_of(rank=5, noise=noise)
    assert error_of(model(random_state=0), *data) < 1.002 * error_of(BiasModel(), *data)
    assert error_of(model(random_state=0, penalty=0.05), *data) > 1.02 * error_of(
        BiasModel(), *data
    )


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("noise", [0.1, 0.5, 1.0])
def test_chosen_penalty_is_as_good_as_the_best_of_many(model, noise):
    train, test = split_of(rank=4, noise=noise)
    tried = [0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6]
    best = min(error_of(model(penalty=one, random_state=0), train, test) for one in tried)
    assert error_of(model(random_state=0), train, test) < 1.04 * best


@pytest.mark.parametrize("model", MODELS)
def test_predictions_have_the_unit_of_the_ratings(model):
    (X, y), (new, _) = split_of(rank=3)
    stars = model(random_state=0).fit(X, y)
    points = model(random_state=0).fit(X, 100 * y - 7)
    np.testing.assert_allclose(points.predict(new), 100 * stars.predict(new) - 7, rtol=1e-4)
    assert points.penalty_ == pytest.approx(100 * stars.penalty_)


def test_choice_does_not_depend_on_the_order_of_rows_nor_on_repetition():
    (X, y), _ = split_of(rank=3)
    order = np.random.default_rng(0).permutation(len(y))
    once = ALSFactorization(random_state=0).fit(X, y).penalty_
    assert ALSFactorization(random_state=0).fit(X[order], y[order]).penalty_ == pytest.approx(once)
    twice = ALSFactorization(random_state=0).fit(np.tile(X, (2, 1)), np.tile(y, 2))
    weighted = ALSFactorization(random_state=0).fit(X, y, np.full(len(y), 2.0))
    assert twice.penalty_ == pytest.approx(weighted.penalty_)


@pytest.mark.parametrize("model", MODELS)
def test_given_penalty_is_taken(model):
    (X, y), _ = split_of(rank=1)
    assert model(penalty=0.25, n_iter=1, random_state=0).fit(X, y).penalty_ == 0.25


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("y", [[3.0, 3.0, 3.0], [1.0, 5.0, 2.0]])
def test_few_or_equal_ratings_get_a_finite_model(model, y):
    X = [("ann", "film"), ("ann", "book"), ("bob", "film")]
    fitted = model(random_state=0).fit(X, y)
    assert fitted.penalty_ > 0
    assert np.isfinite(fitted.predict([*X, ("bob", "book")])).all()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("unit", [1e-250, 1e250])
def test_ratings_of_any_size_have_the_same_model(model, unit):
    data = make_ratings(40, 30, 400, random_state=1)
    plain = model(random_state=0).fit(data.X, data.y).predict(data.X)
    scaled = model(random_state=0).fit(data.X, data.y * unit).predict(data.X) / unit
    np.testing.assert_allclose(scaled, plain, rtol=1e-6)
