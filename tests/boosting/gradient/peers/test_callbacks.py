"""Callbacks of LightGBM and XGBoost in our fits, beside the libraries."""

from __future__ import annotations

import numpy as np
import pytest

from boosting.gradient.boosted_tables import few_values, two_classes
from nonet import BoostedTreesClassifier, BoostedTreesRegressor

REASON = "a peer to compare with, not needed otherwise"
lightgbm = pytest.importorskip("lightgbm", reason=REASON)
xgboost = pytest.importorskip("xgboost", reason=REASON)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_callbacks_of_both_libraries(rng):
    X, y = two_classes(rng, 300)
    stops = [lightgbm.early_stopping(3, verbose=False), xgboost.callback.EarlyStopping(rounds=3)]
    sets = {"eval_set": [(X[200:], y[200:])]}
    values = {}
    expected = BoostedTreesClassifier(n_estimators=60, early_stopping_rounds=3)
    expected.fit(X[:200], y[:200], **sets)
    for stop in stops:
        model = BoostedTreesClassifier(n_estimators=60)
        callbacks = [stop, lightgbm.record_evaluation(values), lightgbm.log_evaluation(0)]
        model.fit(X[:200], y[:200], callbacks=callbacks, **sets)
        assert model.best_iteration_ == expected.best_iteration_
        assert values == {"valid_0": expected.evals_result_["validation_0"]}
    of_params = BoostedTreesClassifier(n_estimators=60, callbacks=stops[1:])
    assert of_params.fit(X[:200], y[:200], **sets).best_iteration_ == expected.best_iteration_


def test_first_metric_decides_on_request(rng):
    X, y = two_classes(rng, 300)
    sets = {"eval_set": [(X[200:], y[200:])], "eval_metric": ["auc", "logloss"]}
    settings = {"n_estimators": 80, "random_state": 0}
    of_callback = BoostedTreesClassifier(**settings).fit(
        X[:200],
        y[:200],
        callbacks=[lightgbm.early_stopping(4, first_metric_only=True, verbose=False)],
        **sets,
    )
    of_params = BoostedTreesClassifier(
        first_metric_only=True, early_stopping_rounds=4, **settings
    ).fit(X[:200], y[:200], **sets)
    last = BoostedTreesClassifier(early_stopping_rounds=4, **settings).fit(X[:200], y[:200], **sets)
    for model in (of_callback, of_params):
        values = model.evals_result_["validation_0"]
        assert model.best_score_ == max(values["auc"])
        assert model.best_iteration_ == np.argmax(values["auc"]) + 1 == model.n_iter_ - 4
    assert last.best_iteration_ == np.argmin(last.evals_result_["validation_0"]["logloss"]) + 1
    assert last.best_iteration_ != of_params.best_iteration_
    assert "first_metric_only" not in of_callback.get_params()
    assert of_params.get_params()["first_metric_only"] is True


# ---- Printing and recording ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"callbacks": [lightgbm.log_evaluation(5)]}, [5, 10, 12]),
        ({"callbacks": [xgboost.callback.EvaluationMonitor(period=4)]}, [4, 8, 12]),
        ({"callbacks": [lightgbm.log_evaluation()]}, list(range(1, 13))),
        ({"callbacks": [lightgbm.log_evaluation(5)], "verbose": 6}, [6, 12]),
        ({"callbacks": [lightgbm.log_evaluation(0)]}, []),
        ({"verbose": 6}, [6, 12]),
        ({"verbose": -1}, []),
    ],
    ids=["lightgbm", "xgboost", "every round", "argument first", "none", "argument", "silent"],
)
def test_values_are_printed_once_per_period(arguments, shown, rng, capsys):
    X, y = two_classes(rng, 60)
    BoostedTreesClassifier(n_estimators=12).fit(X, y, eval_set=[(X, y)], **arguments)
    lines = capsys.readouterr().err.splitlines()
    assert [int(line.split(" of 12 ")[0].split()[-1]) for line in lines] == shown
    assert all("validation_0 loss " in line for line in lines)


@pytest.mark.filterwarnings("ignore:The argument 'eval_set' is deprecated")
def test_recorded_sets_have_the_names_of_lightgbm(rng):
    X, y = two_classes(rng, 200)
    few, classes = X[150:], y[150:]
    for names in (None, ["train", "valid"]):
        theirs, ours = {}, {}
        for Model, values in ((lightgbm.LGBMClassifier, theirs), (BoostedTreesClassifier, ours)):
            Model(n_estimators=3, verbose=-1).fit(
                X,
                y,
                eval_set=[(X, y), (few, classes)],
                eval_names=names,
                eval_metric="auc",
                callbacks=[lightgbm.record_evaluation(values)],
            )
        assert list(ours) == list(theirs)
        assert {len(values["auc"]) for values in ours.values()} == {3}


