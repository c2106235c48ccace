"""Models of several targets in files."""

from __future__ import annotations

import io

import numpy as np
import pytest

import nonet

SMALL = {"n_estimators": 3, "random_state": 0}
MODELS = [
    nonet.DecisionTreeClassifier(max_depth=3),
    nonet.RandomForestClassifier(**SMALL),
    nonet.RandomForestRegressor(**SMALL),
    nonet.ExtraTreesClassifier(**SMALL),
    nonet.ExtraTreesRegressor(**SMALL),
    nonet.BaggingClassifier(**SMALL),
    nonet.BaggingRegressor(**SMALL),
    nonet.VotingClassifier([("tree", nonet.DecisionTreeClassifier(max_depth=3))]),
    nonet.VotingRegressor([("tree", nonet.DecisionTreeRegressor(max_depth=3))]),
    nonet.BoostedTreesClassifier(**SMALL),
    nonet.BoostedTreesRegressor(**SMALL),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_loaded_model_predicts_all_targets_the_same(model):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = (X[:, :2] > 0).astype(int)
    model.fit(X, y)
    file = io.BytesIO()
    nonet.save(model, file)
    file.seek(0)
    loaded = nonet.load(file)
    assert np.array_equal(loaded.predict(X), model.predict(X))
    if hasattr(model, "predict_proba"):
        for ours, theirs in zip(loaded.predict_proba(X), model.predict_proba(X), strict=True):
            assert np.array_equal(ours, theirs)
