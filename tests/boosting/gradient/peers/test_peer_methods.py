"""Methods, attributes and arguments under the names of LightGBM and XGBoost, beside theirs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss, mean_absolute_error, roc_auc_score

from boosting.gradient.boosted_tables import few_values, two_classes
from nonet import BoostedTreesClassifier, BoostedTreesRegressor, shap_values

REASON = "a peer to compare with, not needed otherwise"
lightgbm = pytest.importorskip("lightgbm", reason=REASON)
xgboost = pytest.importorskip("xgboost", reason=REASON)

SMALL = {"n_estimators": 6, "random_state": 0}


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def fitted(rng):
    X, y = two_classes(rng, 300)
    model = BoostedTreesClassifier(n_estimators=40, early_stopping_rounds=3, num_leaves=8)
    return model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])]), X


# ---- predict -------------------------------------------------------------------------------------


def test_raw_scores_by_either_name(fitted):
    model, X = fitted
    for name in ("raw_score", "output_margin"):
        np.testing.assert_array_equal(model.predict(X, **{name: True}), model.decision_function(X))
        np.testing.assert_array_equal(
            model.predict_proba(X, **{name: False}), model.predict_proba(X)
        )


def test_numbers_of_iterations(fitted):
    model, X = fitted
    some = model.predict_proba(X, iteration_range=(0, 3))
    np.testing.assert_array_equal(model.predict_proba(X, num_iteration=3), some)
    np.testing.assert_array_equal(model.predict_proba(X, ntree_limit=3), some)
    later = model.predict_proba(X, iteration_range=(1, 3))
    np.testing.assert_array_equal(model.predict_proba(X, start_iteration=1, num_iteration=2), later)
    every = model.predict_proba(X, iteration_range=(0, model.n_iter_))
    np.testing.assert_array_equal(model.predict_proba(X, num_iteration=-1), every)
    np.testing.assert_array_equal(model.predict_proba(X, num_iteration=10_000), every)
    np.testing.assert_array_equal(model.predict_proba(X, ntree_limit=0), model.predict_proba(X))


def test_contributions_add_up_to_the_scores(fitted):
    model, X = fitted
    parts = model.predict(X, pred_contrib=True)
    assert parts.shape == (len(X), X.shape[1] + 1)
    np.testing.assert_allclose(parts.sum(axis=1), model.decision_function(X))
    np.testing.assert_array_equal(parts[:, :-1], shap_values(model, X).values)


def test_contributions_of_the_first_iterations(rng):
    X, y = two_classes(rng, 300)
    model = BoostedTreesClassifier(n_estimators=60, early_stopping_rounds=3, learning_rate=0.5)
    model.fit(X[:200], y[:200], eval_set=[(X[200:], y[200:])])
    for n_rounds in (1, model.best_iteration_, model.n_iter_):
        parts = model.predict(X, pred_contrib=True, num_iteration=n_rounds)
        scores = model.predict(X, raw_score=True, num_iteration=n_rounds)
        np.testing.assert_allclose(parts.sum(axis=1), scores, atol=1e-12)
    assert model.best_iteration_ < model.n_iter_


def test_contributions_of_classes_have_the_shape_of_lightgbm(rng):
    X, y = few_values(rng, 200)
    y = np.digitize(y, [0.0, 1.0])
    parts = BoostedTreesClassifier(**SMALL).fit(X, y).predict(X, pred_contrib=True)
    theirs = lightgbm.LGBMClassifier(verbose=-1, **SMALL).fit(X, y).predict(X, pred_contrib=True)
    assert parts.shape == theirs.shape


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"raw_scor": True}, "did you mean 'raw_score'"),
        ({"pred_leaf": True, "raw_score": True}, "are different outputs"),
        ({"num_iteration": 2, "iteration_range": (0, 2)}, "cannot both be given"),
        ({"pred_contrib": True, "start_iteration": 1}, "leave out the first iteration"),
        ({"pred_contrib": True, "iteration_range": (0, 0)}, "at least one of them"),
        ({"num_iteration": 1.5}, "num_iteration must be a whole number"),
        ({"start_iteration": "1"}, "start_iteration must be a whole number"),
        ({"ntree_limit": 2.5}, "ntree_limit must be a whole number"),
    ],
)
def test_predict_rejects_arguments_with_the_way_out(fitted, arguments, sentence):
    model, X = fitted
    with pytest.raises((TypeError, ValueError), match=sentence):
        model.predict(X, **arguments)


# ---- Leaves and importances ----------------------------------------------------------------------


def test_apply_tells_rows_apart_as_xgboost_does(rng):
    X, y = few_values(rng, 400)
    shared = {"n_estimators": 1, "learning_rate": 1.0, "reg_lambda": 1.0, "max_leaves": 8}
    theirs = xgboost.XGBRegressor(
        grow_policy="lossguide", max_depth=0, min_child_weight=5, **shared
    ).fit(X, y)
    ours = BoostedTreesRegressor(min_child_samples=5, **shared).fit(X, y)
    leaves = ours.apply(X)
    assert leaves.shape == (400, 1)
    np.testing.assert_array_equal(leaves, ours.predict(X, pred_leaf=True))
    pairs = np.column_stack([leaves[:, 0], theirs.apply(X).reshape(400)])
    n_pairs, n_leaves = len(np.unique(pairs, axis=0)), len(np.unique(leaves))
    assert n_pairs == n_leaves == len(np.unique(pairs[:, 1]))


def test_apply_of_several_classes_and_rounds(rng):
    X, y = few_values(rng, 200)
    model = BoostedTreesClassifier(**SMALL).fit(X, np.digitize(y, [0.0, 1.0]))
    assert model.apply(X).shape == (200, 18)
    assert model.apply(X, iteration_range=(1, 3)).shape == (200, 6)
    assert model.apply(X, iteration_range=(0, 0)).shape == (200, 0)


def test_importances_by_type_against_lightgbm(rng):
    X, y = few_values(rng, 400)
    shared = {"n_estimators": 5, "num_leaves": 8, "reg_lambda": 0.0, "min_child_samples": 10}
    theirs = lightgbm.LGBMRegressor(verbose=-1, min_data_in_bin=1, **shared).fit(X, y)
    for name in ("split", "gain"):
        ours = BoostedTreesRegressor(importance_type=name, **shared).fit(X, y)
        expected = theirs.booster_.feature_importance(importance_type=name)
        np.testing.assert_allclose(
            ours.feature_importances_, expected / expected.sum(), rtol=1e-3, atol=1e-6
        )


def test_covers_are_rows_of_splits(rng):
    X, y = few_values(rng, 400)
    model = BoostedTreesRegressor(n_estimators=1, num_leaves=2, importance_type="cover").fit(X, y)
    assert sorted(model.feature_importances_) == [0, 0, 0, 0, 1]
    total = model.set_params(importance_type="total_cover").feature_importances_
    np.testing.assert_array_equal(total, model.feature_importances_)


# ---- Attributes ----------------------------------------------------------------------------------


def test_attributes_of_both_libraries(fitted):
    model, X = fitted
    assert model.best_iteration == model.best_iteration_ - 1
    assert model.best_score == model.best_score_
    assert model.evals_result() is model.evals_result_
    assert (model.n_estimators_, model.n_features_) == (model.n_iter_, X.shape[1])
    assert model.feature_name_[:2] == ["Column_0", "Column_1"]
    assert model.n_classes_ == 2


@pytest.mark.parametrize(
    "name",
    ["booster_", "get_booster", "save_model", "load_model", "objective_", "intercept_"],
)
def test_missing_attribute_names_the_way_out(fitted, name):
    with pytest.raises(AttributeError, match=r"no attribute '\w+'; \w+.*\.$"):
        getattr(fitted[0], name)


# ---- fit -----------------------------------------------------------------------------------------


def test_arguments_of_fit_replace_parameters(rng):
    X, y = two_classes(rng, 300)
    new, old = (X[:200], y[:200]), (X[200:], y[200:])
    expected = BoostedTreesClassifier(
        eval_metric="auc", early_stopping_rounds=3, categorical_features=[1], n_estimators=50
    ).fit(*new, eval_set=[old])
    model = BoostedTreesClassifier(n_estimators=50).fit(
        *new,
        eval_set=old,
        eval_metric="auc",
        early_stopping_rounds=3,
        categorical_feature=[1],
        verbose=-1,
    )
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))
    assert model.evals_result_ == expected.evals_result_
    assert model.early_stopping_rounds is None


def test_sets_by_names_weights_and_tables(rng):
    X, y = two_classes(rng, 200)
    weights = rng.integers(0, 3, size=200).astype(float)
    one = BoostedTreesClassifier(**SMALL).fit(
        X, y, eval_set=[(X, y)], eval_names=["same"], eval_sample_weight=[weights]
    )
    other = BoostedTreesClassifier(**SMALL).fit(
        X, y, eval_X=X, eval_y=y, sample_weight_eval_set=[weights]
    )
    assert one.evals_result_["same"] == other.evals_result_["validation_0"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"eval_sets": []}, "did you mean 'eval_set'"),
        ({"group": [60]}, "there is no ranking"),
        ({"callbacks": [print]}, "use set_callbacks"),
        ({"eval_X": [[1.0]]}, "go together"),
        (
            {"eval_set": np.ones((4, 5))},
            r"got an object of type ndarray of shape \(4, 5\); a single",
        ),
        ({"eval_set": pd.DataFrame(np.ones((4, 5)))}, "got an object of type DataFrame of shape"),
        ({"eval_set": [np.ones((4, 5)), np.ones(4)]}, "entry 0 is an object of type ndarray of"),
        ({"eval_set": [([[1.0]], [1], [1])]}, r"entry 0 is a tuple of length 3; a single .*\.$"),
        ({"eval_set": "valid"}, "got an object of type str; a single set is given as eval_set="),
        ({"feature_name": ["a", "b"]}, "give X as a frame"),
        ({"eval_class_weight": ["balanced"]}, "eval_sample_weight"),
        ({"init_score": np.zeros(60), "base_margin": np.ones(60)}, "two names of one argument"),
    ],
    ids=str,
)
def test_fit_rejects_arguments_with_the_way_out(rng, arguments, sentence):
    X, y = two_classes(rng, 60)
    with pytest.raises((TypeError, ValueError), match=sentence):
        BoostedTreesClassifier(**SMALL).fit(X, y, **arguments)


def test_wrong_set_is_named(rng):
    X, y = two_classes(rng, 60)
    frame = pd.DataFrame(X, columns=list("abcde"))
    for sets, sentence in (
        ([(frame, y), (frame, y + 1)], "evaluation set 1: y has the label 2, which is not among"),
        ([(frame.drop(columns="b"), y)], "evaluation set 0: The feature names .* missing: - b"),
    ):
        with pytest.raises(ValueError, match=sentence):
            BoostedTreesClassifier(**SMALL).fit(frame, y, eval_set=sets)


def test_single_set_and_pairs_of_lists(rng):
    X, y = two_classes(rng, 60)
    expected = BoostedTreesClassifier(**SMALL).fit(X, y, eval_set=[(X, y), (X, y)]).evals_result_
    for sets in ((X, y), [(X, y)], [[X, y]]):
        found = BoostedTreesClassifier(**SMALL).fit(X, y, eval_set=sets).evals_result_
        assert found == {"validation_0": expected["validation_0"]}
    for sets in ([[X, y], [X, y]], ([X, y], [X, y]), ((X, y), (X, y))):
        assert BoostedTreesClassifier(**SMALL).fit(X, y, eval_set=sets).evals_result_ == expected


def test_names_of_sets_must_be_different(rng):
    X, y = two_classes(rng, 60)
    with pytest.raises(ValueError, match="eval_names must have one name for each of the 2"):
        BoostedTreesClassifier(**SMALL).fit(X, y, eval_set=[(X, y), (X, y)], eval_names=["a", "a"])


def test_feature_names_of_a_frame_are_accepted(rng):
    X, y = two_classes(rng, 60)
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = BoostedTreesClassifier(**SMALL).fit(frame, y, feature_name=list("abcde"))
    assert model.feature_name_ == list("abcde")


# ---- Metrics -------------------------------------------------------------------------------------


def _last_values(model, X, y, metrics, **fit_arguments):
    model.fit(X, y, eval_set=[(X, y)], **fit_arguments)
    results = model.evals_result()["validation_0"]
    return np.array([results[name][-1] for name in metrics])


@pytest.mark.parametrize(
    ("metrics", "n_classes"),
    [
        (["logloss", "error", "error@0.7", "auc", "aucpr"], 2),
        (["mlogloss", "merror", "auc"], 3),
    ],
)
def test_metrics_of_classes_against_xgboost(metrics, n_classes, rng):
    X, y = few_values(rng, 300)
    y = (y > 0.5).astype(int) if n_classes == 2 else np.digitize(y, [0.0, 1.0])
    theirs = xgboost.XGBClassifier(eval_metric=metrics, n_estimators=10, max_depth=4)
    expected = _last_values(theirs, X, y, metrics, verbose=False)
    ours = BoostedTreesClassifier(eval_metric=metrics, n_estimators=3)
    _last_values(ours, X, y, metrics)
    fractions = theirs.predict_proba(X).astype(np.float64)
    rounded = _evaluate(ours, metrics, y, fractions)
    np.testing.assert_allclose(rounded, expected, rtol=1e-3)


def _evaluate(model, names, y, predictions):
    """Return the values of our metrics for given predictions."""
    from nonet.boosting.gradient.early_stopping.metrics import PEER_METRICS, metric_at

    found = [PEER_METRICS.get(name) or metric_at(name) for name in names]
    return np.array([metric.formula(y, predictions, None) for metric in found])


@pytest.mark.parametrize(
    ("objective", "metrics"),
    [
        ("reg:squarederror", ["rmse", "mae", "mphe"]),
        ("count:poisson", ["poisson-nloglik", "rmsle", "tweedie-nloglik@1.5"]),
        ("reg:gamma", ["gamma-deviance", "gamma-nloglik"]),
    ],
)
def test_metrics_of_values_against_xgboost(objective, metrics, rng):
    X, y = few_values(rng, 300)
    y = y if objective == "reg:squarederror" else np.round(np.exp(y)) + 1
    theirs = xgboost.XGBRegressor(
        objective=objective, eval_metric=metrics, n_estimators=10, max_depth=4
    )
    expected = _last_values(theirs, X, y, metrics, verbose=False)
    predictions = theirs.predict(X).astype(np.float64)
    values = _evaluate(BoostedTreesRegressor(), metrics, y, predictions)
    np.testing.assert_allclose(values, expected, rtol=1e-3)


def test_mape_is_that_of_the_library_whose_argument_it_is(rng):
    X, y = few_values(rng, 300)
    y = np.where(np.abs(y) < 0.05, 0.05, y)  # XGBoost divides by targets as small as they are
    xgboosts = xgboost.XGBRegressor(eval_metric=["rmse", "mape"], n_estimators=3)
    lightgbms = lightgbm.LGBMRegressor(metric="mape", n_estimators=3, verbose=-1)
    of_xgboost = _last_values(xgboosts, X, y, ["mape"], verbose=False)
    of_lightgbm = lightgbms.fit(X, y, eval_X=X.copy(), eval_y=y).evals_result_["valid_0"]["mape"]
    y_pred = [model.predict(X).astype(np.float64) for model in (xgboosts, lightgbms)]
    expected = [np.mean(np.abs(y - y_pred[0]) / np.abs(y))]
    expected.append(np.mean(np.abs(y - y_pred[1]) / np.maximum(np.abs(y), 1)))
    np.testing.assert_allclose([of_xgboost[0], of_lightgbm[-1]], expected, rtol=1e-3)
    in_xgboost = BoostedTreesRegressor(eval_metric=["rmse", "mape"], **SMALL)
    in_lightgbm = BoostedTreesRegressor(metric="mape", **SMALL)
    values = [_last_values(model, X, y, ["mape"])[0] for model in (in_xgboost, in_lightgbm)]
    of_fit = _last_values(BoostedTreesRegressor(**SMALL), X, y, ["mape"], eval_metric="mape")
    error = np.abs(y - in_xgboost.predict(X))
    expected = [np.mean(error / np.abs(y)), np.mean(error / np.maximum(np.abs(y), 1))]
    np.testing.assert_allclose([*values, *of_fit], [*expected, expected[1]])
    assert in_xgboost.eval_metric == ["rmse", "mape"]


def test_mape_of_xgboost_reads_weights(rng):
    X, y = few_values(rng, 100)
    y, weights = np.abs(y) + 0.2, rng.integers(0, 3, size=100).astype(float)
    model = BoostedTreesRegressor(eval_metric="mape", **SMALL)
    (value,) = _last_values(model, X, y, ["mape"], sample_weight_eval_set=[weights])
    expected = np.average(np.abs(y - model.predict(X)) / y, weights=weights)
    assert value == pytest.approx(expected)


def test_metrics_of_values_against_lightgbm(rng):
    X, y = few_values(rng, 300)
    metrics = ["l1", "l2", "rmse", "mape", "huber", "fair"]
    theirs = lightgbm.LGBMRegressor(verbose=-1, n_estimators=10)
    theirs.fit(X, y, eval_X=X.copy(), eval_y=y, eval_metric=metrics)
    expected = [theirs.evals_result_["valid_0"][name][-1] for name in metrics]
    values = _evaluate(BoostedTreesRegressor(), metrics, y, theirs.predict(X))
    np.testing.assert_allclose(values, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("params", "metric"),
    [
        ({"objective": "quantile", "alpha": 0.3}, "quantile"),
        ({"objective": "huber", "alpha": 0.5}, "huber"),
        ({"objective": "cross_entropy"}, "cross_entropy"),
    ],
    ids=str,
)
def test_metric_of_the_objectives_name_is_the_loss(params, metric, rng):
    X, y = two_classes(rng, 100)
    model = BoostedTreesRegressor(eval_metric=["loss", metric], **params, **SMALL)
    results = model.fit(X, y, eval_set=[(X, y)]).evals_result_["validation_0"]
    assert results["loss"] == results[metric]


@pytest.mark.parametrize(
    ("kind", "metric", "hint"),
    [
        (BoostedTreesClassifier, "acu", r"but got 'acu'; did you mean 'auc'\?"),
        (BoostedTreesClassifier, "log_loss", r"did you mean '.*log.?loss'\?"),
        (BoostedTreesRegressor, "rsme", r"did you mean 'rmse'\?"),
        (
            BoostedTreesRegressor,
            "logloss",
            "of values .* but got 'logloss', a metric of classes",
        ),
        (
            BoostedTreesClassifier,
            "rmse",
            "of classes .* but got 'rmse', a metric of values",
        ),
        (BoostedTreesRegressor, "ndcg@5", "but got 'ndcg@5'; there is no ranking; use a function"),
        (BoostedTreesRegressor, "map", "but got 'map'; there is no ranking"),
        (BoostedTreesClassifier, "auc_mu", "use 'auc', which compares each class with the rest"),
        (BoostedTreesClassifier, "?", r"or a function, but got '\?'\.$"),
        (BoostedTreesClassifier, 3, r"or a function, but got 3\.$"),
    ],
)
def test_unknown_metric_is_rejected_with_the_nearest(kind, metric, hint, rng):
    X, y = two_classes(rng, 60)
    with pytest.raises(ValueError, match=f"parameter 'eval_metric' must be 'loss', .*{hint}"):
        kind(eval_metric=metric, **SMALL).fit(X, y)


@pytest.mark.parametrize("metric", ["aucpr", "error@0.7"])
def test_metric_of_two_classes_is_rejected_for_more(metric, rng):
    X, y = few_values(rng, 60)
    y = np.digitize(y, [0.0, 1.0])
    with pytest.raises(ValueError, match="is for two classes; use '"):
        BoostedTreesClassifier(eval_metric=metric, **SMALL).fit(X, y, eval_set=[(X, y)])


def test_metric_none_as_text_scores_nothing(rng):
    """LightGBM's way to evaluate only what fit is given."""
    X, y = two_classes(rng, 60)
    model = BoostedTreesClassifier(metric="None", **SMALL)
    assert model.fit(X, y, eval_set=[(X, y)]).evals_result_ == {"validation_0": {}}
    assert (model.best_score_, model.best_iteration_) == (None, model.n_iter_)
    model.fit(X, y, eval_set=[(X, y)], eval_metric="auc")
    assert list(model.evals_result_["validation_0"]) == ["auc"]
    with pytest.raises(ValueError, match="must be a metric for early_stopping_rounds, or left out"):
        model.fit(X, y, eval_set=[(X[:30], y[:30])], early_stopping_rounds=2)