# ---- The deciding value --------------------------------------------------------------------------


def stop_by(**settings):
    return [xgboost.callback.EarlyStopping(rounds=4, **settings)]


@pytest.mark.parametrize(
    ("settings", "set_name", "metric", "best"),
    [
        ({}, "validation_0", "logloss", min),
        ({"save_best": True}, "validation_0", "logloss", min),
        ({"metric_name": "auc"}, "validation_0", "auc", max),
        ({"metric_name": "auc", "maximize": True}, "validation_0", "auc", max),
        ({"data_name": "validation_1"}, "validation_1", "logloss", min),
        ({"data_name": "validation_1", "metric_name": "auc"}, "validation_1", "auc", max),
        ({"metric_name": "auc", "maximize": False}, "validation_0", "auc", min),
    ],
    ids=str,
)
def test_xgboosts_callback_names_what_decides(settings, set_name, metric, best, rng):
    X, y = two_classes(rng, 300)
    model = BoostedTreesClassifier(
        n_estimators=80, eval_metric=["auc", "logloss"], callbacks=stop_by(**settings)
    )
    train, valid = (X[:200], y[:200]), (X[200:], y[200:])
    model.fit(*train, eval_set=[valid, train])  # the training set decides if it is named
    values = model.evals_result_[set_name][metric]
    assert model.best_score == best(values)
    assert model.best_iteration == values.index(best(values))
    assert model.n_iter_ in (model.best_iteration + 5, 80)


def stopped_by_hand(values, n_rounds, min_delta):
    """Return the best round and the number of rounds, larger is better."""
    best = 0
    for position, value in enumerate(values):
        if value > values[best] + min_delta:
            best = position
        if position - best >= n_rounds:
            return best, position + 1
    return best, len(values)


@pytest.mark.parametrize("min_delta", [0.002, 0.01, 0.05])
@pytest.mark.parametrize("dialect", ["lightgbm", "xgboost", "parameter"])
def test_small_improvements_do_not_count(dialect, min_delta, rng):
    X, y = two_classes(rng, 400)
    shared = {"n_estimators": 60, "random_state": 0, "eval_metric": "auc"}
    sets = {"eval_set": [(X[250:], y[250:])]}
    params, callbacks = {}, None
    if dialect == "lightgbm":
        callbacks = [lightgbm.early_stopping(5, min_delta=min_delta, verbose=False)]
    elif dialect == "xgboost":
        callbacks = [xgboost.callback.EarlyStopping(rounds=5, min_delta=min_delta)]
    else:
        params = {"early_stopping_min_delta": min_delta, "early_stopping_rounds": 5}
    full = BoostedTreesClassifier(**shared).fit(X[:250], y[:250], **sets)
    expected = stopped_by_hand(full.evals_result_["validation_0"]["auc"], 5, min_delta)
    model = BoostedTreesClassifier(**shared, **params)
    model.fit(X[:250], y[:250], callbacks=callbacks, **sets)
    assert (model.best_iteration, model.n_iter_) == expected
    assert expected[1] < 60


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        (lambda: stop_by(metric_name="error"), "metric_name .* must be 'auc', 'logloss', but got"),
        (
            lambda: stop_by(data_name="valid"),
            "data_name .* must be 'validation_0', but got 'valid'",
        ),
        (
            lambda: [lightgbm.early_stopping(3, min_delta=[0.1, 0.2], verbose=False)],
            "min_delta of early_stopping must be one number",
        ),
    ],
    ids=["metric", "set", "improvements"],
)
def test_early_stopping_by_what_there_is_not_is_rejected(stop, sentence, rng):
    X, y = two_classes(rng, 60)
    model = BoostedTreesClassifier(n_estimators=3, eval_metric=["auc", "logloss"])
    with pytest.raises(ValueError, match=sentence):
        model.fit(X[:40], y[:40], eval_set=[(X[40:], y[40:])], callbacks=stop())


def test_improvement_must_be_a_number(rng):
    X, y = two_classes(rng, 60)
    model = BoostedTreesClassifier(
        n_estimators=3, early_stopping_rounds=2, early_stopping_min_delta=-1
    )
    with pytest.raises(ValueError, match="'early_stopping_min_delta' must be a finite"):
        model.fit(X, y)


# ---- Learning rates ------------------------------------------------------------------------------

