"""Progress: what is printed where, when, and what is not."""

from __future__ import annotations

import builtins
import io
import re
import subprocess
import sys
import time

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import nonet
from nonet._base.parallel import run_all
from nonet._base.progress import Steps
from nonet._base.progress_display import Lines, State, duration

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)
MODELS = [("trees", nonet.RandomForestClassifier(4)), ("line", LogisticRegression())]
REGRESSORS = [("trees", nonet.RandomForestRegressor(4)), ("line", LinearRegression())]
LINE = re.compile(
    r"\[nonet\] (?P<source>[\w-]+): (?P<done>\d+) of (?P<total>\d+) (?P<unit>[a-z -]+)"
    r"(?P<name> \([^)]*\))?, (\d+\.\d s|\d+ min \d+ s)"
    r"(, about (\d+\.\d s|\d+ min \d+ s) left|, stopped)?"
    r"(, [\w -]+ -?[\d.e+-]+)*"
)


def lines_of(captured):
    """Return the parts of all lines on stderr; stdout is the user's own."""
    assert captured.out == ""
    found = [LINE.fullmatch(line) for line in captured.err.splitlines()]
    assert all(found), captured.err
    return found


# ---- Where it is shown -------------------------------------------------------------------------

LONG_WORK = {
    "AdaBoostClassifier": ("rounds", lambda: nonet.AdaBoostClassifier(n_estimators=3).fit(X, Y)),
    "AdaBoostRegressor": ("rounds", lambda: nonet.AdaBoostRegressor(n_estimators=3).fit(X, Y)),
    "RandomForestClassifier": ("trees", lambda: nonet.RandomForestClassifier(9).fit(X, Y)),
    "ExtraTreesRegressor": ("trees", lambda: nonet.ExtraTreesRegressor(9).fit(X, Y)),
    "IsolationForest": ("trees", lambda: nonet.IsolationForest(n_estimators=9).fit(X)),
    "RandomTreesEmbedding": ("trees", lambda: nonet.RandomTreesEmbedding(9).fit(X)),
    "BaggingClassifier": ("members", lambda: nonet.BaggingClassifier(n_estimators=3).fit(X, Y)),
    "RandomSubspaceRegressor": (
        "members",
        lambda: nonet.RandomSubspaceRegressor(n_estimators=3).fit(X, Y),
    ),
    "VotingClassifier": ("models", lambda: nonet.VotingClassifier(MODELS).fit(X, Y)),
    "StackingClassifier": ("models", lambda: nonet.StackingClassifier(MODELS).fit(X, Y)),
    "BlendingRegressor": ("models", lambda: nonet.BlendingRegressor(REGRESSORS).fit(X, Y)),
    "make_ledger": ("held-out fits", lambda: nonet.make_ledger(MODELS, X, Y)),
    "honest_score": (
        "folds",
        lambda: nonet.honest_score(nonet.VotingClassifier(MODELS), X, Y),
    ),
    "GradientBoostingClassifier": (
        "rounds",
        lambda: nonet.GradientBoostingClassifier(n_estimators=3).fit(X, Y),
    ),
    "HistGradientBoostingClassifier": (
        "rounds",
        lambda: nonet.HistGradientBoostingClassifier(max_iter=3).fit(X, Y),
    ),
    "BoostedTreesRegressor": (
        "rounds",
        lambda: nonet.BoostedTreesRegressor(n_estimators=3).fit(X, Y),
    ),
    "boost_cv": (
        "folds",
        lambda: nonet.boost_cv(nonet.HistGradientBoostingClassifier(max_iter=3), X, Y),
    ),
    "bootstrap": ("resamples", lambda: nonet.bootstrap(X[:, 0], "mean", n_resamples=60)),
    "jackknife": ("partial estimates", lambda: nonet.jackknife(X[:, 0], lambda x: x.max() - 1)),
    "cross-validation": ("fits", lambda: nonet.cv_error(LogisticRegression(), X, Y)),
    "ConsensusClustering": ("members", lambda: nonet.ConsensusClustering(n_clusters=2).fit(X)),
    "OneVsOneClassifier": (
        "binary problems",
        lambda: nonet.OneVsOneClassifier(LogisticRegression()).fit(X, Y),
    ),
}


