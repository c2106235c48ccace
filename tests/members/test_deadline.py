"""Tests of deadlines of fits."""

import time

import numpy as np
import pytest
from sklearn.datasets import make_classification

from nonet import BoostedTreesClassifier
from nonet.members.deadline import stop_fits_at


@pytest.mark.parametrize("params", [{"n_estimators": 50}, {}])
def test_booster_keeps_its_complete_rounds_at_the_deadline(params):
    X, y = make_classification(400, random_state=0)
    model = BoostedTreesClassifier(random_state=0, **params)
    with stop_fits_at(time.monotonic() - 1.0):
        model.fit(X, y)
    assert model.n_iter_ == model.n_bags_
    assert np.isfinite(model.predict_proba(X)).all()


def test_no_deadline_changes_nothing():
    X, y = make_classification(200, random_state=0)
    model = BoostedTreesClassifier(n_estimators=5, random_state=0)
    with stop_fits_at(None):
        assert model.fit(X, y).n_iter_ == 5
