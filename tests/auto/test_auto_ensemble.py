"""Tests of the auto-ensembler on small tables."""

import io
import re
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import RepeatedKFold

import nonet
from nonet import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto import families, memory, search, searched_ensemble
from nonet.auto.blend import PRIOR_ROWS, find_blend
from nonet.auto.held_out import Page
from nonet.auto.memory_store import MemoryStore
from nonet.auto.metric import resolve_metric
from nonet.auto.prediction_cost import blend_within

IRIS = load_iris(return_X_y=True)
FEW = {"time_limit": None, "random_state": 0, "cv": 3}
CHEAP = ["extra_trees", "linear", "neighbors"]


def fit_iris(**settings):
    model = AutoEnsembleClassifier(**{**FEW, "families": CHEAP, "max_tasks": 9, **settings})
    return model.fit(*IRIS)


def test_results_are_a_function_of_data_and_seed_on_any_number_of_threads():
    one, two = fit_iris(n_jobs=1), fit_iris(n_jobs=2)
    np.testing.assert_array_equal(one.predict_proba(IRIS[0]), two.predict_proba(IRIS[0]))
    assert one.honest_score_ == two.honest_score_


def test_score_is_that_of_held_out_rows():
    model = fit_iris()
    seen = log_loss(IRIS[1], model.predict_proba(IRIS[0]))
    assert model.honest_score_.score > seen
    assert model.honest_score_.rows == "150 held-out rows of 3 folds"


def test_leaderboard_names_all_configurations_and_their_rows():
    board = fit_iris(max_tasks=4).leaderboard_
    by_name = {row.name: row for row in board.rows}
    weights = [row.weight for row in board.rows if row.name != "ensemble"]
    assert sum(weights) == pytest.approx(1)
    assert any("folds only" in row.rows for row in board.rows)
    assert any(row.rows.startswith("not run") for row in board.rows)
    assert by_name["ensemble"].rows.endswith("weights found without each fold")


def test_member_that_fails_is_recorded_and_skipped(monkeypatch):
    def broken(facts, params):
        return DummyClassifier(strategy="no such strategy")

    monkeypatch.setitem(families.FAMILIES, "linear", broken)
    model = fit_iris()
    failed = [row for row in model.leaderboard_.rows if row.rows.startswith("failed")]
    assert failed
    assert "strategy" in failed[0].rows
    assert all(row.weight == 0 for row in failed)


def test_nothing_but_failures_is_one_sentence(monkeypatch):
    def broken(facts, params):
        return DummyClassifier(strategy="no such strategy")

    monkeypatch.setitem(families.FAMILIES, "linear", broken)
    with pytest.raises(ValueError, match="no configuration could be fitted: the first one failed"):
        fit_iris(families=["linear"])


def test_interrupt_keeps_the_best_ensemble_so_far(monkeypatch):
    run_task, calls = search.run_fold_task, []

    def interrupted(*args):
        calls.append(args)
        if len(calls) > 6:
            raise KeyboardInterrupt
        return run_task(*args)

    monkeypatch.setattr(search, "run_fold_task", interrupted)
    with pytest.warns(UserWarning, match="the best ensemble so far is kept"):
        model = fit_iris(n_jobs=1)
    assert model.score(*IRIS) > 0.9


def test_progress_shows_what_ran_the_best_score_with_its_error_and_the_time_left(capsys):
    model = fit_iris(verbose=2, n_jobs=1, max_tasks=6, time_limit=100)
    lines = capsys.readouterr().err.splitlines()
    best = min(row.score for row in model.leaderboard_.rows if row.name != "ensemble")
    assert "best" not in lines[0]
    (name, score, error), *_ = re.findall(
        r"\((\w+), fold 3\).*best log_loss (.*), \+- (.*)", lines[2]
    )
    by_name = {row.name: row for row in model.leaderboard_.rows}
    assert float(score) == pytest.approx(by_name[name].score, rel=1e-4)
    assert float(error) == pytest.approx(by_name[name].standard_error, rel=1e-4)
    assert f"best log_loss {best:.6g}" in lines[-1]
    assert all(re.search(r"about [\d.]+ (s|ms) left", line) for line in lines[:5])