@pytest.mark.parametrize("source", LONG_WORK)
def test_show_progress_reaches_long_work_and_looks_the_same(source, capsys):
    unit, work = LONG_WORK[source]
    with nonet.show_progress():
        work()
    lines = lines_of(capsys.readouterr())
    assert {line["source"] for line in lines} == {source}, "the members of an ensemble are silent"
    last = lines[-1]
    assert (last["done"], last["unit"]) == (last["total"], unit)


@pytest.mark.parametrize("source", LONG_WORK)
def test_nothing_is_printed_by_default(source, capsys):
    LONG_WORK[source][1]()
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_show_progress_ends_with_its_block(capsys):
    with nonet.show_progress():
        pass
    nonet.AdaBoostClassifier(n_estimators=2).fit(X, Y)
    assert capsys.readouterr().err == ""


def test_show_progress_rejects_other_levels():
    with (
        pytest.raises(ValueError, match="parameter 'verbose' must be"),
        nonet.show_progress(verbose=-1),
    ):
        pass


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_members_that_are_verbose_are_silent_inside_a_verbose_ensemble(n_jobs, backend, capfd):
    forest = nonet.RandomForestClassifier(4, verbose=2)
    bag = nonet.BaggingClassifier(forest, n_estimators=4, n_jobs=n_jobs, verbose=1)
    with joblib.parallel_config(backend):
        bag.fit(X, Y)
    lines = lines_of(capfd.readouterr())
    assert {line["source"] for line in lines} == {"BaggingClassifier"}
    assert lines[-1]["done"] == "4"


def test_verbose_members_of_a_silent_ensemble_are_shown(capsys):
    nonet.VotingClassifier([("forest", nonet.RandomForestClassifier(4, verbose=1))]).fit(X, Y)
    assert {line["source"] for line in lines_of(capsys.readouterr())} == {"RandomForestClassifier"}


def run_alone(code):
    """Run a program of its own; return its lines on stderr."""
    program = [sys.executable, "-c", "import sys, numpy as np\n" + code]
    ran = subprocess.run(program, capture_output=True, text=True, check=True)
    found = [LINE.fullmatch(line) for line in ran.stderr.splitlines()]
    assert all(found), ran.stderr
    return found


def test_lines_of_worker_processes_are_whole():
    lines = run_alone(
        "import nonet\n"
        "X = np.random.default_rng(0).normal(size=(60, 3))\n"
        "booster = nonet.GradientBoostingClassifier(n_estimators=20, verbose=2)\n"
        "nonet.BaggingClassifier(booster, n_estimators=6, n_jobs=2).fit(X, X[:, 0] > 0)\n"
    )
    assert [line["done"] for line in lines].count("20") == 6


def test_import_and_lines_do_not_need_rich():
    (line,) = run_alone(
        "sys.modules['rich'] = None\n"
        "import nonet\n"
        "with nonet.show_progress():\n"
        "    nonet.RandomForestClassifier(3).fit([[0], [1]], [0, 1])\n"
    )
    assert (line["source"], line["done"]) == ("RandomForestClassifier", "3")


# ---- The text of lines -------------------------------------------------------------------------


def printed(states, capsys, *, period=None):
    lines = Lines("fit", "rounds", period=period)
    for state in states:
        lines.show(state)
    lines.end(states[-1])
    return capsys.readouterr().err.splitlines()


def test_lines_are_the_first_the_last_and_one_per_second(capsys):
    states = [State(n, 100, n / 16, "", {}) for n in range(1, 101)]
    shown = [int(line.split()[2]) for line in printed(states, capsys)]
    assert shown == [1, 17, 33, 49, 65, 81, 97, 100]


def test_all_lines_are_shown_on_request(capsys):
    states = [State(n, 5, n / 20, "", {}) for n in range(1, 6)]
    assert len(printed(states, capsys, period=1)) == 5


def test_lines_of_a_period_are_its_multiples_and_the_last(capsys):
    states = [State(n, 12, n * 2.0, "", {}) for n in range(1, 13)]
    assert [int(line.split()[2]) for line in printed(states, capsys, period=5)] == [5, 10, 12]
    stopped = [int(line.split()[2]) for line in printed(states[:7], capsys, period=5)]
    assert stopped == [5, 7]


