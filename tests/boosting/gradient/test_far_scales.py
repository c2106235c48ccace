"""Weights and targets of far scales: learned from, refused, or warned of (issue 18, net B)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import nonet

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 3))
NUMBERS = X[:, 0] + 0.1 * RNG.normal(size=200)
LABELS = (NUMBERS > 0).astype(int)

BOOSTERS = [
    (nonet.BoostedTreesClassifier(n_estimators=3), LABELS),
    (nonet.BoostedTreesRegressor(n_estimators=3), NUMBERS),
    (nonet.HistGradientBoostingClassifier(max_iter=3), LABELS),
    (nonet.HistGradientBoostingRegressor(max_iter=3), NUMBERS),
    (nonet.GradientBoostingClassifier(n_estimators=3), LABELS),
    (nonet.GradientBoostingRegressor(n_estimators=3), NUMBERS),
]
every_booster = pytest.mark.parametrize(
    ("model", "y"), BOOSTERS, ids=[type(model).__name__ for model, _ in BOOSTERS]
)


@every_booster
@pytest.mark.parametrize("scale", [1e-300, 1e160])
def test_equal_weights_whose_products_are_no_numbers_are_refused(model, y, scale):
    with pytest.raises(ValueError, match="^sample_weight must be at most 1e.100, and not all"):
        model.fit(X, y, sample_weight=np.full(len(y), scale))


@every_booster
@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e12])
def test_equal_weights_of_any_other_scale_are_not_silently_constant(model, y, scale):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = model.fit(X, y, sample_weight=np.full(len(y), scale)).predict(X)
    if caught or len(np.unique(found)) == 1:
        assert "next to nothing to learn" in str(caught[0].message)
    assert scale < 1 or not caught


@pytest.mark.parametrize("scale", [1e300, 1e-160])
@pytest.mark.parametrize(
    "model",
    [model for model, y in BOOSTERS if y is NUMBERS] + [nonet.DecisionTreeRegressor()],
    ids=lambda model: type(model).__name__,
)
def test_targets_whose_squares_are_no_numbers_are_refused(model, scale):
    """They made the model constant."""
    with pytest.raises(ValueError, match="^The squares of .*y must .* by a constant.$"):
        model.fit(X, NUMBERS * scale)


def test_absolute_errors_need_no_squares():
    model = nonet.BoostedTreesRegressor(n_estimators=3, objective="absolute_error")
    assert len(np.unique(model.fit(X, NUMBERS * 1e200).predict(X))) > 1


@every_booster
def test_seed_beyond_32_bits_is_taken(model, y):
    large, small = (
        type(model)(**{**model.get_params(), "random_state": seed}).fit(X, y)
        for seed in (2**40 + 7, 7)
    )
    np.testing.assert_array_equal(large.predict(X), small.predict(X))