def test_tasks_have_their_peaks_of_memory():
    store = MemoryStore()
    AutoEnsembleClassifier(**FEW, families=CHEAP, max_tasks=4)._fit(*IRIS, None, None, store)
    assert all(1e7 < record.peak_bytes < 1e11 for record in store.records())
    assert store.facts["versions"]["nonet"]
    assert len(store.facts["data_hash"]) == len(store.facts["fold_hash"]) == 32


def test_clock_ends_the_search_and_the_leaderboard_says_so():
    X, y = load_breast_cancer(return_X_y=True)
    model = AutoEnsembleClassifier(time_limit=1e-3, random_state=0).fit(X, y)
    assert any("no time was left" in row.rows for row in model.leaderboard_.rows)
    assert np.isfinite(model.predict_proba(X)).all()


def test_configurations_that_need_too_much_memory_are_not_run():
    settings = {**FEW, "families": ["boosted_trees", "linear", "extra_trees"], "max_tasks": 9}
    model = AutoEnsembleClassifier(**settings, memory_limit="0.5 MB", n_jobs=1).fit(*IRIS)
    reasons = {row.name: row.rows for row in model.leaderboard_.rows if "memory limit" in row.rows}
    assert {"fast_15", "extra_trees_all"} <= set(reasons)
    assert all(
        re.search(r"it needs .* GB, and the memory limit is 0.0005 GB", why)
        for why in reasons.values()
    )
    assert {member.name for member in model.ensemble_.members_} <= {
        "splines",
        "splines_10",
        "splines_free",
    }


def test_memory_is_that_of_the_machine_under_a_clock_and_no_matter_without(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 1000)
    settings = {"families": ["linear", "random_forest"], "n_jobs": 1}
    free, limited = (
        {row.name: row.rows for row in fit_iris(**settings, time_limit=limit).leaderboard_.rows}
        for limit in (None, 600)
    )
    assert not any("memory limit" in rows for rows in free.values())
    assert limited["splines_10"].startswith("150 held-out rows")  # the first, whatever there is
    assert "memory limit" in limited["random_forest_all"]
    with pytest.raises(ValueError, match="memory limit is .* GB; give more time or memory"):
        fit_iris(memory_limit=1000)


def test_blend_beats_its_members_in_regression():
    X, y = load_diabetes(return_X_y=True)
    model = AutoEnsembleRegressor(**FEW, families=CHEAP).fit(X, y)
    rows = {row.name: row.score for row in model.leaderboard_.rows}
    assert rows["ensemble"] <= 1.02 * min(rows.values())
    assert 50 < model.honest_score_.score < 60


def test_model_file_predicts_the_same():
    frame = pd.DataFrame({"size": np.arange(60) % 7, "city": [*"abc"] * 20})
    y = np.where(frame["city"] == "a", "yes", "no")
    model = AutoEnsembleClassifier(**FEW, max_tasks=6).fit(frame, y)
    file = io.BytesIO()
    nonet.save(model, file)
    file.seek(0)
    loaded = nonet.load(file)
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert loaded.honest_score_ == model.honest_score_


def test_columns_are_found_by_name():
    frame = pd.DataFrame({"size": np.arange(60) % 7, "city": [*"abc"] * 20})
    y = np.where(frame["city"] == "a", "yes", "no")
    model = AutoEnsembleClassifier(**FEW, max_tasks=3).fit(frame, y)
    turned = frame.assign(extra=1)[["extra", "city", "size"]]
    np.testing.assert_array_equal(model.predict(turned), model.predict(frame))


def test_cost_matrix_changes_the_predictions():
    X, y = load_breast_cancer(return_X_y=True)
    costs = nonet.decide.MinimumCost([[0, 1], [50, 0]])
    careful = AutoEnsembleClassifier(**FEW, families=["linear"], decide=costs).fit(X, y)
    plain = AutoEnsembleClassifier(**FEW, families=["linear"]).fit(X, y)
    assert careful.predict(X).sum() != plain.predict(X).sum()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"families": ["boosting"]}, "families"),
        ({"time_limit": 0}, "time_limit"),
        ({"max_tasks": 0}, "max_tasks"),
        ({"metric": "rmse"}, "metric"),
        ({"kinds": ["size"]}, "kinds"),
        ({"memory_limit": "4 pounds"}, "memory_limit"),
    ],
)
def test_auto_ensemble_rejects_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        fit_iris(**settings)