def test_metric_functions_in_every_form(rng):
    X, y = two_classes(rng, 200)

    def of_lightgbm(y_true, y_pred, weight):
        return "area", roc_auc_score(y_true, y_pred, sample_weight=weight), True

    def several(y_true, y_pred):
        return [("low", y_pred.min(), False), ("high", y_pred.max(), True)]

    def of_xgboost(y_true, y_pred):
        return float(np.mean(np.abs(y_true - y_pred)))

    def scorer(estimator, X, y):
        return roc_auc_score(y, estimator.predict_proba(X)[:, 1])

    metrics = ["auc", of_lightgbm, several, of_xgboost, mean_absolute_error, roc_auc_score, scorer]
    metrics += ["logloss", log_loss]  # the second argument of log_loss has two names
    model = BoostedTreesClassifier(eval_metric=metrics, **SMALL)
    results = model.fit(X, y, eval_set=[(X, y)]).evals_result_["validation_0"]
    assert results["auc"] == results["area"] == results["roc_auc_score"] == results["scorer"]
    assert results["log_loss"] == pytest.approx(results["logloss"])
    assert results["of_xgboost"] == pytest.approx(results["mean_absolute_error"])
    assert results["low"][-1] < 0.5 < results["high"][-1]


def test_direction_of_a_metric_function_controls_stopping(rng):
    X, y = two_classes(rng, 300)
    sets = {"eval_set": [(X[200:], y[200:])]}
    best = [
        BoostedTreesClassifier(n_estimators=60, early_stopping_rounds=4, eval_metric=metric)
        .fit(X[:200], y[:200], **sets)
        .best_score_
        for metric in ("auc", roc_auc_score, lambda y, p: ("a", roc_auc_score(y, p), True))
    ]
    assert best[0] == best[1] == best[2] > 0.7


