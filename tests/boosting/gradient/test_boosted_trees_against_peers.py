"""Boosted trees beside XGBoost and LightGBM where all three have the same formula.

Columns have few distinct values, so that bins are values, and one tree has one best way to grow.
"""

from __future__ import annotations

import numpy as np
import pytest

from nonet import BoostedTreesClassifier, BoostedTreesRegressor

REASON = "a peer to compare with, not needed otherwise"
PENALTIES = [
    {"reg_lambda": 0.0, **penalties}
    for penalties in (
        {},
        {"reg_lambda": 5.0},
        {"reg_alpha": 3.0},
        {"max_delta_step": 0.3},
        {"reg_lambda": 1.0, "reg_alpha": 1.0},
        {"gamma": 4.0},
    )
]


def few_values(n_rows=800):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 30, size=(n_rows, 4)).astype(float)
    score = X[:, 0] / 30 + np.sin(X[:, 1]) + 0.3 * rng.normal(size=n_rows)
    return X, score


@pytest.mark.parametrize("penalties", PENALTIES, ids=str)
def test_one_tree_against_xgboost(penalties):
    xgboost = pytest.importorskip("xgboost", reason=REASON)
    X, score = few_values()
    y = (score > 0.5).astype(int)
    shared = {"n_estimators": 1, "learning_rate": 1.0, "min_child_weight": 5.0}
    theirs = xgboost.XGBClassifier(
        tree_method="hist",
        grow_policy="lossguide",
        max_depth=0,
        max_leaves=8,
        max_bin=256,
        base_score=0.5,
        **shared,
        **penalties,
    ).fit(X, y)
    ours = BoostedTreesClassifier(num_leaves=8, min_child_samples=1, **shared, **penalties)
    ours.fit(X, y, base_margin=np.zeros(len(y)))  # a base score of one half
    expected = theirs.predict(X, output_margin=True)
    predictions = ours.decision_function(X, base_margin=np.zeros(len(y)))
    np.testing.assert_allclose(predictions, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("penalties", PENALTIES, ids=str)
def test_rounds_against_lightgbm(penalties):
    lightgbm = pytest.importorskip("lightgbm", reason=REASON)
    X, y = few_values()
    shared = {"n_estimators": 5, "learning_rate": 0.3, "num_leaves": 8, "min_child_samples": 10}
    renamed = {{"gamma": "min_split_gain"}.get(k, k): v for k, v in penalties.items()}
    theirs = lightgbm.LGBMRegressor(
        max_bin=255, min_data_in_bin=1, verbose=-1, **shared, **renamed
    ).fit(X, y)
    ours = BoostedTreesRegressor(**shared, **penalties).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-5, atol=1e-6)


def test_multinomial_rounds_against_xgboost():
    xgboost = pytest.importorskip("xgboost", reason=REASON)
    X, score = few_values()
    y = np.digitize(score, [0.0, 0.8])
    shared = {"n_estimators": 3, "learning_rate": 0.3, "reg_lambda": 1.0}
    # Its hessian of several classes is twice ours: so are its penalty and its minimum weight.
    theirs = xgboost.XGBClassifier(
        tree_method="hist",
        grow_policy="lossguide",
        max_depth=0,
        max_leaves=8,
        min_child_weight=2.0,
        base_score=0.5,
        **{**shared, "reg_lambda": 2.0, "learning_rate": 0.6},
    ).fit(X, y)
    margin = np.full((len(y), 3), 0.5)
    ours = BoostedTreesClassifier(num_leaves=8, min_child_samples=1, min_child_weight=1.0, **shared)
    ours.fit(X, y, base_margin=margin)
    predictions = ours.predict_proba(X, base_margin=margin)
    np.testing.assert_allclose(predictions, theirs.predict_proba(X), rtol=1e-4, atol=1e-5)