def test_line_has_times_name_and_values(capsys):
    (line,) = printed([State(25, 100, 30.0, "tree", {"loss": 0.25})], capsys)[:1]
    assert line == "[nonet] fit: 25 of 100 rounds (tree), 30.0 s, about 1 min 30 s left, loss 0.25"


def test_work_that_stops_early_says_so(capsys):
    lines = printed([State(1, 10, 0.1, "", {}), State(4, 10, 0.2, "", {})], capsys)
    assert lines[-1] == "[nonet] fit: 4 of 10 rounds, 0.2 s, stopped"


def test_early_stopping_is_shown_as_the_end(capsys):
    model = nonet.HistGradientBoostingClassifier(
        max_iter=500, early_stopping=True, n_iter_no_change=2, verbose=1, random_state=0
    ).fit(X, Y)
    last = lines_of(capsys.readouterr())[-1]
    assert (int(last["done"]), last["total"]) == (model.n_iter_, "500")
    assert ", stopped, " in last[0]


def fail_after_one_step():
    with Steps("fit", "rounds", 1).track(5) as progress:
        progress.advance()
        raise RuntimeError


def test_failed_work_shows_no_end(capsys):
    with pytest.raises(RuntimeError):
        fail_after_one_step()
    assert len(lines_of(capsys.readouterr())) == 1
    with Steps("again", "rounds", 1).track(1) as progress:
        progress.advance()
    assert lines_of(capsys.readouterr())[0]["source"] == "again"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 0 s"),
        (125, "2 min 5 s"),
        (3780, "1 h 3 min"),
    ],
)
def test_durations_in_words(seconds, text):
    assert duration(seconds) == text


def nap(position):
    time.sleep(0.01)
    return position


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_counted_calls_return_in_order(n_jobs, capsys):
    steps = Steps("naps", "calls", 2)
    with joblib.parallel_config("threading"):
        assert run_all(nap, [(n,) for n in range(12)], n_jobs=n_jobs, steps=steps) == [*range(12)]
    done = [int(line["done"]) for line in lines_of(capsys.readouterr())]
    assert done == sorted(done)
    assert done[-1] == 12


def test_native_counter_is_read_while_the_call_runs(capsys, monkeypatch):
    monkeypatch.setattr("nonet._base.progress._POLL_SECONDS", 0.01)
    grown = iter([2, 2, 5])
    with Steps("forest", "trees", 2).track(5) as progress, progress.poll(lambda: next(grown, 5)):
        time.sleep(0.2)
    done = [line["done"] for line in lines_of(capsys.readouterr())]
    assert done == ["2", "5"]


def test_program_without_stderr_is_served(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    nonet.RandomForestClassifier(3, verbose=1).fit(X, Y)


# ---- Bars --------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self):
        return True


def make_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def test_terminal_gets_a_bar_with_the_same_words(monkeypatch):
    pytest.importorskip("rich", reason="rich is not installed")
    terminal = make_terminal(monkeypatch)
    with nonet.show_progress():
        nonet.StackingClassifier(MODELS).fit(X, Y)
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    assert "━" in drawn
    assert "10 of 10 held-out fits" in drawn
    assert "2 of 2 models (line)" in drawn
    assert "RandomForestClassifier" not in drawn
    assert "[nonet]" not in drawn


def test_bar_is_closed_after_an_error(monkeypatch):
    pytest.importorskip("rich", reason="rich is not installed")
    terminal = make_terminal(monkeypatch)
    with pytest.raises(RuntimeError):
        fail_after_one_step()
    assert "1 of 5 rounds" in terminal.getvalue()
    assert "\x1b[?25h" in terminal.getvalue(), "the cursor is visible again"


def test_terminal_without_rich_gets_lines(monkeypatch):
    terminal = make_terminal(monkeypatch)
    real_import = builtins.__import__

    def without_rich(name, *args, **kwargs):
        if name.startswith("rich"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_rich)
    nonet.RandomForestClassifier(3, verbose=1).fit(X, Y)
    assert LINE.fullmatch(terminal.getvalue().strip())
