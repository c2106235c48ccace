"""Parameters under the names of LightGBM and XGBoost: equal models, copies, and refusals."""

from __future__ import annotations

import pickle
from inspect import signature

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import nonet
from boosting.gradient.boosted_tables import few_values, two_classes
from nonet import BoostedTreesClassifier, BoostedTreesRegressor
from nonet.boosting.gradient.boosted_trees.peers.parameters import (
    CLASSIFIER_NAMES,
    REGRESSOR_NAMES,
)
from nonet.boosting.gradient.boosted_trees.peers.spellings import Renamed
from nonet.boosting.gradient.boosted_trees.peers.translation import translate_params
from nonet.losses import FairLoss, HuberLoss, PseudoHuberLoss, TweedieLoss

REASON = "a peer to compare with, not needed otherwise"
SMALL = {"n_estimators": 4, "random_state": 0}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


# What a parameter of a library stands for: values of ours.
SAME_PARAMS = [
    ({"max_leaves": 6}, {"num_leaves": 6}),
    ({"max_leaves": 0, "max_depth": 3}, {"num_leaves": None, "max_depth": 3}),
    ({"grow_policy": "depthwise"}, {"num_leaves": None, "max_depth": 6}),
    ({"grow_policy": "depthwise", "max_depth": 2}, {"num_leaves": None, "max_depth": 2}),
    ({"max_depth": -1}, {"max_depth": None}),
    ({"max_depth": 0}, {"max_depth": None}),
    ({"eta": 0.4}, {"learning_rate": 0.4}),
    ({"max_bin": 16}, {"max_bins": 16}),
    ({"max_bin": 256}, {"max_bins": 255}),
    ({"min_split_gain": 2.0}, {"gamma": 2.0}),
    ({"min_data_in_leaf": 50}, {"min_child_samples": 50}),
    ({"lambda_l2": 9.0, "lambda_l1": 1.0}, {"reg_lambda": 9.0, "reg_alpha": 1.0}),
    ({"feature_fraction": 0.5}, {"colsample_bytree": 0.5}),
    ({"bagging_fraction": 0.5, "bagging_freq": 1}, {"subsample": 0.5}),
    ({"subsample": 0.5, "subsample_freq": 0}, {"subsample": 1.0}),
    ({"boosting_type": "goss", "top_rate": 0.4}, {"sampling_method": "goss", "top_rate": 0.4}),
    ({"boosting": "dart"}, {"drop_rate": 0.1}),
    ({"booster": "dart", "rate_drop": 0.3}, {"drop_rate": 0.3}),
    ({"boosting_type": "gbdt", "drop_rate": 0.5}, {"drop_rate": 0.0}),
    (
        {"sampling_method": "gradient_based", "subsample": 0.5},
        {"sampling_method": "mvs", "subsample": 0.5},
    ),
    ({"monotone_constraints": "(1,0,0,0,0)"}, {"monotone_constraints": [1, 0, 0, 0, 0]}),
    (
        {"interaction_constraints": "[0,1],[2,3,4]"},
        {"interaction_constraints": [[0, 1], [2, 3, 4]]},
    ),
    ({"feature_types": ["q", "c", "q", "q", "q"]}, {"categorical_features": [1]}),
    ({"verbosity": 0, "silent": True, "verbose": -1}, {}),
    ({"nthread": 1}, {"n_jobs": 1}),
    ({"subsample": None, "max_leaves": None, "booster": None, "gamma": None}, {}),
]


@pytest.mark.parametrize(("theirs", "ours"), SAME_PARAMS, ids=str)
@pytest.mark.parametrize("kind", [BoostedTreesClassifier, BoostedTreesRegressor])
def test_peers_parameter_gives_the_same_model(kind, theirs, ours, rng):
    X, y = few_values(rng, 200)
    y = (y > 0.5).astype(int) if kind is BoostedTreesClassifier else y
    scores = [kind(**SMALL | params).fit(X, y).predict(X) for params in (theirs, ours)]
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize(
    ("kind", "names"),
    [(BoostedTreesClassifier, CLASSIFIER_NAMES), (BoostedTreesRegressor, REGRESSOR_NAMES)],
)
def test_tables_name_parameters_that_exist(kind, names):
    own = set(kind._get_param_names())
    assert not own & set(names)
    assert {one.own for one in names.values() if isinstance(one, Renamed)} <= own


