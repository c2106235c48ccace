"""Cross-validated rounds: against fits on the rows of each fold, and what the result promises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, TimeSeriesSplit

import nonet
from nonet import (
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    boost_cv,
)
from nonet._native.data import BinnedDataset
from nonet.boosting.gradient.analysis.binned_scores import staged_binned_scores
from trees.sparse_forms import SPARSE

RANDOM = np.random.default_rng(3)
X = RANDOM.integers(0, 12, size=(240, 4)).astype(float)  # fewer values than bins: bins are exact
Y = X[:, 0] + 3 * (X[:, 1] > 5) + RANDOM.normal(size=240)
LABELS = np.where(Y > 7, "high", "low")
FOLDS = KFold(4, shuffle=True, random_state=0)


def regressor(**settings):
    return HistGradientBoostingRegressor(max_iter=15, max_leaf_nodes=6, **settings)


def naive_curve(model, train, held_out, score):
    model.fit(X[train], Y[train])
    return [score(Y[held_out], predictions) for predictions in model.staged_predict(X[held_out])]


def half_squares(y, predictions):
    return -np.mean((y - predictions) ** 2) / 2


@pytest.mark.parametrize(
    "model",
    [
        regressor(),
        regressor(early_stopping=True),
        BoostedTreesRegressor(n_estimators=15, early_stopping_rounds=2),
        GradientBoostingRegressor(n_estimators=15),
    ],
    ids=["histogram", "never stops early", "boosted trees", "classic"],
)
def test_curves_against_naive_fits_on_the_rows_of_each_fold(model):
    found = boost_cv(model, X, Y, cv=FOLDS, scoring="neg_mean_squared_error")
    splits = sorted(FOLDS.split(X), key=lambda fold: fold[1][0])
    plain = model.__class__(**model.get_params())
    for name, never in (("early_stopping", False), ("early_stopping_rounds", None)):
        if name in plain.get_params():
            plain.set_params(**{name: never})
    expected = [naive_curve(plain, *fold, lambda y, a: -np.mean((y - a) ** 2)) for fold in splits]
    np.testing.assert_allclose(np.sort(found.fold_scores, 0), np.sort(expected, 0), rtol=1e-9)


def test_the_loss_of_the_model_is_scored_unless_a_scorer_is_given():
    losses = boost_cv(regressor(), X, Y, cv=FOLDS)
    squares = boost_cv(regressor(), X, Y, cv=FOLDS, scoring="neg_mean_squared_error")
    np.testing.assert_allclose(losses.fold_scores * 2, squares.fold_scores)
    assert losses.scoring == "minus the loss"


def test_folds_share_the_edges_of_all_rows(monkeypatch):
    used = []
    own_bins = HistGradientBoostingRegressor._bin

    def note_bins(self, *data):
        used.append(own_bins(self, *data))
        return used[-1]

    monkeypatch.setattr(HistGradientBoostingRegressor, "_bin", note_bins)
    table = RANDOM.normal(size=(400, 2))
    weights = RANDOM.integers(1, 4, size=400).astype(float)
    boost_cv(regressor(), table, table[:, 0], cv=FOLDS, sample_weight=weights)
    whole = BinnedDataset(table, weights=weights)
    assert sorted(dataset.n_rows for dataset in used) == [100] * 4 + [300] * 4
    for dataset in used:
        np.testing.assert_array_equal(dataset.edges(0), whole.edges(0))


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_any_number_of_folds_at_a_time_is_deterministic(n_jobs):
    table = RANDOM.normal(size=(400, 3))
    expected = boost_cv(regressor(), table, table[:, 0], cv=FOLDS)
    found = boost_cv(regressor(), table, table[:, 0], cv=FOLDS, n_jobs=n_jobs)
    np.testing.assert_array_equal(found.fold_scores, expected.fold_scores)
    np.testing.assert_array_equal(found.predictions, expected.predictions)


def test_targets_of_held_out_rows_do_not_change_the_boosters():
    table = RANDOM.normal(size=(400, 3))
    cv = [(np.arange(250), np.arange(250, 400))]
    y = table[:, 0].copy()
    before = boost_cv(HistGradientBoostingRegressor(max_iter=1), table, y, cv=cv).predictions
    y[250:] = RANDOM.permutation(y[250:])
    after = boost_cv(HistGradientBoostingRegressor(max_iter=1), table, y, cv=cv).predictions
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("strategy", ["one_output_per_tree", "multi_output_tree"])
def test_scores_of_binned_rows_against_staged_predictions(strategy):
    table = RANDOM.normal(size=(400, 3))
    table[::6, 1] = np.nan
    y = np.digitize(table[:, 0] + table[:, 2], [-0.5, 0.5])
    model = BoostedTreesClassifier(n_estimators=6, multi_strategy=strategy, random_state=0)
    model.fit(table, y)
    rows = RANDOM.normal(size=(100, 3))
    rows[::4] = np.nan
    dataset = BinnedDataset(rows, reference=BinnedDataset(table))
    binned = staged_binned_scores(model._booster, rows, dataset)
    for found, expected in zip(binned, model._booster.staged_scores(rows), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_balanced_weights_are_those_of_each_fold():
    labels = np.where(np.arange(240) < 60, "rare", "common")
    train, held_out = np.arange(40, 200), np.r_[:40, 200:240]
    model = HistGradientBoostingClassifier(max_iter=4, class_weight="balanced")
    found = boost_cv(model, X, labels, cv=[(train, held_out)], scoring="neg_log_loss")
    alone = model.fit(X[train], labels[train])
    expected = [
        -log_loss(labels[held_out], p, labels=alone.classes_)
        for p in alone.staged_predict_proba(X[held_out])
    ]
    np.testing.assert_allclose(found.fold_scores[0], expected)


def test_predictions_are_those_of_the_booster_that_held_the_row_out():
    found = boost_cv(regressor(), X, Y, cv=FOLDS)
    for train, held_out in FOLDS.split(X):
        model = HistGradientBoostingRegressor(max_iter=found.best_round, max_leaf_nodes=6)
        model.fit(X[train], Y[train])
        np.testing.assert_allclose(found.predictions[held_out], model.predict(X[held_out]))


def test_classes_have_held_out_probabilities_and_any_scorer():
    model = HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=5)
    found = boost_cv(model, X, LABELS, cv=3, scoring="roc_auc")
    assert found.predictions.shape == (240, 2)
    np.testing.assert_allclose(found.predictions.sum(axis=1), 1)
    assert roc_auc_score(LABELS == "low", found.predictions[:, 1]) == pytest.approx(
        found.best_score, abs=0.03
    )


def test_three_classes_and_frames_with_categories():
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["d"] = pd.Categorical(np.array(["x", "y", "z"])[(X[:, 3] % 3).astype(int)])
    y = np.digitize(Y, [6, 9])
    found = boost_cv(HistGradientBoostingClassifier(max_iter=5), frame, y, cv=3, refit="best")
    assert found.predictions.shape == (240, 3)
    assert list(found.model.feature_names_in_) == list("abcd")


@pytest.mark.parametrize("layout", ["csr_matrix", "csc_array", "coo_matrix"])
@pytest.mark.parametrize("scoring", [None, "roc_auc"])
def test_sparse_rows_give_the_result_of_dense_ones(layout, scoring):
    model = BoostedTreesClassifier(n_estimators=12, num_leaves=6, random_state=0)
    table = X * (X > 6)
    settings = {"cv": FOLDS, "scoring": scoring, "refit": "best"}
    expected = boost_cv(model, table, LABELS, **settings)
    found = boost_cv(model, getattr(sparse, layout)(table), LABELS, **settings)
    np.testing.assert_allclose(found.fold_scores, expected.fold_scores)
    np.testing.assert_allclose(found.predictions, expected.predictions)
    np.testing.assert_array_equal(
        found.model.predict_proba(table), expected.model.predict_proba(table)
    )


@pytest.mark.parametrize(("change", "form"), SPARSE)
def test_odd_sparse_matrices_give_the_result_of_dense_rows(change, form):
    """With fewer values than bins, where edges of folds and of all rows are equal."""
    model = BoostedTreesClassifier(n_estimators=5, num_leaves=6, random_state=0)
    table = np.where(X > 6, X, 0)
    table[::17, 1] = np.nan
    expected = boost_cv(model, table, LABELS, cv=FOLDS)
    found = boost_cv(model, change(table, form), LABELS, cv=FOLDS)
    np.testing.assert_array_equal(found.predictions, expected.predictions)


def test_groups_stay_together():
    groups = np.repeat(np.arange(24), 10)
    shift = RANDOM.normal(size=24)[groups] * 5
    table = np.column_stack([groups, X[:, 0]]).astype(float)
    model = HistGradientBoostingRegressor(max_iter=30, min_samples_leaf=2)
    apart = boost_cv(model, table, shift, cv=GroupKFold(4), groups=groups)
    mixed = boost_cv(model, table, shift, cv=FOLDS)
    assert apart.best_score < 4 * mixed.best_score  # group numbers are not informative


def test_time_order_leaves_the_first_rows_without_a_prediction():
    found = boost_cv(regressor(), X, Y, cv=TimeSeriesSplit(3))
    assert np.isnan(found.predictions[:60]).all()
    assert np.isfinite(found.predictions[60:]).all()


def test_rows_held_out_twice_are_averaged():
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = boost_cv(regressor(), X, Y, cv=cv)
    assert found.fold_scores.shape == (6, 15)
    assert np.isfinite(found.predictions).all()


def test_weights_count_in_fitting_and_in_scoring():
    weights = RANDOM.integers(0, 3, size=240).astype(float)
    even, odd = np.arange(0, 240, 2), np.arange(1, 240, 2)
    cv = [(odd, even), (even, odd)]
    found = boost_cv(regressor(min_samples_leaf=1), X, Y, cv=cv, sample_weight=weights)
    for (train, held_out), scores in zip(cv, found.fold_scores, strict=True):
        model = regressor(min_samples_leaf=1).fit(X[train], Y[train], weights[train])
        predictions = model.predict(X[held_out])
        expected = -np.average((Y[held_out] - predictions) ** 2, weights=weights[held_out]) / 2
        assert scores[-1] == pytest.approx(expected)
    fractions = [weights[held_out].sum() for _, held_out in cv]
    np.testing.assert_allclose(found.fold_fractions, fractions / np.sum(fractions))


def test_too_many_rounds_are_found_out():
    table = RANDOM.normal(size=(200, 5))
    y = np.sign(table[:, 0]) + RANDOM.normal(size=200) * 2
    model = HistGradientBoostingRegressor(max_iter=120, learning_rate=0.3)
    found = boost_cv(model, table, y, refit="one_standard_error")
    assert found.one_standard_error_round <= found.best_round < 40
    assert found.model.n_iter_ == found.one_standard_error_round
    assert found.scores[-1] < found.best_score


def test_one_part_held_out_has_no_standard_error():
    found = boost_cv(regressor(), X, Y, cv=0.3)
    assert found.fold_scores.shape == (1, 15)
    assert 1 <= found.best_round <= 15
    with pytest.raises(ValueError, match="needs at least 2 folds"):
        found.one_standard_error_round  # noqa: B018
    assert len(found.plot().lines) == 3


def test_plot_has_folds_mean_and_choices():
    found = boost_cv(regressor(), X, Y, cv=FOLDS)
    ax = found.plot()
    assert len(ax.lines) == 4 + 1 + 2
    assert f"best: {found.best_round}" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_boost_cv_rejects_other_models():
    with pytest.raises(TypeError, match="takes nonet's gradient boosting, but got LinearRegr"):
        boost_cv(LinearRegression(), X, Y)


def test_boost_cv_rejects_rounds_that_later_ones_change():
    with pytest.raises(ValueError, match=r"drop_rate=0\.1 changes these later"):
        boost_cv(BoostedTreesRegressor(drop_rate=0.1), X, Y)


def test_boost_cv_rejects_another_refit():
    with pytest.raises(ValueError, match="'refit' must be None or one of 'best'"):
        boost_cv(regressor(), X, Y, refit="all")


def test_boost_cv_rejects_folds_without_a_class():
    ordered = np.sort(LABELS)
    with pytest.raises(ValueError, match="fold 0 trains without 'high'"):
        boost_cv(nonet.HistGradientBoostingClassifier(), X, ordered, cv=KFold(2))
