"""Calls in a child process: results, errors, deadlines, deaths, interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock, Thread

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import nonet
from nonet.auto import killable
from nonet.auto.killable import ChildDied, OutOfTime, prepare_child, run_killable


@pytest.fixture(params=["fork", "new process"])
def way_to_start(request, monkeypatch):
    """For tests of what differs between the ways; a new process takes seconds."""
    killable._kill_idle_children()
    monkeypatch.setattr(killable, "FORKS", request.param == "fork")
    yield
    killable._kill_idle_children()


both_ways = pytest.mark.usefixtures("way_to_start")


class LocalError(Exception):
    def __init__(self, first, second):
        super().__init__(f"{first} and {second}.")
        self.second = second

    def __reduce__(self):
        return type(self), ("one", self.second)


class Local(BaseEstimator):
    def fit(self, X, y):
        self.mean_ = y.mean()
        return self


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(pid):
    while is_running(pid):
        time.sleep(0.01)


def test_functions_and_classes_that_cannot_be_imported_are_sent_along():
    fitted = run_killable(lambda model, y: model.fit(None, y), (Local(), np.arange(3)), None)
    assert fitted.mean_ == 1.0


def test_calls_draw_different_unseeded_numbers():
    def draw():  # a method of the global state would take the state along
        return np.random.random()  # noqa: NPY002

    assert run_killable(draw, (), None) != run_killable(draw, (), None)


def test_exception_keeps_type_and_first_sentence():
    def fail():
        raise KeyError("no such column\nand a long story")

    def fail_at_length():
        raise np.linalg.LinAlgError("Singular matrix\nat row 3")

    with pytest.raises(KeyError, match="no such column"):
        run_killable(fail, (), None)
    with pytest.raises(np.linalg.LinAlgError) as caught:
        run_killable(fail_at_length, (), None)
    assert str(caught.value) == "Singular matrix."
    assert "fail_at_length" in caught.value.__notes__[0]


def test_exception_with_arguments_of_its_own_keeps_its_type():
    def fail():
        raise LocalError("one", "two")

    with pytest.raises(LocalError, match="one and two") as caught:
        run_killable(fail, (), None)
    assert caught.value.second == "two"


def test_what_cannot_be_pickled_is_one_sentence():
    with pytest.raises(TypeError, match="its result cannot be sent from its process"):
        run_killable(Lock, (), None)


def test_exit_of_the_call_does_not_end_this_process():
    with pytest.raises(ChildDied, match="SystemExit"):
        run_killable(sys.exit, ("enough",), None)


def let_deadline_come_with(path, monkeypatch):
    """Let the deadline come when a file is there: a slow machine gets the time it needs."""

    def wait(replies, timeout):
        while not path.exists():
            time.sleep(0.01)
        return []

    monkeypatch.setattr(killable, "wait", wait)


def test_past_deadline_starts_nothing():
    with pytest.raises(OutOfTime, match="was not started"):
        run_killable(os.abort, (), time.monotonic() - 1)


def test_kill_by_the_system_is_one_sentence():
    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(ChildDied, match="most likely because memory ran out"):
        run_killable(die, (), None)


def test_end_without_result_is_one_sentence():
    with pytest.raises(ChildDied, match="exit status 3 and without a result"):
        run_killable(os._exit, (3,), None)


def test_child_that_died_while_idle_is_replaced():
    prepare_child()
    for child in killable._idle:
        os.kill(child._process.pid, signal.SIGKILL)
        child._process.wait()
    assert run_killable(sum, ([1, 2],), None) == 3


def test_threads_may_call_at_the_same_time():
    results = {}

    def call(number):
        results[number] = run_killable(lambda n: n * n, (number,), None)

    threads = [Thread(target=call, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: 0, 1: 1, 2: 4}


def test_call_runs_in_another_process_and_two_calls_in_two():
    first, second = run_killable(os.getpid, (), None), run_killable(os.getpid, (), None)
    assert len({first, second, os.getpid()}) == 3


def test_processes_of_the_child_are_killed_with_it(tmp_path, monkeypatch):
    def sleep_twice():
        grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10000)"])
        (tmp_path / "part").write_text(f"{os.getpid()} {grandchild.pid}")
        (tmp_path / "part").rename(tmp_path / "pids")
        grandchild.wait()

    let_deadline_come_with(tmp_path / "pids", monkeypatch)
    with pytest.raises(OutOfTime):
        run_killable(sleep_twice, (), time.monotonic() + 10_000)
    for pid in (tmp_path / "pids").read_text().split():
        wait_until_gone(int(pid))


def test_script_without_a_guard_of_its_main_part_works(tmp_path):
    """Unlike multiprocessing, the child does not run the script of the user a second time."""
    script = tmp_path / "script.py"
    script.write_text(
        "from nonet.auto import killable\n"
        "class Thing:\n    size = 3\n"
        "thing = killable.run_killable(lambda: Thing(), (), None)\n"
        "print(thing.size, isinstance(thing, Thing))\n"
    )
    finished = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert finished.stdout == "3 True\n"


# ---- The end of the parent -----------------------------------------------------------------------

PARENT = """
import os, sys, time
from pathlib import Path
from nonet.auto import killable
killable.FORKS = sys.argv[2] == "1"
folder = Path(sys.argv[1])

def sleep():
    (folder / "part").write_text(str(os.getpid()))
    (folder / "part").rename(folder / "pid")
    time.sleep(10_000)

killable.run_killable(sleep, (), None)
"""


@pytest.mark.parametrize(
    ("end", "forks"),
    [
        (signal.SIGINT, True),
        (signal.SIGKILL, True),
        (signal.SIGKILL, False),
    ],
)
def test_child_ends_with_its_parent(tmp_path, end, forks):
    (tmp_path / "temporary").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "temporary")}
    command = [sys.executable, "-c", PARENT, str(tmp_path), str(int(forks))]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as parent:
        while not (tmp_path / "pid").exists():
            time.sleep(0.01)
        parent.send_signal(end)
        _, errors = parent.communicate()
    wait_until_gone(int((tmp_path / "pid").read_text()))
    assert ("KeyboardInterrupt" in errors) == (end == signal.SIGINT)
    while list((tmp_path / "temporary").iterdir()):
        time.sleep(0.01)


# ---- Both ways to start a process --------------------------------------------------------------


@both_ways
def test_result_comes_back():
    X = np.random.default_rng(0).normal(size=(100, 3))
    forest = nonet.RandomForestClassifier(n_estimators=3, random_state=0)
    fitted = run_killable(forest.fit, (X, X[:, 0] > 0), None)
    expected = forest.fit(X, X[:, 0] > 0).predict_proba(X)
    np.testing.assert_array_equal(fitted.predict_proba(X), expected)


@both_ways
def test_sleeping_child_is_killed_at_the_deadline():
    with pytest.raises(OutOfTime, match="sleep had not returned at its deadline"):
        run_killable(time.sleep, (10_000,), time.monotonic() + 0.3)
    assert run_killable(sum, ([1, 2],), None) == 3  # and the next call works


@both_ways
def test_crash_is_one_sentence():
    with pytest.raises(ChildDied, match=r"process of abort crashed with signal 6 \(Aborted\)\.$"):
        run_killable(os.abort, (), None)
    assert run_killable(sum, ([1, 2],), None) == 3
