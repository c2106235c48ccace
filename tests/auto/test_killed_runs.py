"""Runs whose writer was killed, or whose disk was full, at any moment."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import nonet
from nonet.auto.run_store import RunStore
from nonet.auto.store import RunFolderError

WRITER = Path(__file__).with_name("killed_writer.py")


def test_finished_tasks_survive_thirty_kills_at_random_moments(tmp_path):
    # Warnings of Python 3.12 about forks in a process with threads are not the subject here.
    command = [sys.executable, "-W", "ignore", WRITER, tmp_path / "run", "30", "0"]
    finished = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=True
    )
    found = json.loads(finished.stdout)
    assert found["wrong"] == []
    assert found["n_tasks"] >= 10
    assert found["cut_off"] >= 1  # some of the kills met a file that was being written


def finish(store, key, model=None, **arrays):
    store.finish(key, "forest", 0, arrays=arrays, model=model, seconds=1.5, peak_bytes=10)


def fill_disk(monkeypatch, *, after):
    """Let writes to the disk fail after some that succeed."""
    fsync, calls = os.fsync, iter(range(10_000))

    def fail(descriptor):
        if next(calls) >= after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fail)


@pytest.fixture(scope="module")
def stump():
    X = np.random.default_rng(0).normal(size=(40, 3))
    return nonet.DecisionStump().fit(X, X[:, 0] > 0)


@pytest.mark.parametrize("after", [0, 2, 4])  # a file takes two calls: its own, and its folder's
def test_full_disk_keeps_what_was_there(tmp_path, monkeypatch, stump, after):
    with RunStore.create(tmp_path / "run", {}) as store:
        finish(store, "k1", model=stump, a=np.ones(3), b=np.ones(4))
        before = sorted(os.listdir(tmp_path / "run" / "tasks"))
        with monkeypatch.context() as patch:
            fill_disk(patch, after=after)
            with pytest.raises(RunFolderError, match="no space left on device"):
                finish(store, "k2", model=stump, a=np.zeros(3), b=np.zeros(4))
            with pytest.raises(RunFolderError, match="no space left on device"):
                finish(store, "k1", model=stump, a=np.zeros(3), b=np.zeros(4))
        assert sorted(os.listdir(tmp_path / "run" / "tasks")) == before
        assert [task.key for task in store.records()] == ["k1"]
        assert store.arrays("k1")["a"].tolist() == [1, 1, 1]
        finish(store, "k2", a=np.ones(3))  # and it goes on when there is space again
    with RunStore.open(tmp_path / "run") as store:
        assert len(store.records()) == 2


def test_full_disk_under_the_database_keeps_what_was_there(tmp_path):
    with RunStore.create(tmp_path / "run", {}) as store:
        store.save_array("X", np.ones(3))
        finish(store, "k1", a=np.ones(3))
        # SQLite's own "database or disk is full", at the size that it has now.
        store._database._connection.execute("PRAGMA max_page_count = 1")
        files = sorted(path for path in (tmp_path / "run").rglob("*.npy"))
        with pytest.raises(RunFolderError, match="disk is full; what was finished before is kept"):
            store.fail("k2", "forest", 0, "No. " * 10_000)
        with pytest.raises(RunFolderError, match="disk is full"):
            store.update_facts(large="x" * 50_000)
        assert sorted(path for path in (tmp_path / "run").rglob("*.npy")) == files
        store._database._connection.execute("PRAGMA max_page_count = 1000000")
        assert [task.key for task in store.records()] == ["k1"]
        assert store.facts == {}
        finish(store, "k2", a=np.ones(3))
    with RunStore.open(tmp_path / "run") as store:
        assert [task.key for task in store.records()] == ["k1", "k2"]


def test_interrupt_after_the_commit_keeps_the_result(tmp_path, monkeypatch):
    with RunStore.create(tmp_path / "run", {}) as store:
        finish(store, "k1", a=np.ones(3))
        store.save_array("X", np.ones(3))

        def interrupt(path):
            monkeypatch.undo()
            raise KeyboardInterrupt

        for replace in (
            lambda: finish(store, "k1", a=np.zeros(3)),
            lambda: store.save_array("X", np.zeros(3)),
        ):
            monkeypatch.setattr(os, "unlink", interrupt)  # the former file is removed last
            with pytest.raises(KeyboardInterrupt):
                replace()
        assert store.arrays("k1")["a"].tolist() == [0, 0, 0]
        assert store.load_array("X").tolist() == [0, 0, 0]
    with RunStore.open(tmp_path / "run") as store:
        assert store.arrays("k1")["a"].tolist() == [0, 0, 0]
    assert len(list((tmp_path / "run").rglob("*.npy"))) == 2


LIMITED = """
import resource, sys
import numpy as np
from nonet.auto.run_store import RunStore
store = RunStore.create(sys.argv[1], {})
store.save_array("small", np.ones(10))
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    store.save_array("large", np.ones(100_000))
except ValueError as why:
    print(why)
for number in range(1000):
    try:
        store.finish(f"k{number}", "forest", 0, arrays={"a": np.full(10, number)}, model=None,
                     seconds=1.0, peak_bytes=1)
    except ValueError as why:
        print(number)
        break
"""


def test_limit_of_the_system_keeps_what_was_there(tmp_path):
    """No simulation: the kernel refuses to let a file, then the database's log, grow."""
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "run")]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "file too large; nothing was changed" in out[0]
    with RunStore.open(tmp_path / "run") as store:
        assert store.load_array("small").shape == (10,)
        assert not store.has("large")
        n_finished = int(out[1])
        assert n_finished >= 1
        assert [task.key for task in store.records()] == [f"k{i}" for i in range(n_finished)]
        assert store.arrays(f"k{n_finished - 1}")["a"][0] == n_finished - 1
    assert len(list((tmp_path / "run" / "tasks").iterdir())) == n_finished
