"""Tests of prepared columns: what is chosen, and that no target leaks into the rows that score."""

import io

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold

import nonet
from nonet import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto import fold_preparation, searched_ensemble
from nonet.auto.configuration import Configuration, read_portfolio
from nonet.auto.fold_task import AutoData, predict_rows, run_fold_task
from nonet.auto.pace import Pace, TaskSize
from nonet.auto.preparation import PREPARATIONS, FitRows, prepare

SHAPE = {"n_estimators": 60, "learning_rate": 0.1, "num_leaves": 15}
PREPARED = Configuration("prepared", "boosted_trees", SHAPE, prep="all")
PORTFOLIO = [
    Configuration("plain", "boosted_trees", SHAPE),
    PREPARED,
    Configuration("line", "linear", prep="all"),
]
SETTINGS = {"time_limit": None, "random_state": 0, "cv": 3}


def make_data(y, X, categorical, n_classes=0, n_folds=3, **others):
    folds = tuple(KFold(n_folds, shuffle=True, random_state=0).split(X))
    return AutoData(X, y, np.array(categorical), n_classes, folds, None, 0, **others)


def make_ratios(n_rows=600, seed=0):
    """Return a ratio of two columns to find, and how it differs between pairs of groups."""
    rng = np.random.default_rng(seed)
    numbers = rng.uniform(1, 9, size=(n_rows, 3))
    groups = rng.integers(0, 6, size=(n_rows, 2))
    y = numbers[:, 0] / numbers[:, 1] + rng.normal(size=(6, 6))[groups[:, 0], groups[:, 1]]
    return np.column_stack([numbers, groups]), y + 0.1 * rng.normal(size=n_rows)


IS_CATEGORY = [False, False, False, True, True]


# ---- No leak -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_targets_of_held_out_rows_change_no_prepared_column(n_classes):
    X, values = make_ratios()
    y = (
        np.digitize(values, np.quantile(values, [0.4, 0.7][: n_classes - 1]))
        if n_classes
        else values
    )
    data = make_data(y, X, IS_CATEGORY, n_classes)
    test = data.folds[1][1]
    other = y.copy()
    other[test] = np.random.default_rng(1).permutation(y[test])
    permuted = make_data(other, X, IS_CATEGORY, n_classes)
    one, two = (each.preparation_of(1, "all") for each in (data, permuted))
    assert one.columns.n_features > 0
    np.testing.assert_array_equal(one.X, two.X)


def test_held_out_rows_are_prepared_as_new_rows_are():
    X, y = make_ratios()
    data = make_data(y, X, IS_CATEGORY)
    test = data.folds[0][1]
    np.testing.assert_array_equal(data.rows_of(0, test, "all"), data.new_rows_of(0, X[test], "all"))


def test_target_of_a_fitted_row_takes_no_part_in_its_own_encodings():
    X, y = make_ratios()
    rows = FitRows(X, np.arange(5), y, np.array(IS_CATEGORY), 0, None, seed=0)
    columns = prepare(rows, ["encodings"], 5)
    assert columns.encodings
    other = y.copy()
    other[7] = 1e6
    changed = FitRows(X, np.arange(5), other, np.array(IS_CATEGORY), 0, None, seed=0)
    np.testing.assert_array_equal(
        columns.compute_fitted(rows)[7], columns.compute_fitted(changed)[7]
    )


def test_noise_is_not_predicted_from_a_thousand_pairs_of_levels():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, [40, 25], size=(3000, 2))
    X = np.column_stack([groups, rng.normal(size=(3000, 2))])
    y = rng.integers(0, 2, 3000)
    data = make_data(y, X, [True, True, False, False], 2)
    scores = []
    for fold, (_, test) in enumerate(data.folds):
        assert data.preparation_of(fold, "all").columns.encodings
        model = run_fold_task(PREPARED, fold, data).model
        predicted = predict_rows(model, data.rows_of(fold, test, "all"))[:, 1]
        scores.append(roc_auc_score(y[test], predicted))
    # The standard error of an area of 3,000 rows is 0.0105.
    assert np.mean(scores) < 0.5 + 3 * 0.0105


# ---- What is chosen ----------------------------------------------------------------------------


def test_ratio_and_pair_of_groups_that_make_the_target_are_found():
    X, y = make_ratios(2000)
    rows = FitRows(X, np.arange(5), y, np.array(IS_CATEGORY), 0, None, seed=0)
    columns = prepare(rows, PREPARATIONS["all"], 3)
    assert {"a / b", "b / a"} & {*columns.arithmetic.names("abcde")}
    assert [sorted(one.levels.columns) for one in columns.encodings] == [[3, 4]]


def test_prepared_booster_is_better_where_a_ratio_makes_the_target():
    X, y = make_ratios(1500)
    data = make_data(y, X, IS_CATEGORY)
    losses = [run_fold_task(one, 0, data).losses.sum(axis=1).min() for one in PORTFOLIO[:2]]
    assert losses[1] < 0.8 * losses[0]


@pytest.mark.parametrize("task", ["regression", "classification"])
@pytest.mark.parametrize("prep", PREPARATIONS)
def test_weights_missing_values_and_few_rows_are_taken(task, prep):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 4))
    X[rng.random(X.shape) < 0.3] = np.nan
    X[:, 3] = np.nan
    y = np.array([0] * 23 + [1]) if task == "classification" else rng.normal(size=24)
    n_classes = 2 if task == "classification" else 0
    weights = rng.uniform(size=24)
    rows = FitRows(X, np.arange(4), y, np.zeros(4, bool), n_classes, weights, 0)
    columns = prepare(rows, PREPARATIONS[prep], 5)
    assert (
        columns.compute(X).shape == columns.compute_fitted(rows).shape == (24, columns.n_features)
    )