# Parameters of LightGBM's command line and data files, which its classes do not need.
OF_FILES = {
    *("config", "task", "data", "valid", "header", "label_column", "weight_column"),
    *("group_column", "save_binary", "precise_float_parser", "parser_config_file"),
    *("input_model", "output_model", "output_result", "convert_model", "convert_model_language"),
    *("predict_raw_score", "predict_leaf_index", "predict_contrib", "predict_disable_shape_check"),
    *("num_iteration_predict", "start_iteration_predict", "gpu_device_id_list"),
}


def test_every_parameter_of_lightgbms_classes_is_known():
    lightgbm = pytest.importorskip("lightgbm", reason=REASON)
    lightgbm.basic._ConfigAliases.get("metric")  # fills the table
    listed = set(lightgbm.basic._ConfigAliases.aliases) - OF_FILES
    assert len(listed) > 100
    for kind, names in (
        (BoostedTreesClassifier, CLASSIFIER_NAMES),
        (BoostedTreesRegressor, REGRESSOR_NAMES),
    ):
        assert not listed - {*names, *kind._get_param_names()}


def test_every_parameter_of_xgboosts_classes_is_known():
    xgboost = pytest.importorskip("xgboost", reason=REASON)
    listed = set(signature(xgboost.XGBModel.__init__).parameters) - {"self", "kwargs"}
    assert len(listed) > 30
    for kind, names in (
        (BoostedTreesClassifier, CLASSIFIER_NAMES),
        (BoostedTreesRegressor, REGRESSOR_NAMES),
    ):
        assert not listed - {*names, *kind._get_param_names()}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("binary:logistic", "log_loss"),
        ("binary", "log_loss"),
        ("multi:softprob", "log_loss"),
        ("multi:softmax", "log_loss"),
        ("multiclass", "log_loss"),
        (None, "log_loss"),
    ],
)
def test_objective_of_classes_by_the_peers_names(theirs, ours):
    assert translate_params(BoostedTreesClassifier(theirs))["objective"] == ours


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"objective": "reg:squarederror"}, "squared_error"),
        ({"objective": "regression"}, "squared_error"),
        ({"objective": "regression_l1"}, "absolute_error"),
        ({"objective": "reg:absoluteerror"}, "absolute_error"),
        ({"objective": "count:poisson"}, "poisson"),
        ({"objective": "reg:gamma"}, "gamma"),
        ({"objective": "reg:logistic"}, "cross_entropy"),
        ({"objective": "cross_entropy"}, "cross_entropy"),
        ({"objective": "huber"}, HuberLoss(0.9)),
        ({"objective": "huber", "alpha": 2.0}, HuberLoss(2.0)),
        ({"objective": "fair", "fair_c": 2.0}, FairLoss(2.0)),
        ({"objective": "reg:pseudohubererror", "huber_slope": 0.5}, PseudoHuberLoss(0.5)),
        ({"objective": "tweedie"}, TweedieLoss(1.5)),
        ({"objective": "reg:tweedie", "tweedie_variance_power": 1.2}, TweedieLoss(1.2)),
    ],
    ids=str,
)
def test_objective_of_values_by_the_peers_names(params, expected):
    found = translate_params(BoostedTreesRegressor(**params))["objective"]
    assert repr(found) == repr(expected)


def test_level_of_a_quantile_by_the_peers_names():
    of_lightgbm = BoostedTreesRegressor(objective="quantile", alpha=0.2)
    of_xgboost = BoostedTreesRegressor("reg:quantileerror", quantile_alpha=[0.1, 0.9])
    assert translate_params(of_lightgbm)["quantile"] == 0.2
    assert translate_params(of_xgboost)["quantile"] == [0.1, 0.9]
    assert translate_params(BoostedTreesRegressor("reg:gamma", alpha=2))["reg_alpha"] == 2