RATES = [0.5, 0.5, 0.2, 0.2, 0.1, 0.1]


def test_learning_rates_by_round_against_lightgbm(rng):
    X, y = few_values(rng, 400)
    shared = {"n_estimators": 6, "num_leaves": 8, "reg_lambda": 0.0, "min_child_samples": 10}
    theirs = lightgbm.LGBMRegressor(verbose=-1, min_data_in_bin=1, **shared)
    for rates in (RATES, lambda number: RATES[number]):
        callbacks = [lightgbm.reset_parameter(learning_rate=rates)]
        expected = theirs.fit(X, y, callbacks=callbacks).predict(X)
        found = BoostedTreesRegressor(**shared).fit(X, y, callbacks=callbacks).predict(X)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_learning_rates_by_round_against_xgboost(rng):
    """XGBoost sets the rate after a round, so that the first round has the estimator's."""
    X, y = few_values(rng, 400)
    shared = {"n_estimators": 6, "max_leaves": 8, "reg_lambda": 1.0, "learning_rate": 0.3}
    theirs = xgboost.XGBRegressor(
        grow_policy="lossguide",
        max_depth=0,
        min_child_weight=10,
        callbacks=[xgboost.callback.LearningRateScheduler(RATES)],
        **shared,
    )
    ours = BoostedTreesRegressor(
        min_child_samples=10,
        callbacks=[xgboost.callback.LearningRateScheduler(RATES)],
        **shared,
    )
    expected = theirs.fit(X, y).predict(X)
    np.testing.assert_allclose(ours.fit(X, y).predict(X), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("params", [{}, {"drop_rate": 0.5}, {"subsample": 0.6}], ids=str)
def test_constant_rates_give_the_bits_of_the_parameter(params, rng):
    X, y = few_values(rng, 200)
    settings = {"n_estimators": 8, "random_state": 0, **params}
    expected = BoostedTreesRegressor(learning_rate=0.3, **settings).fit(X, y).predict(X)
    constant = [lightgbm.reset_parameter(learning_rate=[0.3] * 8)]
    model = BoostedTreesRegressor(learning_rate=0.3, **settings).fit(X, y, callbacks=constant)
    np.testing.assert_array_equal(model.predict(X), expected)


def test_learning_rates_of_continued_training_begin_anew(rng):
    X, y = few_values(rng, 200)
    first = BoostedTreesRegressor(n_estimators=3, learning_rate=0.4).fit(X, y)
    later = BoostedTreesRegressor(n_estimators=2, learning_rate=0.1)
    expected = later.fit(X, y, init_model=first).predict(X)
    rates = [lightgbm.reset_parameter(learning_rate=[0.1, 0.1])]
    found = BoostedTreesRegressor(n_estimators=2, learning_rate=0.4)
    found.fit(X, y, init_model=first, callbacks=rates)
    np.testing.assert_allclose(found.predict(X), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("params", "callback", "sentence"),
    [
        ({}, {"learning_rate": RATES}, "'n_estimators' must be a number with a callback"),
        ({"n_bags": 3, "n_estimators": 6}, {"learning_rate": RATES}, "'n_bags' must be 1 with a"),
        ({"n_estimators": 7}, {"learning_rate": RATES}, "has none for round 6; give a function"),
        ({"n_estimators": 6}, {"learning_rate": lambda _: -1}, "above 0 in each round, but is -1"),
        ({"n_estimators": 6}, {"num_leaves": [3] * 6}, "can change learning_rate alone"),
    ],
    ids=["rounds", "bags", "too short", "negative", "another parameter"],
)
def test_learning_rates_that_cannot_be_are_rejected(params, callback, sentence, rng):
    X, y = few_values(rng, 200)
    callbacks = [lightgbm.reset_parameter(**callback)]
    with pytest.raises(ValueError, match=sentence):
        BoostedTreesRegressor(**params).fit(X, y, callbacks=callbacks)


# ---- Others --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("callback", "sentence"),
    [
        (xgboost.callback.TrainingCheckPoint("."), "use on_interrupt='keep'"),
        (lambda environment: None, "use set_callbacks"),
        (xgboost.callback.TrainingCallback(), "use set_callbacks"),
    ],
    ids=["files", "function", "class"],
)
def test_other_callbacks_are_rejected_with_the_way_out(callback, sentence, rng):
    X, y = few_values(rng, 60)
    with pytest.raises(ValueError, match=f"printing, recording and learning rates.*{sentence}"):
        BoostedTreesRegressor(n_estimators=2).fit(X, y, callbacks=[callback])