def test_metric_function_must_return_a_number(rng):
    X, y = two_classes(rng, 60)
    with pytest.raises(ValueError, match="must return a number, or a name, a number and"):
        BoostedTreesClassifier(eval_metric=lambda y, p: "high", **SMALL).fit(
            X, y, eval_set=[(X, y)]
        )


# ---- Objectives ----------------------------------------------------------------------------------


def test_objective_function_equals_the_built_in_loss(rng):
    X, y = few_values(rng, 300)
    weights = rng.integers(1, 4, size=300).astype(float)

    def squares(y_true, y_pred):
        return y_pred - y_true, np.ones_like(y_pred)

    def weighted(y_true, y_pred, weight):
        return weight * (y_pred - y_true), weight * np.ones_like(y_pred)

    expected = BoostedTreesRegressor(base_score=0.0, **SMALL).fit(X, y, weights).predict(X)
    for function in (squares, weighted):
        model = BoostedTreesRegressor(function, **SMALL).fit(X, y, weights)
        np.testing.assert_allclose(model.predict(X), expected, rtol=1e-9)


def test_objective_function_of_several_classes(rng):
    X, y = few_values(rng, 300)
    y = np.digitize(y, [0.0, 1.0])

    def softmax(y_true, y_pred):
        fractions = np.exp(y_pred) / np.exp(y_pred).sum(axis=1, keepdims=True)
        return fractions - np.eye(3)[y_true.astype(int)], fractions * (1 - fractions)

    model = BoostedTreesClassifier(softmax, **SMALL).fit(X, y, eval_set=[(X, y)])
    expected = BoostedTreesClassifier(boost_from_average=False, **SMALL).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X), rtol=1e-6)
    assert list(model.evals_result_["validation_0"]) == ["logloss"]


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda y, p: p - y, "must return the two arrays"),
        (lambda y, p: (p - y, [1.0]), "a hessian of the shape of y_pred"),
        (lambda y, p: (p - y, -np.ones(len(y))), "hessians of at least 0"),
    ],
)
def test_objective_function_rejects_wrong_derivatives(function, sentence, rng):
    X, y = few_values(rng, 60)
    with pytest.raises(ValueError, match=sentence):
        BoostedTreesRegressor(function, **SMALL).fit(X, y)
