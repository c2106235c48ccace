"""Rounds of boosted trees: where they begin, when they stop, how they go on."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics import log_loss, make_scorer, mean_pinball_loss, roc_auc_score
from sklearn.model_selection import GroupKFold, TimeSeriesSplit

from boosting.gradient.boosted_tables import few_values, two_classes
from contracts.interrupts import count_calls, interrupt_after
from nonet import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
)


@pytest.fixture
def rng():
    return np.random.default_rng(11)


# ---- Margins -----------------------------------------------------------------------------------


def test_margins_of_a_model_go_on_where_it_ended(rng):
    X, y = two_classes(rng)
    settings = {"learning_rate": 0.3, "num_leaves": 7}
    whole = BoostedTreesClassifier(n_estimators=8, **settings).fit(X, y)
    half = BoostedTreesClassifier(n_estimators=4, **settings).fit(X, y)
    margin = half.decision_function(X)
    rest = BoostedTreesClassifier(n_estimators=4, **settings).fit(X, y, base_margin=margin)
    np.testing.assert_allclose(
        rest.decision_function(X, base_margin=margin), whole.decision_function(X), rtol=1e-9
    )
    last = list(rest.staged_predict_proba(X, base_margin=margin))[-1]
    np.testing.assert_allclose(last, whole.predict_proba(X), rtol=1e-9)


def test_margins_belong_to_rows_of_evaluation_sets(rng):
    X, y = few_values(rng)
    margin = X[:, 0]
    model = BoostedTreesRegressor(n_estimators=3)
    model.fit(X, y, base_margin=margin, eval_set=[(X, y)], base_margin_eval_set=[margin])
    error = np.mean((y - model.predict(X, base_margin=margin)) ** 2) / 2
    assert model.evals_result_["validation_0"]["loss"][-1] == pytest.approx(error)


# ---- Evaluation sets, and when to stop -----------------------------------------------------------


def test_early_stopping_keeps_the_best_round(rng):
    X, y = two_classes(rng, 900)
    model = BoostedTreesClassifier(
        n_estimators=300, eval_metric=["auc", "logloss"], early_stopping_rounds=7, random_state=0
    )
    model.fit(X[:500], y[:500], eval_set=[(X[:500], y[:500]), (X[500:], y[500:])])
    values = model.evals_result_["validation_1"]["logloss"]
    assert model.n_iter_ == len(values) < 300
    assert model.best_iteration_ == int(np.argmin(values)) + 1 == model.n_iter_ - 7
    assert model.best_score_ == min(values)
    predictions = model.predict_proba(X[500:])
    assert log_loss(y[500:], predictions) == pytest.approx(model.best_score_)
    later = model.predict_proba(X[500:], iteration_range=(0, model.n_iter_))
    assert log_loss(y[500:], later) == pytest.approx(values[-1])
    auc = model.evals_result_["validation_0"]["auc"][-1]
    fractions = model.predict_proba(X[:500], iteration_range=(0, model.n_iter_))[:, 1]
    assert auc == pytest.approx(roc_auc_score(y[:500], fractions))


@pytest.mark.parametrize("layout", [np.array, pd.DataFrame, sparse.csr_matrix])
@pytest.mark.parametrize("is_copy", [False, True])
def test_training_set_is_scored_and_does_not_decide(layout, is_copy, rng):
    """As in LightGBM: its values improve for as long as there are rounds."""
    X, y = two_classes(rng, 600)
    X[::7, 1] = np.nan if layout is not sparse.csr_matrix else 0.0
    train, valid = (layout(X[:300]), y[:300]), (layout(X[300:]), y[300:])
    same = (train[0].copy(), list(train[1])) if is_copy else train
    settings = {"n_estimators": 200, "early_stopping_rounds": 5, "random_state": 0}
    expected = BoostedTreesClassifier(**settings).fit(*train, eval_set=[same, valid])
    model = BoostedTreesClassifier(**settings).fit(*train, eval_set=[valid, same])
    assert model.n_iter_ == expected.n_iter_ == model.best_iteration_ + 5 < 200
    values = model.evals_result_
    assert model.best_score_ == expected.best_score_ == min(values["validation_0"]["loss"])
    assert values["validation_1"] == expected.evals_result_["validation_0"]


def test_training_set_alone_stops_nothing_and_warns(rng):
    X, y = two_classes(rng, 60)
    model = BoostedTreesClassifier(n_estimators=8, eval_metric="auc", early_stopping_rounds=2)
    with pytest.warns(UserWarning, match="early_stopping_rounds=2 has no effect, because the only"):
        model.fit(X, y, eval_set=[(X, y)])
    assert model.n_iter_ == model.best_iteration_ == 8
    assert len(model.evals_result_["validation_0"]["auc"]) == 8


def test_other_labels_or_rows_make_another_set(rng):
    X, y = few_values(rng, 60)
    for other in [(X, y + 1), (X + 1, y), (X[:-1], y[:-1])]:
        model = BoostedTreesRegressor(n_estimators=4, early_stopping_rounds=2)
        assert model.fit(X, y, eval_set=[other]).n_iter_ <= 4


def test_ranges_of_rounds_add_up(rng):
    X, y = few_values(rng)
    model = BoostedTreesRegressor(n_estimators=9).fit(X, y)
    start = model.predict(X, iteration_range=(0, 0))
    parts = [model.predict(X, iteration_range=part) - start for part in [(0, 4), (4, 9)]]
    np.testing.assert_allclose(start + sum(parts), model.predict(X), rtol=1e-12)
    np.testing.assert_array_equal(start, math.fsum(y) / len(y))


@pytest.mark.parametrize("metric", ["loss", "neg_mean_squared_error", "rmse", "scorer"])
def test_any_metric_decides(metric, rng):
    X, y = few_values(rng)
    pinball = make_scorer(mean_pinball_loss, greater_is_better=False)
    eval_metric = pinball if metric == "scorer" else metric
    model = BoostedTreesRegressor(early_stopping_rounds=4, eval_metric=eval_metric, random_state=0)
    model.fit(X[:300], y[:300], X_val=X[300:], y_val=y[300:])
    (values,) = model.evals_result_["validation_0"].values()
    best = np.argmin(values) if metric in ("loss", "rmse") else np.argmax(values)
    assert model.best_iteration_ == best + 1


@pytest.mark.parametrize("split", [0.25, TimeSeriesSplit(3), GroupKFold(4)])
def test_held_out_rows_come_from_the_split(split, rng):
    X, y = few_values(rng, 400)
    groups = None if isinstance(split, TimeSeriesSplit) else np.repeat(np.arange(40), 10)
    model = BoostedTreesRegressor(early_stopping_rounds=3, validation_split=split, random_state=0)
    model.fit(X, y, groups=groups)
    assert model.n_iter_ < 100
    rows, sets = model._hold_out(model._read_training(X, y, None, None, goes_on=True), {}, groups)
    held_out = sets["validation_0"]
    assert len(rows.X) + len(held_out.X) == 400
    if groups is None:
        np.testing.assert_array_equal(held_out.X, X[300:])
    else:
        position = {row.tobytes(): group for row, group in zip(X, groups, strict=True)}
        kept = {position[row.tobytes()] for row in rows.X}
        assert kept.isdisjoint(position[row.tobytes()] for row in held_out.X)


# ---- Going on ------------------------------------------------------------------------------------


def test_warm_start_and_init_model_continue_where_they_stopped(rng):
    X, y = few_values(rng)
    at_once = BoostedTreesRegressor(n_estimators=12).fit(X, y)
    first = BoostedTreesRegressor(n_estimators=5, warm_start=True).fit(X, y)
    second = BoostedTreesRegressor(n_estimators=7).fit(X, y, init_model=first)
    first.set_params(n_estimators=12).fit(X, y)
    for model in (first, second):
        assert model.n_iter_ == 12
        np.testing.assert_allclose(model.predict(X), at_once.predict(X), rtol=1e-12)
    with pytest.raises(ValueError, match="'n_estimators' must be at least 12 with warm_start"):
        first.set_params(n_estimators=3).fit(X, y)
    with pytest.raises(TypeError, match="init_model must be a fitted BoostedTreesRegressor"):
        second.fit(X, y, init_model="the first one")


def test_categories_mean_the_same_when_training_goes_on(rng):
    colours = pd.Categorical(rng.choice(list("abcd"), 300))
    X = pd.DataFrame({"colour": colours, "size": rng.normal(size=300)})
    y = (colours == "c") * 2.0 + X["size"]
    first = BoostedTreesRegressor(n_estimators=20).fit(X, y)
    some = X.iloc[np.flatnonzero(colours != "a")]
    second = BoostedTreesRegressor(n_estimators=1).fit(some, y[some.index], init_model=first)
    np.testing.assert_allclose(second.predict(X), first.predict(X), atol=0.3)


def test_interrupt_keeps_the_rounds_if_requested(rng):
    X = rng.normal(size=(20_000, 10))
    y = X[:, 0] + rng.normal(size=20_000)
    model = BoostedTreesRegressor(n_estimators=1_000_000, on_interrupt="keep")

    def interrupt():
        while not (hasattr(model, "_booster") and model._booster.rounds):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    with pytest.warns(UserWarning, match="rounds that are done are kept"):
        model.fit(X, y)
    sender.join()
    assert model.best_iteration_ == model.n_iter_ >= 1
    assert model.score(X, y) > 0


@pytest.mark.parametrize("drop_rate", [0.0, 0.5])
def test_kept_rounds_are_those_of_a_fit_that_ends_there(rng, drop_rate):
    """Issue 17, item 5: wherever Ctrl-C comes, trees and results are of the same rounds."""
    X, y = few_values(rng)
    settings = {"drop_rate": drop_rate, "random_state": 0, "min_child_samples": 1}

    def fit(n_rounds, **more):
        model = BoostedTreesRegressor(n_estimators=n_rounds, **settings, **more)
        return model, lambda: model.fit(X, y, eval_set=[(X[:50], y[:50])])

    _, run = fit(4)
    n_calls = count_calls(run)
    numbers = set()
    for position in range(n_calls // 3, n_calls, 7):
        model, run = fit(4, on_interrupt="keep")
        before = dict(vars(model))
        try:
            with warnings.catch_warnings(record=True) as caught, interrupt_after(position):
                warnings.simplefilter("always")
                run()
        except KeyboardInterrupt:
            assert vars(model) == before
            continue
        assert model.interrupted_
        assert "rounds that are done are kept" in str(caught[0].message)
        ended, run = fit(model.n_iter_)
        np.testing.assert_array_equal(model.predict(X), run().predict(X))
        assert not ended.interrupted_
        assert model.evals_result_ == ended.evals_result_
        assert model.best_iteration_ == model.n_iter_
        numbers.add(model.n_iter_)
    assert numbers >= {1, 2, 3}


def test_interrupt_ends_fit_by_default(rng, monkeypatch):
    X, y = few_values(rng)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nonet.boosting.gradient.stage.Stage.add_round", interrupted)
    with pytest.raises(KeyboardInterrupt):
        BoostedTreesRegressor().fit(X, y)
