"""DART: dropped rounds, their weights, and scores that follow."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import BoostedTreesClassifier, BoostedTreesRegressor
from nonet.boosting.gradient.dart import Dropout


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def waves(rng, n_rows=800):
    X = rng.integers(0, 25, size=(n_rows, 4)).astype(float)
    return X, np.sin(X[:, 0]) + X[:, 1] / 10 + 0.2 * rng.normal(size=n_rows)


def test_two_rounds_against_naive(rng):
    """The first round is dropped: the second is grown as the first was, and both count half."""
    X, y = waves(rng)
    first = BoostedTreesRegressor(n_estimators=1).fit(X, y)
    dart = BoostedTreesRegressor(n_estimators=2, drop_rate=1.0, skip_drop=0.0).fit(X, y)
    np.testing.assert_allclose(dart.predict(X), first.predict(X), rtol=1e-12)


def test_scores_of_sets_follow_dropped_rounds(rng):
    X, y = waves(rng)
    model = BoostedTreesRegressor(n_estimators=25, drop_rate=0.3, skip_drop=0.2, random_state=0)
    model.fit(X[:500], y[:500], eval_set=[(X[500:], y[500:])])
    loss = np.mean((y[500:] - model.predict(X[500:])) ** 2) / 2
    assert model.evals_result_["validation_0"]["loss"][-1] == pytest.approx(loss, rel=1e-9)
    assert model.score(X[500:], y[500:]) > 0.3


def test_skipping_always_is_plain_boosting(rng):
    X, y = waves(rng)
    plain = BoostedTreesRegressor(n_estimators=6).fit(X, y)
    skips = BoostedTreesRegressor(n_estimators=6, drop_rate=0.5, skip_drop=1.0).fit(X, y)
    np.testing.assert_array_equal(skips.predict(X), plain.predict(X))


def test_dropout_is_deterministic_and_has_its_rate():
    drawn = [Dropout(3, 0.2, 0.0).draw(200) for _ in range(2)]
    np.testing.assert_array_equal(*drawn)
    fractions = [len(Dropout(seed, 0.2, 0.0).draw(200)) / 200 for seed in range(100)]
    assert np.mean(fractions) == pytest.approx(0.2, abs=0.015)
    assert max(len(Dropout(seed, 0.9, 0.0).draw(200)) for seed in range(5)) == 50


def test_model_that_is_gone_on_with_is_left_as_it_was(rng):
    X, y = waves(rng)
    first = BoostedTreesRegressor(n_estimators=5).fit(X, y)
    before = first.predict(X)
    dart = BoostedTreesRegressor(n_estimators=5, drop_rate=1.0, skip_drop=0.0)
    dart.fit(X, y, init_model=first)
    np.testing.assert_array_equal(first.predict(X), before)
    assert (dart.predict(X, iteration_range=(0, 5)) != before).any()


def test_early_stopping_is_rejected(rng):
    X, y = waves(rng)
    model = BoostedTreesClassifier(drop_rate=0.1, early_stopping_rounds=5)
    with pytest.raises(ValueError, match="boosting cannot return to an earlier round"):
        model.fit(X, y > 0)