# ---- The estimator keeps what it was given -------------------------------------------------------


def test_fit_leaves_parameters_as_the_user_spelt_them(rng):
    X, y = two_classes(rng, 150)
    model = BoostedTreesClassifier("binary:logistic", max_leaves=5, max_depth=-1, **SMALL)
    before = model.get_params()
    assert model.fit(X, y).get_params() == before
    assert (model.max_leaves, model.num_leaves, model.max_depth) == (5, "auto", -1)


def test_failed_fit_leaves_parameters_as_the_user_spelt_them(rng):
    X, y = two_classes(rng, 50)
    model = BoostedTreesClassifier(max_leaves=1, eta=0.3)
    before = model.get_params()
    with pytest.raises(ValueError, match="parameter 'max_leaves' must be"):
        model.fit(X, y)
    assert model.get_params() == before


def test_copies_keep_the_names(rng, tmp_path):
    X, y = two_classes(rng, 150)
    model = BoostedTreesClassifier(max_leaves=5, eta=0.3, nthread=1, **SMALL)
    assert clone(model).get_params() == model.get_params()
    model.fit(X, y)
    nonet.save(model, tmp_path / "model.nonet")
    for copy in (pickle.loads(pickle.dumps(model)), nonet.load(tmp_path / "model.nonet")):
        assert copy.get_params() == model.get_params()
        np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    assert "max_leaves=5" in repr(model)


def test_search_over_a_peers_name(rng):
    X, y = two_classes(rng, 150)
    search = GridSearchCV(BoostedTreesClassifier(**SMALL), {"max_leaves": [2, 8]}, cv=2)
    assert search.fit(X, y).best_estimator_.max_leaves in (2, 8)


def test_name_set_to_none_counts_as_not_given(rng):
    X, y = two_classes(rng, 150)
    model = BoostedTreesClassifier(max_leaves=2, **SMALL).set_params(max_leaves=None)
    plain = BoostedTreesClassifier(**SMALL)
    expected = plain.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), expected)


# ---- Refusals ------------------------------------------------------------------------------------


def test_unknown_name_is_rejected_with_the_nearest():
    with pytest.raises(
        TypeError, match=r"no parameter 'learning_rat'; did you mean 'learning_rate'"
    ):
        BoostedTreesClassifier(learning_rat=0.1)
    with pytest.raises(ValueError, match="Invalid parameter 'learning_rat'"):
        BoostedTreesClassifier().set_params(learning_rat=0.1)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"max_leaves": 3, "num_leaves": 4}, "num_leaves=4 and max_leaves=3 are two names of one"),
        ({"eta": 0.1, "shrinkage_rate": 0.2}, "eta=0.1 and shrinkage_rate=0.2 are two names"),
        ({"booster": "gblinear"}, "use a linear model of scikit-learn"),
        ({"boosting_type": "rf"}, "use RandomForestClassifier"),
        ({"booster": "trees"}, "use 'gbdt'"),
        ({"device": "cuda"}, "device='cuda' is not available; leave it out"),
        ({"tree_method": "gpu_hist"}, "use 'hist'"),
        ({"num_parallel_tree": 4}, "use RandomForestClassifier"),
        ({"missing": -999.0}, "replace missing values by NaN"),
        ({"linear_tree": True}, "use plain trees"),
        ({"alpha": 1.0}, "use reg_alpha"),
        ({"grow_policy": "depthwise", "max_leaves": 8}, "use grow_policy='lossguide'"),
        ({"grow_policy": "widest"}, "must be 'depthwise' or 'lossguide'"),
        ({"max_bin": 512}, "parameter 'max_bin' must be .* at most 255"),
        ({"n_jobs": 0}, "parameter 'n_jobs' must be"),
        ({"monotone_constraints": "1;2"}, "must be a list, or its text"),
        ({"objective": "rank:pairwise"}, "there is no ranking"),
        ({"objective": "survival:cox"}, "there is no censoring"),
        ({"objective": "multiclassova"}, "use nonet.OneVsRestClassifier"),
        ({"objective": "reg:squarederror"}, "use BoostedTreesRegressor"),
        ({"objective": "binary:logistc"}, "is not known; did you mean 'binary:logistic'"),
        ({"objective": "?"}, "parameter 'objective' must be None or one of 'log_loss'"),
        ({"base_score": 1.5}, "parameter 'base_score' must be"),
    ],
    ids=str,
)
def test_what_is_not_available_is_rejected_with_the_way_out(params, sentence, rng):
    X, y = two_classes(rng, 60)
    with pytest.raises(ValueError, match=sentence) as caught:
        BoostedTreesClassifier(**params).fit(X, y)
    assert str(caught.value).endswith((".", "?"))


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"objective": "multi:softprob"}, "use BoostedTreesClassifier"),
        ({"objective": "mape"}, r"sample_weight=1 / numpy.maximum\(1, abs\(y\)\)"),
        ({"class_weight": "balanced"}, "use BoostedTreesClassifier, or sample_weight"),
        ({"objective": "quantile", "quantile": 0.5, "alpha": 0.9}, "two values of one parameter"),
    ],
    ids=str,
)
def test_regressor_rejects_what_is_for_classes(params, sentence, rng):
    X, y = few_values(rng, 60)
    with pytest.raises(ValueError, match=sentence):
        BoostedTreesRegressor(**params).fit(X, y)


