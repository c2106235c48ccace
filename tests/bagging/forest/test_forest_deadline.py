"""Tests of forests that end at a deadline."""

import time

import numpy as np
import pytest

import nonet
from nonet.members.deadline import stop_fits_at

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 5))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    "kind", [nonet.RandomForestClassifier, nonet.ExtraTreesClassifier, nonet.RandomForestRegressor]
)
def test_forest_past_its_deadline_keeps_its_first_trees(kind):
    forest = kind(200, random_state=0)
    whole = kind(200, random_state=0).fit(X, Y)
    with stop_fits_at(time.monotonic() - 1.0):
        forest.fit(X, Y)
    assert 1 <= len(forest) < 200
    for own, other in zip(forest.estimators_, whole.estimators_[: len(forest)], strict=True):
        np.testing.assert_array_equal(own.predict(X), other.predict(X))
    assert forest.predict(X).shape == (300,)


def test_forest_before_its_deadline_is_the_same_forest():
    whole = nonet.RandomForestClassifier(40, random_state=0).fit(X, Y)
    with stop_fits_at(time.monotonic() + 3600.0):
        forest = nonet.RandomForestClassifier(40, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(forest.predict_proba(X), whole.predict_proba(X))
