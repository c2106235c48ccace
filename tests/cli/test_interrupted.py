"""Ctrl-C: what is there is kept, a sentence names it, and the run goes on."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import nonet
from cli.small_tables import churn_rows
from nonet.auto import search, searched_ensemble

LINEAR = ("fit", "churn.csv", "--target", "left", "--families", "linear")
SENTENCE = (
    "nonet: interrupted; the best ensemble so far is saved in 'churn.run/model.nonet', go on with "
    "'nonet resume churn.run'."
)


@pytest.fixture
def interrupt_after(monkeypatch):
    """Let Ctrl-C come when a task of a number begins."""
    run_fold_task, begun = search.run_fold_task, []

    def set_number(number):
        def run(*arguments):
            begun.append(arguments)
            if len(begun) == number:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.5)  # until the main thread has it
            return run_fold_task(*arguments)

        monkeypatch.setattr(search, "run_fold_task", run)

    return set_number


def test_interrupted_fit_keeps_the_best_ensemble_and_is_resumed(nonet_command, interrupt_after):
    interrupt_after(4)
    ended = nonet_command(*LINEAR, "--max-tasks", "8", "--json")
    assert ended.code == 130
    assert ended.err.splitlines()[-1] == SENTENCE
    assert ended.document["interrupted"] is True
    few = nonet.load("churn.run/model.nonet")
    assert len(few.predict(churn_rows(5))) == 5
    assert Path("churn.run/config.toml").exists()
    resumed = nonet_command("resume", "churn.run", "--json")
    whole = nonet_command(*LINEAR, "--max-tasks", "8", "--out", "whole.run", "--json")
    assert (resumed.code, resumed.document["interrupted"]) == (0, False)
    assert resumed.document["run"]["score"] == whole.document["run"]["score"]
    np.testing.assert_array_equal(
        nonet.load("churn.run/model.nonet").predict_proba(churn_rows(5)),
        nonet.load("whole.run/model.nonet").predict_proba(churn_rows(5)),
    )


def test_interrupted_before_the_first_model_reports_what_is_saved(nonet_command, monkeypatch):
    monkeypatch.setattr(searched_ensemble, "warn_about_rows", interrupt)
    ended = nonet_command(*LINEAR, "--max-tasks", "8")
    assert (ended.code, ended.out) == (130, "")
    assert ended.err.splitlines()[-1] == (
        "nonet: interrupted; the table of the run is saved in 'churn.run', go on with "
        "'nonet resume churn.run'."
    )
    shown = nonet_command("show", "churn.run")
    assert "left before it had a model" in shown.out
    refused = nonet_command("predict", "churn.run", "new.csv")
    assert (refused.code, "nonet resume churn.run" in refused.sentence) == (3, True)


def interrupt(*arguments, **settings):
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_while_reading_leaves_nothing(nonet_command, monkeypatch):
    monkeypatch.setattr("nonet.cli.understanding.read_table", interrupt)
    ended = nonet_command(*LINEAR)
    assert ended.code == 130
    assert not Path("churn.run").exists()


def test_ctrl_c_without_a_terminal(nonet_command, folder):
    """The whole portfolio, interrupted from outside after some results."""
    command = [sys.executable, "-m", "nonet", "fit", "churn.csv", "--target", "left"]
    child = subprocess.Popen(
        [*command, "--families", "linear", "extra_trees", "--time", "none"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    tasks = folder / "churn.run" / "tasks"
    while child.poll() is None and len(list(tasks.glob("*.nonet"))) < 9:
        time.sleep(0.005)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    assert child.returncode == 130
    assert err.splitlines()[-1] == SENTENCE
    assert "Leaderboard" in out
    assert "\x1b" not in err  # no bars, but lines
    resumed = nonet_command("resume", "churn.run", "--max-tasks", "10")
    assert resumed.code == 0
    assert "held-out rows of 8 folds" in resumed.out
