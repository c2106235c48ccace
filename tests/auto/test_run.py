"""Tests of runs: tables in, folders that are resumed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.gaussian_process import GaussianProcessClassifier

import nonet
from nonet.auto.run_store import RunStore

FEW = {"time_limit": None, "random_state": 0, "families": ["extra_trees", "linear"], "n_jobs": 1}
TABLE = load_iris(as_frame=True).frame.rename(columns=lambda name: name.partition(" (")[0])


def test_file_gives_the_same_run_as_the_frame(tmp_path):
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    of_file = nonet.fit_table(tmp_path / "iris.csv", "target", max_tasks=8, **FEW)
    of_frame = nonet.fit_table(TABLE, "target", max_tasks=8, **FEW)
    assert of_file.task == "classification"
    np.testing.assert_allclose(of_file.predict_proba(TABLE), of_frame.predict_proba(TABLE))
    assert "held-out rows" in str(of_file)
    assert "Members, F and C" in of_file._repr_html_()
    assert "Leaderboard: log_loss" in of_file._repr_html_()


def test_resumed_run_equals_one_that_was_not_disturbed(tmp_path):
    whole = nonet.fit_table(TABLE, "target", max_tasks=16, **FEW)
    nonet.fit_table(TABLE, "target", folder=tmp_path / "run", max_tasks=5, **FEW)
    resumed = nonet.resume(tmp_path / "run", max_tasks=16, n_jobs=1)
    np.testing.assert_array_equal(resumed.predict_proba(TABLE), whole.predict_proba(TABLE))
    assert resumed.honest_score == whole.honest_score


def test_run_with_text_is_resumed_bit_for_bit(tmp_path):
    sites = ["north of the river", "by the sea", "in the hills"]
    story = [f"flower {i} was found {sites[k]}" for i, k in enumerate(TABLE["target"])]
    table = TABLE.assign(story=story)[["sepal length", "story", "target"]]
    settings = {**FEW, "families": ["linear"]}
    whole = nonet.fit_table(table, "target", max_tasks=16, **settings)
    nonet.fit_table(table, "target", folder=tmp_path / "run", max_tasks=5, **settings)
    resumed = nonet.resume(tmp_path / "run", max_tasks=16, n_jobs=1)
    np.testing.assert_array_equal(resumed.predict_proba(table), whole.predict_proba(table))
    assert resumed.honest_score == whole.honest_score


def test_table_to_predict_that_differs_is_named(tmp_path):
    moved = TABLE.assign(**{"petal length": TABLE["petal length"] + 10})
    settings = {"max_tasks": 8, **FEW}
    assert nonet.fit_table(TABLE, "target", test=TABLE, **settings).warnings == []
    run = nonet.fit_table(TABLE, "target", test=moved, folder=tmp_path / "run", **settings)
    assert any("told apart" in s and "petal length" in s for s in run.warnings)
    assert nonet.resume(tmp_path / "run").warnings == run.warnings


SCRIPT = """
import sys
import nonet
nonet.fit_table(sys.argv[1], "target", folder=sys.argv[2], time_limit=None, random_state=0,
                families=["extra_trees", "linear"], n_jobs=1, max_tasks=16)
"""


@pytest.mark.parametrize("n_results", [0, 3, 9])
def test_killed_run_is_resumed_bit_for_bit(tmp_path, n_results):
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    folder = tmp_path / "run"
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, tmp_path / "iris.csv", folder], stderr=subprocess.PIPE
    )
    while child.poll() is None and not _has_results(folder, n_results):
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stderr.close()
    resumed = nonet.resume(folder, n_jobs=1)
    whole = nonet.fit_table(tmp_path / "iris.csv", "target", max_tasks=16, **FEW)
    np.testing.assert_array_equal(resumed.predict_proba(TABLE), whole.predict_proba(TABLE))


# Boosters with prepared columns are among the first, and the guest has no form in a file.
WHOLE = """
import sys
from sklearn.gaussian_process import GaussianProcessClassifier
import nonet
nonet.fit_table(sys.argv[1], "target", folder=sys.argv[2], time_limit=None, random_state=0, cv=3,
                max_tasks=60, extra_members={"process": GaussianProcessClassifier()})