# ---- What parameters do --------------------------------------------------------------------------


def test_n_jobs_limits_threads_of_fit_and_predict(rng, monkeypatch):
    X, y = few_values(rng, 200)
    seen = []

    def spy(y_true, y_pred):
        seen.append(nonet.get_num_threads())
        return y_pred - y_true, np.ones(len(y_true))

    monkeypatch.setenv("NONET_NUM_THREADS", "4")
    BoostedTreesRegressor(spy, n_jobs=1, n_estimators=2).fit(X, y)
    BoostedTreesRegressor(spy, n_estimators=1).fit(X, y)
    assert (seen[0], seen[-1]) == (1, 4)


def test_base_score_is_where_boosting_starts(rng):
    X, y = few_values(rng, 200)
    labels = (y > 0.5).astype(int)
    start = (0, 0)
    classes = BoostedTreesClassifier(base_score=0.2, **SMALL).fit(X, labels)
    np.testing.assert_allclose(classes.predict_proba(X, iteration_range=start)[:, 1], 0.2)
    values = BoostedTreesRegressor(base_score=3.0, **SMALL).fit(X, y)
    np.testing.assert_allclose(values.predict(X, iteration_range=start), 3.0)
    means = BoostedTreesRegressor("poisson", base_score=3.0, **SMALL).fit(X, labels)
    np.testing.assert_allclose(means.predict(X, iteration_range=start), 3.0)
    zero = BoostedTreesRegressor(boost_from_average=False, **SMALL).fit(X, y)
    np.testing.assert_array_equal(zero.predict(X, iteration_range=start), 0.0)


def test_groups_of_columns_by_name(rng):
    X, y = few_values(rng, 200)
    frame = pd.DataFrame(X, columns=list("abcde"))
    by_name = BoostedTreesRegressor(interaction_constraints=[["a", "b"], ["c", "d", "e"]], **SMALL)
    by_position = BoostedTreesRegressor(interaction_constraints="[[0,1],[2,3,4]]", **SMALL)
    np.testing.assert_array_equal(
        by_name.fit(frame, y).predict(frame), by_position.fit(X, y).predict(X)
    )
    with pytest.raises(ValueError, match="groups of column positions or names"):
        by_name.fit(X, y)


def test_unbalanced_classes_get_balanced_weights(rng):
    X, y = few_values(rng, 300)
    y = (y > 1.2).astype(int)
    scores = [
        BoostedTreesClassifier(**SMALL, **params).fit(X, y).decision_function(X)
        for params in ({"is_unbalance": True}, {"class_weight": "balanced"})
    ]
    np.testing.assert_array_equal(*scores)