def test_sample_of_a_large_fit_chooses_and_all_rows_are_learned_from(monkeypatch):
    monkeypatch.setattr("nonet.auto.preparation._MAX_ROWS", 300)
    X, y = make_ratios(900)
    rows = FitRows(X, np.arange(5), y, np.array(IS_CATEGORY), 0, None, seed=0)
    columns = prepare(rows, ["encodings"], 3)
    again = columns.learn_again(rows)
    np.testing.assert_array_equal(columns.compute(X), again.compute(X))


def test_memory_bounds_the_number_of_columns(monkeypatch):
    X, y = make_ratios(100)
    data = make_data(y, X, IS_CATEGORY)
    assert fold_preparation.max_prepared(data) == fold_preparation._MAX_COLUMNS
    monkeypatch.setattr(fold_preparation, "_MAX_CELLS", 100 * 3 * (5 + 6))
    assert fold_preparation.max_prepared(data) == 6
    monkeypatch.setattr(fold_preparation, "_MAX_CELLS", 100 * 3 * (5 + 3))
    assert data.preparation_of(0, "all").columns.n_features == 0


def test_time_of_a_prepared_task_counts_its_columns():
    plain = Pace(TaskSize(5000, 10, 1, 5, n_prepared=30))._cost_of(PORTFOLIO[0]).estimate
    assert Pace(TaskSize(5000, 10, 1, 5, n_prepared=30))._cost_of(PREPARED).estimate > 1.5 * plain


def test_portfolio_names_known_preparations():
    entries = [*read_portfolio("regression"), *read_portfolio("classification")]
    assert {one.prep for one in entries} <= {"none", *PREPARATIONS}
    assert any(one.prep == "none" for one in entries[:1])


def test_unknown_preparation_is_one_sentence():
    X, y = make_ratios(60)
    with pytest.raises(ValueError, match="preparation 'everything' is not known"):
        make_data(y, X, IS_CATEGORY).preparation_of(0, "everything")


# ---- In a run ----------------------------------------------------------------------------------


@pytest.fixture
def prepared_portfolio(monkeypatch):
    monkeypatch.setattr(searched_ensemble, "read_portfolio", lambda task: PORTFOLIO)


def make_frame(n_rows=400):
    X, y = make_ratios(n_rows)
    frame = pd.DataFrame(X, columns=[*"abcde"])
    frame["d"], frame["e"] = (frame[name].map(lambda code: f"level {code:g}") for name in "de")
    frame["story"] = [f"some house number {i} in road {i % 7}" for i in range(n_rows)]
    return frame, y


@pytest.mark.usefixtures("prepared_portfolio")
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_run_blends_prepared_members_and_predicts_any_rows(n_jobs):
    frame, y = make_frame()
    model = AutoEnsembleRegressor(**SETTINGS, n_jobs=n_jobs).fit(frame, y)
    assert len(model.preparations_) == 3
    assert "prepared" in [member.name for member in model.ensemble_.members_]
    frame.loc[0, "a"], frame.loc[1, "d"], frame.loc[2, "b"] = np.nan, "unseen", 0.0
    together = model.predict(frame)
    assert np.isfinite(together).all()
    for row in range(3):
        # The product of a line and one row may be summed in another order.
        assert model.predict(frame.iloc[[row]])[0] == pytest.approx(together[row], rel=1e-12)


@pytest.mark.usefixtures("prepared_portfolio")
def test_run_is_equal_for_any_number_of_threads_and_after_a_file():
    frame, y = make_frame()
    one, two = (
        AutoEnsembleClassifier(**SETTINGS, n_jobs=n_jobs).fit(frame, y > np.median(y))
        for n_jobs in (1, 3)
    )
    assert one.preparations_
    np.testing.assert_array_equal(one.predict_proba(frame), two.predict_proba(frame))
    file = io.BytesIO()
    nonet.save(one, file)
    file.seek(0)
    np.testing.assert_array_equal(nonet.load(file).predict_proba(frame), one.predict_proba(frame))


@pytest.mark.usefixtures("prepared_portfolio")
def test_resumed_run_has_the_bits_of_one_that_was_not_interrupted(tmp_path):
    frame, y = make_frame()
    frame["target"] = y
    nonet.fit_table(frame, "target", **SETTINGS, folder=tmp_path / "run", max_tasks=6)
    resumed = nonet.resume(tmp_path / "run", max_tasks=9)
    whole = nonet.fit_table(frame, "target", **SETTINGS, max_tasks=9)
    assert resumed.model.preparations_
    np.testing.assert_array_equal(resumed.predict(frame), whole.predict(frame))
    assert resumed.honest_score == whole.honest_score


@pytest.mark.usefixtures("prepared_portfolio")
def test_table_that_is_too_large_runs_without_prepared_columns(monkeypatch):
    monkeypatch.setattr(fold_preparation, "_MAX_CELLS", 1000)
    X, y = make_ratios(90)
    model = AutoEnsembleRegressor(**SETTINGS).fit(X, y)
    # The booster with these columns would repeat the one without; the line is there but once.
    assert {row.name for row in model.leaderboard_.rows} == {"ensemble", "plain", "line"}
    assert model.preparations_ == []


@pytest.mark.usefixtures("prepared_portfolio")
def test_table_without_anything_to_prepare_repeats_no_member():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 90) * 1.0])
    model = AutoEnsembleRegressor(**SETTINGS).fit(X, X[:, 0] + rng.normal(size=90))
    reasons = {row.name: row.rows for row in model.leaderboard_.rows}
    assert reasons["prepared"] == "not run: no prepared columns were found"
    assert reasons["line"].startswith("90 held-out rows")