"""


@pytest.mark.slow
def test_runs_killed_at_twenty_random_moments_are_resumed_bit_for_bit(tmp_path):
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    command = [sys.executable, "-c", WHOLE, tmp_path / "iris.csv"]
    child, began = _start(command, tmp_path / "whole"), time.monotonic()
    assert child.wait() == 0
    seconds = time.monotonic() - began
    guest = {"process": GaussianProcessClassifier()}
    whole = nonet.resume(tmp_path / "whole", extra_members=guest)
    assert any("fitted again" in note and "'process'" in note for note in whole.notes)
    assert any(row.name.endswith("_numbers") and row.score > 0 for row in whole.leaderboard.rows)
    n_resumed = 0
    for number, moment in enumerate(np.random.default_rng(0).uniform(0, 0.95, size=20)):
        folder = tmp_path / f"run{number}"
        child = _start(command, folder)
        time.sleep(moment * seconds)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        try:
            resumed = nonet.resume(folder, extra_members=guest)
        except ValueError as why:  # killed before the table was stored
            assert "start it again" in str(why) or "not the folder of a run" in str(why)  # noqa: PT017
            continue
        n_resumed += 1
        assert resumed.honest_score == whole.honest_score
        np.testing.assert_array_equal(resumed.predict_proba(TABLE), whole.predict_proba(TABLE))
    assert n_resumed >= 15


def _start(command: list, folder: Path) -> subprocess.Popen:
    """Start a run; return when its folder is there, however long a busy machine takes to import."""
    child = subprocess.Popen([*command, folder])
    while child.poll() is None and not (folder / "run.sqlite").exists():
        time.sleep(0.005)
    return child


def _has_results(folder: Path, n_results: int) -> bool:
    found = list(folder.rglob("*.nonet")) if folder.exists() else []
    return len(found) > n_results + 1  # the encoder is one of them


def test_groups_and_weights_are_columns_that_are_not_features():
    table = TABLE.assign(owner=np.arange(150) // 5, size=1.0)
    run = nonet.fit_table(table, "target", group="owner", weight="size", max_tasks=8, **FEW)
    assert "owner" not in run.model.feature_names_in_
    assert "size" not in run.model.feature_names_in_


def test_rows_without_a_target_are_left_out_with_a_note():
    table = TABLE.assign(target=TABLE["target"].astype("Int64").mask(TABLE.index < 3))
    run = nonet.fit_table(table, "target", max_tasks=8, **FEW)
    assert any("missing in 3 rows" in note for note in run.notes)


@pytest.mark.parametrize(
    ("table", "arguments", "message"),
    [
        (TABLE, {"target": "targte"}, "target"),
        (TABLE, {"target": "target", "group": "owner"}, "no column 'owner'"),
        (TABLE[["target"]], {"target": "target"}, "nothing to predict from"),
        (pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "a"]}), {"target": "y"}, "y"),
        ("no such file.csv", {"target": "y"}, "no such file"),
    ],
)
def test_fit_table_rejects_in_one_sentence(table, arguments, message):
    with pytest.raises((ValueError, OSError), match=message):
        nonet.fit_table(table, **arguments, **FEW)


def test_resume_rejects_a_folder_that_is_no_run(tmp_path):
    with pytest.raises(ValueError, match="not the folder of a run"):
        nonet.resume(tmp_path / "nothing")


def test_open_run_returns_the_run_that_ended(tmp_path):
    run = nonet.fit_table(TABLE, "target", folder=tmp_path / "run", max_tasks=8, **FEW)
    opened = nonet.open_run(tmp_path / "run")
    np.testing.assert_array_equal(opened.predict_proba(TABLE), run.predict_proba(TABLE))
    assert str(opened.leaderboard) == str(run.leaderboard)
    assert (opened.settings, opened.notes, opened.target) == (run.settings, run.notes, "target")
    assert opened.seconds == run.seconds
    np.testing.assert_array_equal(opened.held_out.support, run.held_out.support)
    np.testing.assert_array_equal(opened.rows.target, run.rows.target)


def test_open_run_names_the_way_out_for_a_run_without_a_model(tmp_path):
    RunStore.create(tmp_path / "run", {"task": "regression", "target": "y"}).close()
    with pytest.raises(nonet.auto.RunFolderError, match="no model yet.*resume"):
        nonet.open_run(tmp_path / "run")


@pytest.mark.parametrize("folder", [None, "run"])
def test_held_out_rows_give_the_honest_score_against_naive(folder, tmp_path):
    path = None if folder is None else tmp_path / folder
    run = nonet.fit_table(TABLE, "target", folder=path, max_tasks=16, **FEW)
    held_out = run.held_out
    of_truth = held_out.support[np.arange(150), held_out.y]
    assert -np.log(of_truth).mean() == pytest.approx(run.honest_score.score)
    assert sorted(held_out.rows) == list(range(150))
    np.testing.assert_array_equal(held_out.y, run.rows.target[held_out.rows])
    shown = {row.name: row for row in run.leaderboard.rows}
    for k, name in enumerate(held_out.names):
        assert held_out.weights[k] == shown[name].weight
        loss = -np.log(np.maximum(held_out.outputs[np.arange(150), k, held_out.y], 1e-16)).mean()
        assert loss == pytest.approx(shown[name].score, rel=1e-4)


def test_run_in_memory_takes_folds_that_a_folder_refuses(tmp_path):
    folds = [(np.arange(50, 150), np.arange(50)), (np.arange(100), np.arange(100, 150))]
    settings = {**FEW, "families": ["linear"], "cv": folds, "max_tasks": 2}
    table = TABLE.sample(frac=1, random_state=0)
    assert nonet.fit_table(table, "target", **settings).held_out.n_rows == 100
    with pytest.raises(ValueError, match="cv=.* cannot be kept in the folder of a run"):
        nonet.fit_table(table, "target", folder=tmp_path / "run", **settings)


def _drifting_table():
    days = np.datetime64("2024-01-01") + np.arange(120)
    rng = np.random.default_rng(0)
    slow = np.cumsum(rng.normal(size=120))
    table = pd.DataFrame({"day": days.astype(str), "x": rng.normal(size=120), "y": slow})
    return table.sample(frac=1, random_state=0, ignore_index=True)


def test_time_column_holds_out_later_rows_only(tmp_path):
    table = _drifting_table()
    settings = {"families": ["linear"], "time_limit": None, "random_state": 0, "n_jobs": 1}
    run = nonet.fit_table(
        table, "y", time_column="day", folder=tmp_path / "run", max_tasks=3, **settings
    )
    held_out = run.held_out
    day = pd.to_datetime(table["day"]).to_numpy()[held_out.rows]
    assert held_out.n_rows == 54  # all but the first 55 %
    for fold in range(3):
        assert (
            day[held_out.folds == fold].min()
            > pd.to_datetime(table["day"]).sort_values().iloc[[65, 83, 101][fold]]
        )
    at_random = nonet.fit_table(table, "y", max_tasks=8, **settings)
    assert run.honest_score.score > at_random.honest_score.score
    again = nonet.resume(tmp_path / "run", max_tasks=3, n_jobs=1)
    assert again.honest_score == run.honest_score


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time_column": "name"}, "dates or numbers with different values, but it holds"),
        ({"time_column": "hole"}, "missing in 1"),
        ({"time_column": "y"}, "is the target"),
        ({"time_column": "day", "group": "name"}, "leave group= and cv= out"),
        ({"time_column": "hour"}, "no column 'hour'"),
    ],
)
def test_time_column_rejects_what_has_no_order(changes, message):
    table = _drifting_table()
    table["name"] = [f"word{k % 5}" for k in range(120)]
    table["hole"] = np.where(np.arange(120) == 7, np.nan, np.arange(120) % 50)
    with pytest.raises(ValueError, match=message):
        nonet.fit_table(table, "y", families=["linear"], time_limit=None, max_tasks=1, **changes)


def test_weights_of_a_file_are_those_of_the_frame(tmp_path):
    table = TABLE.assign(times=np.where(TABLE["target"] == 0, 2.5, 1.0))
    table.to_csv(tmp_path / "iris.csv", index=False)
    settings = {"weight": "times", "max_tasks": 8, **FEW}
    of_file = nonet.fit_table(tmp_path / "iris.csv", "target", **settings)
    of_frame = nonet.fit_table(table, "target", **settings)
    np.testing.assert_allclose(of_file.predict_proba(TABLE), of_frame.predict_proba(TABLE))
    np.testing.assert_array_equal(of_file.rows.weights, table["times"])


def test_weights_that_are_no_numbers_are_rejected():
    table = TABLE.assign(times=["one"] * 149 + ["2"])
    with pytest.raises(ValueError, match="'times' must be numbers, but 149 of 150 rows"):
        nonet.fit_table(table, "target", weight="times", max_tasks=1, **FEW)


def test_settings_name_the_columns_that_were_left_out_or_used_for_folds():
    table = TABLE.assign(times=2.0)
    given = {"drop": ["petal width"], "weight": "times"}
    run = nonet.fit_table(table, "target", **given, max_tasks=8, **FEW)
    assert run.settings == {**given, "max_tasks": 8, **FEW}


def test_resume_never_does_less_than_is_done(tmp_path):
    run = nonet.fit_table(TABLE, "target", folder=tmp_path / "run", max_tasks=9, **FEW)
    less = nonet.resume(tmp_path / "run", max_tasks=2, n_jobs=1)
    np.testing.assert_array_equal(less.predict_proba(TABLE), run.predict_proba(TABLE))
    more = nonet.resume(tmp_path / "run", max_tasks=12, n_jobs=1)
    again = nonet.resume(tmp_path / "run", n_jobs=1)
    np.testing.assert_array_equal(again.predict_proba(TABLE), more.predict_proba(TABLE))
    assert again.settings["max_tasks"] == 12


def test_table_to_predict_without_the_columns_is_refused_before_the_search():
    with pytest.raises(ValueError, match="test= has none of the columns"):
        nonet.fit_table(TABLE, "target", test=pd.DataFrame({"other": [1.0]}), time_limit=None)


def test_weights_with_decimal_commas_are_read(tmp_path):
    table = TABLE.assign(times="1,5")
    table.to_csv(tmp_path / "iris.csv", index=False, sep=";")
    run = nonet.fit_table(tmp_path / "iris.csv", "target", weight="times", max_tasks=4, **FEW)
    assert set(run.rows.weights) == {1.5}


def test_time_column_takes_the_kind_that_is_set():
    days = [f"{k % 12 + 1}/{k % 12 + 1}/2024" for k in range(150)]
    settings = {"families": ["linear"], "time_limit": None, "max_tasks": 3, "n_jobs": 1}
    run = nonet.fit_table(
        TABLE.assign(day=days),
        "sepal length",
        time_column="day",
        kinds={"day": "date"},
        **settings,
    )
    assert run.held_out.n_rows < 150


def test_predictions_report_what_the_fit_did_not_see(tmp_path):
    table = pd.DataFrame({"a": np.arange(80.0), "color": ["red", "blue"] * 40, "b": 0.0})
    table = table.assign(b=np.sin(table["a"]), who=np.arange(80) // 8, y=["u", "v"] * 40)
    settings = {**FEW, "max_tasks": 8}
    run = nonet.fit_table(table, "y", group="who", **settings)
    notes: list[str] = []
    run.predict(table, notes)
    assert notes == []
    new = table[["y", "b", "color", "who", "a"]].assign(extra=1.0)
    new.loc[0, "color"] = "green"
    new.to_csv(tmp_path / "new.csv", index=False)
    found = run.predict_proba(tmp_path / "new.csv", notes)
    assert any("did not see are ignored: 'extra'" in note for note in notes)
    assert any("'color'" in note and "1" in note for note in notes)
    assert not any("who" in note or "'y'" in note for note in notes)
    np.testing.assert_array_equal(found[1:], run.predict_proba(table)[1:])
    with pytest.warns(UserWarning, match="lacks columns"):
        run.predict(new.drop(columns="b"), notes)
    assert any("lacks columns of fit, which are read as missing: 'b'" in note for note in notes)


SIZES = [20, 1_000, pytest.param(100_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("n_rows", SIZES)
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_tables_of_any_size(task, n_rows):
    """A limit of 10 s is enough for a model that is better than a constant."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(n_rows + 500, 5)), columns=list("abcde"))
    table["shop"] = rng.choice(["north", "east", "west"], len(table))
    mean = 3 * table["a"] + 2 * (table["shop"] == "west") + rng.normal(size=len(table))
    table["y"] = mean if task == "regression" else np.where(mean > 0.7, "yes", "no")
    train, test = table[:n_rows], table[n_rows:]
    run = nonet.fit_table(train, "y", time_limit=10, random_state=0)
    assert run.task == task
    assert (run.honest_score.untouched_score is not None) == (n_rows >= 20_000)
    if task == "regression":
        assert np.mean((run.predict(test) - test["y"]) ** 2) < 0.8 * test["y"].var()
    else:
        assert np.mean(run.predict(test) == test["y"]) > 0.6
