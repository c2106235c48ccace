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

import nonet

FEW = {"time_limit": None, "random_state": 0, "families": ["extra_trees", "linear"], "n_jobs": 1}
TABLE = load_iris(as_frame=True).frame.rename(columns=lambda name: name.partition(" (")[0])


def test_file_gives_the_same_run_as_the_frame(tmp_path):
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    of_file = nonet.fit_table(tmp_path / "iris.csv", "target", max_tasks=8, **FEW)
    of_frame = nonet.fit_table(TABLE, "target", max_tasks=8, **FEW)
    assert of_file.task == "classification"
    np.testing.assert_allclose(of_file.predict_proba(TABLE), of_frame.predict_proba(TABLE))
    assert "held-out rows" in str(of_file)


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


WHOLE = """
import sys
import nonet
nonet.fit_table(sys.argv[1], "target", folder=sys.argv[2], time_limit=None, random_state=0, cv=3,
                max_tasks=60)
"""


@pytest.mark.slow
def test_runs_killed_at_twenty_random_moments_are_resumed_bit_for_bit(tmp_path):
    TABLE.to_csv(tmp_path / "iris.csv", index=False)
    command = [sys.executable, "-c", WHOLE, tmp_path / "iris.csv"]
    began = time.monotonic()
    subprocess.run([*command, tmp_path / "whole"], check=True)
    seconds = time.monotonic() - began
    whole = nonet.resume(tmp_path / "whole")
    n_resumed = 0
    for number, moment in enumerate(np.random.default_rng(0).uniform(0.2, 0.95, size=20)):
        folder = tmp_path / f"run{number}"
        child = subprocess.Popen([*command, folder])
        time.sleep(moment * seconds)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        try:
            resumed = nonet.resume(folder)
        except ValueError as why:  # killed before the table was stored
            assert "start it again" in str(why) or "not the folder of a run" in str(why)  # noqa: PT017
            continue
        n_resumed += 1
        assert resumed.honest_score == whole.honest_score
        np.testing.assert_array_equal(resumed.predict_proba(TABLE), whole.predict_proba(TABLE))
    assert n_resumed >= 15


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
