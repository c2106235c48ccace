from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import nonet
from diagnostics.matrices import NAMES, XR, YR, X
from nonet.diagnostics import record_predictions


def naive(labels, truth, n_classes):
    """Breiman's definitions, a row and a tree at a time."""
    raw = np.empty(labels.shape)
    for row, votes in enumerate(labels):
        counts = np.bincount(votes, minlength=n_classes).astype(float)
        counts[truth[row]] = -1
        rival = counts.argmax()
        raw[row] = (votes == truth[row]) * 1.0 - (votes == rival)
    margin = raw.mean(axis=1)
    return margin.mean(), margin.var() / raw.std(axis=0).mean() ** 2


def test_strength_and_correlation_against_naive():
    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 120)
    labels = np.where(random.random((120, 9)) < 0.6, truth[:, np.newaxis], random.integers(0, 3))
    result = nonet.strength_correlation(record_predictions(labels, truth, classes=[0, 1, 2]))
    assert (result.strength, result.correlation) == pytest.approx(naive(labels, truth, 3))


def test_bound_holds_out_of_bag():
    forest = RandomForestClassifier(60, random_state=0).fit(X, NAMES == "one")
    result = nonet.strength_correlation(forest, X, NAMES == "one", out_of_bag=True)
    assert 0 < result.error < result.bound
    assert result.ratio == pytest.approx(result.correlation / result.strength**2)


def test_identical_members_are_one():
    result = nonet.strength_correlation(
        record_predictions([[1, 1], [1, 1]], [1, 1], classes=[0, 1])
    )
    assert (result.strength, result.correlation, result.bound) == (1, 1, 0)


def test_members_worse_than_chance_have_no_bound():
    result = nonet.strength_correlation(record_predictions([[0, 0], [0, 1]], [1, 1]))
    assert result.strength < 0
    assert result.bound == result.ratio == np.inf


def test_strength_rejects_regression():
    forest = RandomForestRegressor(3).fit(XR, YR)
    with pytest.raises(TypeError, match="strength_correlation needs a vote"):
        nonet.strength_correlation(forest, XR, YR)
