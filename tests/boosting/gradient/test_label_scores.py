"""Several labels per row: one score each, with one tree per label or one tree for all."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification
from sklearn.metrics import roc_auc_score

import nonet
from nonet import BoostedTreesClassifier

X, Y = make_multilabel_classification(500, n_classes=4, random_state=0)
SMALL = {"n_estimators": 15, "random_state": 0}


def test_labels_against_one_model_per_column():
    model = BoostedTreesClassifier(**SMALL).fit(X, Y)
    for k in range(4):
        alone = BoostedTreesClassifier(**SMALL).fit(X, Y[:, k])
        np.testing.assert_array_equal(model.decision_function(X)[:, k], alone.decision_function(X))
        np.testing.assert_array_equal(model.predict_proba(X)[:, k], alone.predict_proba(X)[:, 1])
        np.testing.assert_array_equal(model.predict(X)[:, k], alone.predict(X))


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_labels_against_xgboost(strategy):
    xgboost = pytest.importorskip("xgboost", reason="a peer to compare with, not needed otherwise")
    shared = {"n_estimators": 40, "learning_rate": 0.1, "max_depth": 4, "multi_strategy": strategy}
    theirs = xgboost.XGBClassifier(**shared).fit(X[:350], Y[:350])
    ours = BoostedTreesClassifier(random_state=0, **shared).fit(X[:350], Y[:350])
    for method in ("predict", "predict_proba"):
        assert getattr(ours, method)(X).shape == getattr(theirs, method)(X).shape
    areas = [roc_auc_score(Y[350:], m.predict_proba(X[350:])) for m in (theirs, ours)]
    assert areas[1] > areas[0] - 0.02  # 150 rows: about one standard error of an area


@pytest.mark.parametrize(
    "params",
    [
        {},  # settings that are chosen, and bagged boosters
        {"n_estimators": 60, "early_stopping_rounds": 5, "eval_metric": "auc"},
        {"n_estimators": 10, "class_weight": "balanced", "multi_strategy": "multi_output_tree"},
    ],
    ids=str,
)
def test_prediction_is_the_formula_and_survives_a_file(params, tmp_path):
    model = BoostedTreesClassifier(random_state=0, **params).fit(X, Y)
    np.testing.assert_array_equal(
        model.decide_(model.combine_(model.member_outputs(X))), model.predict(X)
    )
    nonet.save(model, tmp_path / "labels.nonet")
    loaded = nonet.load(tmp_path / "labels.nonet")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert model.score(X, Y) > 0.3  # the fraction of rows with all labels right


def test_weights_of_labels_are_repeated_rows():
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 3, size=500)
    rows = np.repeat(np.arange(500), weights)
    params = {**SMALL, "min_child_samples": 1, "min_child_weight": 1.0}
    weighted = BoostedTreesClassifier(**params).fit(X, Y, weights)
    repeated = BoostedTreesClassifier(**params).fit(X[rows], Y[rows])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


def test_metric_of_labels_is_the_mean_over_labels():
    model = BoostedTreesClassifier(eval_metric=["loss", "logloss", "auc"], **SMALL)
    results = model.fit(X, Y, eval_set=[(X, Y)]).evals_result_["validation_0"]
    assert results["logloss"][-1] == pytest.approx(results["loss"][-1] / 4)
    assert results["auc"][-1] == pytest.approx(roc_auc_score(Y, model.predict_proba(X)))


def test_continued_fit_and_other_columns():
    model = BoostedTreesClassifier(warm_start=True, **SMALL).fit(X, Y)
    model.set_params(n_estimators=20).fit(X, Y)
    once = BoostedTreesClassifier(**SMALL | {"n_estimators": 20}).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), once.predict_proba(X))
    with pytest.raises(ValueError, match="as many columns as that of fit, 4, got 2"):
        model.set_params(n_estimators=25).fit(X, Y[:, :2])
    plain = BoostedTreesClassifier(**SMALL).fit(X, Y).fit(X, Y[:, 0])
    assert plain.predict_proba(X).shape == (500, 2)


@pytest.mark.parametrize(
    ("params", "y", "sentence"),
    [
        ({}, Y + 1, "needs columns of 0 and 1"),
        ({"decide": "argmax"}, Y, "'decide' must be None for several labels"),
        ({"scale_pos_weight": 2.0}, Y, "but y has 4 columns"),
        ({"class_weight": {0: 1, 1: 2}}, Y, "None or 'balanced' for several labels"),
    ],
    ids=str,
)
def test_labels_reject_what_is_for_classes(params, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        BoostedTreesClassifier(**SMALL, **params).fit(X, y)
