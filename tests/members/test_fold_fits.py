"""Members on folds with shared bins: against fits alone, and the same for any number of jobs."""

from __future__ import annotations

import _thread

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict

from nonet import (
    BlendingRegressor,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
    StackingClassifier,
    honest_score,
    limit_threads,
    make_ledger,
)
from nonet._native.data import BinnedDataset
from nonet.boosting.gradient import newton_stage

RANDOM = np.random.default_rng(8)
FEW = RANDOM.integers(0, 12, size=(200, 4)).astype(float)  # fewer values than bins: edges are equal
FEW[::9, 1] = np.nan
MANY = RANDOM.normal(size=(300, 3))
Y = np.nan_to_num(FEW[:, 0] * FEW[:, 1]) + RANDOM.normal(size=200)
Y_MANY = MANY[:, 0] * MANY[:, 1]
FOLDS = KFold(5)

MEMBERS = [
    ("histogram", HistGradientBoostingRegressor(max_iter=8)),
    ("stops", BoostedTreesRegressor(n_estimators=30, early_stopping_rounds=3, random_state=0)),
    ("bags", BoostedTreesRegressor(n_estimators=6, n_bags=2, random_state=0)),
    ("forest", RandomForestRegressor(4, random_state=0)),
    ("linear", LinearRegression()),
]
COMPLETE = np.nan_to_num(FEW)


def test_equal_edges_give_the_bits_of_fits_alone():
    ledger = make_ledger(MEMBERS, COMPLETE, Y, cv=FOLDS)
    for position, (_, model) in enumerate(MEMBERS):
        alone = cross_val_predict(model, COMPLETE, Y, cv=FOLDS)
        np.testing.assert_array_equal(ledger.outputs[:, position], alone)


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_a_ledger_has_the_same_bits_for_any_number_of_jobs(n_jobs):
    expected = make_ledger(MEMBERS, MANY, Y_MANY, cv=FOLDS)
    found = make_ledger(MEMBERS, MANY, Y_MANY, cv=FOLDS, n_jobs=n_jobs)
    np.testing.assert_array_equal(found.outputs, expected.outputs)


def test_a_ledger_has_the_same_bits_for_any_number_of_threads():
    expected = make_ledger(MEMBERS, MANY, Y_MANY, cv=FOLDS)
    with limit_threads(1):
        found = make_ledger(MEMBERS, MANY, Y_MANY, cv=FOLDS)
    np.testing.assert_array_equal(found.outputs, expected.outputs)


def test_targets_of_held_out_rows_change_nothing():
    train, held_out = np.arange(200), np.arange(200, 300)
    moved = Y_MANY.copy()
    moved[held_out] = RANDOM.permutation(moved[held_out])
    before, after = (
        make_ledger(MEMBERS[:4], MANY, y, cv=[(train, held_out)]).outputs[held_out]
        for y in (Y_MANY, moved)
    )
    np.testing.assert_array_equal(before, after)


def test_edges_of_a_fold_are_those_of_all_rows(monkeypatch):
    used = []
    start = newton_stage.NewtonStage.__init__

    def note(self, loss, rows, dataset, *others, **named):
        used.append(dataset)
        start(self, loss, rows, dataset, *others, **named)

    monkeypatch.setattr(newton_stage.NewtonStage, "__init__", note)
    weights = RANDOM.integers(1, 4, size=300).astype(float)
    make_ledger(MEMBERS[:3], MANY, Y_MANY, cv=FOLDS, sample_weight=weights)
    whole = BinnedDataset(MANY, weights=weights)
    assert len(used) == 5 + 5 + 5 * 2
    for dataset in used:
        assert dataset.n_rows < 300
        np.testing.assert_array_equal(dataset.edges(2), whole.edges(2))


def test_integer_weights_mean_repetition():
    weights = RANDOM.integers(0, 3, size=200)
    rows = np.repeat(np.arange(200), weights)
    halves = np.arange(200) % 2 == 0
    model = [("histogram", HistGradientBoostingRegressor(max_iter=6, min_samples_leaf=1))]
    cv = [(np.flatnonzero(halves), np.flatnonzero(~halves))]
    repeated = [(np.flatnonzero(halves[rows]), np.flatnonzero(~halves[rows]))]
    weighted = make_ledger(model, FEW, Y, cv=cv, sample_weight=weights.astype(float)).outputs
    found = make_ledger(model, FEW[rows], Y[rows], cv=repeated).outputs
    np.testing.assert_allclose(found[repeated[0][1]], weighted[rows[repeated[0][1]]])


def test_groups_and_frames_with_categories():
    frame = pd.DataFrame(FEW, columns=list("abcd"))
    frame["d"] = pd.Categorical(np.array(["x", "y", "z"])[(FEW[:, 3] % 3).astype(int)])
    groups = np.arange(200) // 10
    labels = np.where(np.arange(200) % 3 > 0, "high", "low")
    models = [("boosting", HistGradientBoostingClassifier(max_iter=6))]
    cv = GroupKFold(4)
    found = make_ledger(models, frame, labels, cv=cv, groups=groups, n_jobs=2)
    alone = cross_val_predict(
        models[0][1], frame, labels, cv=cv, groups=groups, method="predict_proba"
    )
    np.testing.assert_array_equal(found.outputs[:, 0], alone)


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_stacks_and_honest_scores_are_the_same_for_any_number_of_jobs(n_jobs):
    labels = Y_MANY > 0
    models = [
        ("boosting", BoostedTreesClassifier(n_estimators=8, random_state=0)),
        ("linear", LogisticRegression()),
    ]
    stack = StackingClassifier(models, cv=3)
    expected = clone(stack).fit(MANY, labels)
    found = clone(stack).set_params(n_jobs=n_jobs).fit(MANY, labels)
    np.testing.assert_array_equal(found.predict_proba(MANY), expected.predict_proba(MANY))
    blend = BlendingRegressor(MEMBERS[:1] + MEMBERS[-1:], cv=3)
    scores = [
        honest_score(blend, MANY, Y_MANY, cv=3, n_jobs=jobs).fold_scores for jobs in (None, n_jobs)
    ]
    np.testing.assert_array_equal(*scores)


def test_thresholds_tuned_on_folds_have_the_same_bits_for_any_number_of_threads():
    labels = Y_MANY > 0
    model = HistGradientBoostingClassifier(max_iter=8, decide="tuned_threshold")
    together = clone(model).fit(MANY, labels)
    with limit_threads(1):
        alone = clone(model).fit(MANY, labels)
    assert together.decide_.rule.threshold_ == alone.decide_.rule.threshold_


def test_an_error_names_the_member():
    broken = [("fine", HistGradientBoostingRegressor()), ("bad", BoostedTreesRegressor(gamma=-1))]
    with pytest.raises(ValueError, match="'bad'"):
        make_ledger(broken, MANY, Y_MANY, cv=FOLDS, n_jobs=2)


def test_an_interrupt_ends_the_fits_of_a_ledger():
    n_rounds = []

    class Interrupted(BoostedTreesRegressor):
        def _make_stage(self, *given):
            stage = super()._make_stage(*given)
            grow = stage.add_round

            def add_round(number):
                n_rounds.append(number)
                if len(n_rounds) == 10:
                    _thread.interrupt_main()
                return grow(number)

            stage.add_round = add_round
            return stage

    model = Interrupted(n_estimators=20_000, num_leaves=4, preset="fast")
    with pytest.raises(KeyboardInterrupt):
        make_ledger([("long", model)], MANY, Y_MANY, cv=FOLDS, n_jobs=2)
    assert len(n_rounds) < 20_000