def test_auto_ensemble_rejects_one_class_and_too_few_rows():
    X, y = IRIS
    with pytest.raises(ValueError, match="at least 2 classes"):
        AutoEnsembleClassifier(**FEW).fit(X[:50], y[:50])
    with pytest.raises(ValueError, match="at least 4 rows"):
        AutoEnsembleRegressor(**FEW).fit(X[:3], y[:3])


def test_column_that_decides_the_target_is_reported_and_kept():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    frame = pd.DataFrame({"noise": rng.standard_normal(300), "refund": y + 0.01 * rng.random(300)})
    model = AutoEnsembleClassifier(**FEW, families=["extra_trees"], max_tasks=3).fit(frame, y)
    assert any("refund" in sentence for sentence in model.warnings_)
    assert "refund" in model.feature_names_in_


def test_repeated_rows_are_kept_together():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 5)), rng.integers(0, 2, 60)
    settings = {**FEW, "cv": None, "families": ["extra_trees"], "max_tasks": 8}
    four_times = AutoEnsembleClassifier(**settings).fit(np.tile(X, (4, 1)), np.tile(y, 4))
    assert any("kept together" in sentence for sentence in four_times.warnings_)
    assert four_times.honest_score_.score > 0.6  # the labels are random


def test_probabilities_are_never_0_on_few_rows():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 40)), np.arange(60) % 4
    X[:, 0] = y
    model = AutoEnsembleClassifier(**FEW, families=["neighbors", "extra_trees"]).fit(X, y)
    probabilities = model.predict_proba(rng.standard_normal((500, 40)))
    assert probabilities.min() >= PRIOR_ROWS / 4 / 61 / 2
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


@pytest.mark.parametrize("metric", ["f1", "roc_auc", lambda model, X, y: np.nan])
def test_metric_that_cannot_score_is_refused_before_the_search(metric, monkeypatch):
    monkeypatch.setattr(search, "run_fold_task", lambda *args: pytest.fail("a task was run"))
    with pytest.raises(ValueError, match="metric"):
        fit_iris(metric=metric)


def test_rows_held_out_several_times_count_once():
    X, y = load_diabetes(return_X_y=True)
    settings = {"time_limit": None, "random_state": 0, "families": ["linear"]}
    errors = []
    for n_repeats in (1, 6):
        folds = RepeatedKFold(n_splits=3, n_repeats=n_repeats, random_state=0)
        model = AutoEnsembleRegressor(**settings, cv=folds, max_tasks=3 * n_repeats).fit(X, y)
        errors.append(model.honest_score_.standard_error)
    assert errors[1] > 0.8 * errors[0]


def test_partial_configuration_does_not_take_rows_from_the_score():
    few = fit_iris(max_tasks=5)
    assert few.honest_score_.rows == "150 held-out rows of 3 folds"


def stories(n_rows, seed=0):
    """Return a frame whose target depends on its text alone."""
    rng = np.random.default_rng(seed)
    good = rng.random(n_rows) < 0.5
    words = np.where(good, "a bright and sunny room", "some dark and humid cellar")
    story = [f"{word} of {rng.integers(9, 99)} feet, number {i}" for i, word in enumerate(words)]
    return pd.DataFrame({"story": story, "size": rng.normal(size=n_rows)}), good.astype(int)


@pytest.mark.parametrize("columns", [["story", "size"], ["story"]])
def test_text_is_learned_from(columns, tmp_path):
    frame, y = stories(240)
    model = AutoEnsembleClassifier(**FEW, families=["boosted_trees", "linear"], max_tasks=9)
    model.fit(frame[columns][:160], y[:160])
    assert model.honest_score_.score < 0.1
    unseen = frame[columns][160:]
    assert model.score(unseen, y[160:]) > 0.95
    nonet.save(model, tmp_path / "model.nonet")
    again = nonet.load(tmp_path / "model.nonet")
    np.testing.assert_array_equal(again.predict_proba(unseen), model.predict_proba(unseen))


def test_features_of_text_are_learned_without_the_fold():
    frame, y = stories(60)
    frame.loc[frame.index[-20:], "story"] += " zebra"
    folds = [(np.arange(40), np.arange(40, 60)), (np.arange(20, 60), np.arange(20))]
    settings = {**FEW, "cv": folds, "families": ["linear"], "max_tasks": 2}
    model = AutoEnsembleClassifier(**settings).fit(frame, y)
    known = ["zebra" in f.projections_["story"].terms[0].vocabulary_ for f in model.text_features_]
    assert sorted(known) == [False, True]  # a run puts its folds into the order of their rows


def test_bound_on_the_cost_of_predictions_leaves_configurations_out():
    costs = {"dear": 90.0, "fair": 40.0, "cheap": 5.0}
    names = list(costs)
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    errors = rng.normal(size=(200, 3)) * [0.5, 0.6, 0.9]
    outputs = (y[:, np.newaxis] + errors)[:, :, np.newaxis]
    page = Page(names, np.arange(200), np.arange(200) % 4, outputs, [0, 1, 2, 3])
    metric = resolve_metric(None, "regression", None)

    def names_within(limit):
        blend = blend_within(limit, costs, page, lambda page: find_blend(page, y, metric))
        return blend.names

    assert names_within(1000) == names
    assert names_within(50) == ["fair", "cheap"]
    assert names_within(42) == ["fair"]
    with pytest.warns(UserWarning, match=r"within max_us_per_row=1 .*'cheap', which takes 5"):
        assert names_within(1) == ["cheap"]


def test_max_us_per_row_bounds_the_ensemble():
    X, y = load_diabetes(return_X_y=True)
    settings = {**FEW, "families": ["extra_trees", "linear"], "max_tasks": 9}
    free = AutoEnsembleRegressor(**settings).fit(X, y)
    with pytest.warns(UserWarning, match="is used alone"):
        bounded = AutoEnsembleRegressor(**settings, max_us_per_row=1e-3).fit(X, y)
    assert len(free.members_) > len(bounded.members_) == 1


def test_target_whose_squares_are_no_floats_is_refused():
    X, y = load_diabetes(return_X_y=True)
    with pytest.raises(ValueError, match="out of the range of floats; divide it"):
        AutoEnsembleRegressor(**FEW).fit(X, y * 1e200)


def test_date_with_which_the_target_changes_is_named():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "day": pd.date_range("2024-01-01", periods=400).astype(str),
            "size": rng.normal(size=400),
        }
    )
    y = np.arange(400) / 100 + frame["size"]
    model = AutoEnsembleRegressor(**FEW, families=["linear"], max_tasks=3).fit(frame, y)
    (sentence,) = model.warnings_
    assert "changes with the date in column 'day'" in sentence
    later, others = (float(word) for word in re.findall(r" (\d+\.?\d*) on the", sentence))
    assert later > others


def test_one_group_is_refused():
    with pytest.raises(ValueError, match="at least 2 different groups"):
        AutoEnsembleClassifier(**FEW).fit(*IRIS, groups=["a"] * 150)


def test_rows_with_other_targets_are_no_copies():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(200, 2)).astype(float)  # 9 different rows
    settings = {"time_limit": None, "max_tasks": 2, "families": ["linear"], "random_state": 0}
    measured = AutoEnsembleRegressor(**settings).fit(X, rng.normal(size=200))
    copied = AutoEnsembleRegressor(**settings).fit(X, X @ [1.0, 2.0])
    assert not any("kept together" in sentence for sentence in measured.warnings_)
    assert any("kept together" in sentence for sentence in copied.warnings_)


def test_members_that_know_no_deadline_get_a_quarter_of_the_time_left(monkeypatch):
    seconds = []

    def run_here(function, arguments, deadline):
        seconds.append(deadline - time.monotonic())
        return function(*arguments)

    monkeypatch.setattr(searched_ensemble, "run_killable", run_here)
    settings = {**FEW, "families": ["linear", "neighbors"], "n_jobs": 1, "time_limit": 1000}
    fitted = AutoEnsembleClassifier(**settings, max_tasks=6).fit(*IRIS)
    assert len(seconds) == 6
    assert all(900 < one <= 1000 for one in seconds[:3])  # until there is a model
    assert all(200 < one <= 250 for one in seconds[3:])
    assert fitted.leaderboard_.rows[0].weight > 0
