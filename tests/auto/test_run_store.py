"""The folder of a run: reopening, foreign and damaged folders, one writer at a time."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris

import nonet
from nonet.auto.run_store import RunStore
from nonet.auto.store import RunFolderError


class Guest(BaseEstimator):
    def fit(self, X, y):
        self.fitted_ = True
        return self


def finish(store, key, model=None, **arrays):
    store.finish(key, "forest", 0, arrays=arrays, model=model, seconds=1.5, peak_bytes=10)


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a run with two tasks and data, closed."""
    X, y = load_iris(return_X_y=True)
    with RunStore.create(tmp_path / "run", {"n_rows": 150}) as store:
        forest = nonet.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
        finish(store, "k1", model=forest, held_out=np.arange(100.0))
        finish(store, "k2", held_out=np.arange(100, 200.0))
        store.save_array("X", X)
    return tmp_path / "run"


def files_in(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


# ---- Reopening -----------------------------------------------------------------------------------


@pytest.mark.parametrize("read_only", [False, True])
def test_reopened_run_has_everything(folder, read_only):
    X, _ = load_iris(return_X_y=True)
    with RunStore.open(folder, read_only=read_only) as store:
        assert store.facts == {"n_rows": 150}
        assert [task.key for task in store.records()] == ["k1", "k2"]
        np.testing.assert_array_equal(store.arrays("k2")["held_out"], np.arange(100, 200.0))
        np.testing.assert_array_equal(store.load_array("X"), X)
        assert store.has_model("k1")
        assert len(store.model("k1").predict(X)) == 150


def test_guest_estimator_is_gone_after_reopening(folder):
    with RunStore.open(folder) as store:
        finish(store, "k3", model=Guest().fit(None, None), a=np.ones(2))
        store.save_model("encoder", Guest().fit(None, None))
        assert store.has_model("k3")
    with RunStore.open(folder) as store:
        assert store.find("k3").kept_model == "memory"
        assert not store.has_model("k3")
        assert not store.has("encoder")
        with pytest.raises(RunFolderError, match="run the task again"):
            store.model("k3")


def test_unfinished_tasks_are_absent_after_reopening(folder):
    with RunStore.open(folder) as store:
        store.mark("k3", "forest", 0, "running")
        store.mark("k4", "forest", 1, "queued")
    with RunStore.open(folder) as store:
        assert [task.key for task in store.records()] == ["k1", "k2"]


def test_leftovers_are_removed(folder):
    before = files_in(folder)
    for name in ("tasks/.k9.npy.0123.part", "tasks/k9.held_out.01234567.npy", "data/old.npy"):
        (folder / name).write_bytes(b"half")
    RunStore.open(folder).close()
    assert files_in(folder) == before


def test_replaced_results_leave_no_files(folder):
    n_before = len(files_in(folder))
    with RunStore.open(folder) as store:
        finish(store, "k2", held_out=np.zeros(3))
        store.save_array("X", np.zeros(3))
    assert len(files_in(folder)) == n_before


def test_moved_folder_is_the_same_run(folder, tmp_path):
    shutil.move(folder, tmp_path / "elsewhere")
    with RunStore.open(tmp_path / "elsewhere") as store:
        assert store.arrays("k1")["held_out"].shape == (100,)


def test_reader_sees_what_a_writer_has_just_finished(folder):
    with RunStore.open(folder) as writer, RunStore.open(folder, read_only=True) as reader:
        finish(writer, "k3", a=np.ones(2))
        assert reader.find("k3").state == "done"
        assert reader.arrays("k3")["a"].shape == (2,)


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.update_facts(a=1),
        lambda store: store.mark("k", "c", 0, "running"),
        lambda store: finish(store, "k"),
        lambda store: store.fail("k", "c", 0, "No."),
        lambda store: store.save_array("a", np.ones(2)),
        lambda store: store.save_model("m", Guest().fit(None, None)),
    ],
)
def test_read_only_store_rejects_changes(folder, change):
    with (
        RunStore.open(folder, read_only=True) as store,
        pytest.raises(RunFolderError, match="read_only=True"),
    ):
        change(store)


def test_store_that_is_forgotten_gives_the_lock_back(folder):
    store = RunStore.open(folder)
    del store
    RunStore.open(folder).close()


def test_closed_store_says_so(folder):
    store = RunStore.open(folder)
    store.close()
    store.close()
    with pytest.raises(RunFolderError, match="was closed; open it again"):
        store.records()


# ---- Folders that are no runs --------------------------------------------------------------------


def test_create_rejects_folder_with_other_files(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(RunFolderError, match="new or empty folder.*'letter.txt'"):
        RunStore.create(tmp_path, {})
    assert (tmp_path / "letter.txt").read_text() == "Dear"


def test_create_rejects_folder_of_a_run(folder):
    with pytest.raises(RunFolderError, match="holds a run already; resume it"):
        RunStore.create(folder, {})


def test_create_rejects_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match="cannot be made: File exists"):
        RunStore.create(tmp_path / "file", {})


def test_create_goes_on_where_a_start_was_killed(tmp_path):
    (tmp_path / "run.lock").write_text("123")
    (tmp_path / ".run.sqlite.0123456789abcdef.part").write_bytes(b"half")
    RunStore.create(tmp_path, {"a": 1}).close()
    with RunStore.open(tmp_path) as store:
        assert store.facts == {"a": 1}


def test_open_rejects_missing_and_foreign_folders(tmp_path):
    with pytest.raises(RunFolderError, match="no folder of this name"):
        RunStore.open(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    with pytest.raises(RunFolderError, match=r"it has no run\.sqlite"):
        RunStore.open(tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("read_only", [False, True])
def test_open_rejects_database_of_another_program(tmp_path, read_only):
    connection = sqlite3.connect(tmp_path / "run.sqlite")
    connection.execute("CREATE TABLE tasks (key TEXT)")
    connection.close()
    with pytest.raises(RunFolderError, match="made by another program"):
        RunStore.open(tmp_path, read_only=read_only)


@pytest.mark.parametrize("read_only", [False, True])
def test_open_rejects_run_of_a_later_version(folder, read_only):
    connection = sqlite3.connect(folder / "run.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(RunFolderError, match="has version 99, but this release"):
        RunStore.open(folder, read_only=read_only)


# ---- Damage --------------------------------------------------------------------------------------


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("content", [b"", b"text, not a database" * 100])
def test_file_that_is_no_database_is_one_sentence(folder, content, read_only):
    (folder / "run.sqlite").write_bytes(content)
    with pytest.raises(RunFolderError, match="made by another program|is damaged"):
        RunStore.open(folder, read_only=read_only)
    if not read_only:  # and the lock was given back
        with pytest.raises(RunFolderError, match="made by another program|is damaged"):
            RunStore.open(folder)


def test_damaged_page_of_the_database_is_one_sentence(folder):
    content = bytearray((folder / "run.sqlite").read_bytes())
    page = int.from_bytes(content[16:18], "big")
    content[page : page + 200] = os.urandom(200)
    (folder / "run.sqlite").write_bytes(content)
    with pytest.raises(RunFolderError, match="is damaged|cannot be read"):
        RunStore.open(folder)


def test_changed_array_is_refused_and_removing_it_repeats_the_task(folder):
    (path,) = (folder / "tasks").glob("k2.*.npy")
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    with RunStore.open(folder) as store, pytest.raises(RunFolderError, match="content has changed"):
        store.arrays("k2")
    path.unlink()
    with RunStore.open(folder) as store:
        assert store.find("k2") is None
        assert store.find("k1").state == "done"


def test_shortened_array_makes_its_task_absent(folder):
    (path,) = (folder / "tasks").glob("k2.*.npy")
    path.write_bytes(path.read_bytes()[:-8])
    with (
        RunStore.open(folder, read_only=True) as store,
        pytest.raises(RunFolderError, match="size"),
    ):
        store.arrays("k2")
    with RunStore.open(folder) as store:
        assert [task.key for task in store.records()] == ["k1"]
    assert not path.exists()


def test_missing_data_is_absent_and_the_rest_is_kept(folder):
    with RunStore.open(folder) as store:
        store.save_array("y", np.ones(3))
    (path,) = (folder / "data").glob("X.*.npy")
    path.unlink()
    with RunStore.open(folder) as store:
        assert not store.has("X")
        assert store.has("y")


def test_damaged_model_is_one_sentence(folder):
    (path,) = (folder / "tasks").glob("k1.*.nonet")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with RunStore.open(folder) as store, pytest.raises(RunFolderError, match="is damaged"):
        store.model("k1")


# ---- Arguments -----------------------------------------------------------------------------------


def test_rejects_array_of_objects_and_keeps_nothing(folder):
    before = files_in(folder)
    with RunStore.open(folder) as store:
        with pytest.raises(TypeError, match="'bad' has dtype object"):
            finish(store, "k3", good=np.ones(2), bad=np.array(["a", None]))
        assert store.find("k3") is None
    assert files_in(folder) == before


@pytest.mark.parametrize("name", ["../x", "a/b", ".hidden", "a b", "x" * 101])
def test_rejects_names_that_leave_the_folder(folder, name):
    with RunStore.open(folder) as store:
        with pytest.raises(ValueError, match="cannot be the name"):
            store.save_array(name, np.ones(2))
        with pytest.raises(ValueError, match="cannot be the name"):
            finish(store, name, a=np.ones(2))


# ---- One writer ----------------------------------------------------------------------------------


OPEN = "import sys; from nonet.auto.run_store import RunStore; "


def run_python(code, folder):
    command = [sys.executable, "-c", OPEN + code, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_second_process_gets_a_sentence_but_may_read(folder):
    with RunStore.open(folder):
        other = run_python("RunStore.open(sys.argv[1])", folder)
        assert f"is in use by process {os.getpid()}; wait until it ends" in other.stderr
        other = run_python(
            "print(len(RunStore.open(sys.argv[1], read_only=True).records()))", folder
        )
        assert other.stdout == "2\n"
    assert run_python("RunStore.open(sys.argv[1])", folder).returncode == 0


def test_second_store_of_the_same_process_gets_a_sentence(folder, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(folder)
    with RunStore.open(folder), pytest.raises(RunFolderError, match="in use by this process"):
        RunStore.open(link)
    RunStore.open(link).close()


def test_lock_ends_with_a_killed_process(folder):
    wait = "store = RunStore.open(sys.argv[1]); print('open', flush=True); input()"
    command = [sys.executable, "-c", OPEN + wait, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "open\n"
        with pytest.raises(RunFolderError, match=f"in use by process {process.pid}"):
            RunStore.open(folder)
        process.kill()
        process.wait()
    RunStore.open(folder).close()


FORK = """
import os, subprocess
store = RunStore.open(sys.argv[1])
store.fail("k3", "forest", 0, "No.")
child = os.fork()
if child == 0:
    store.close()
    os._exit(0)
os.waitpid(child, 0)
store.fail("k4", "forest", 0, "No.")
other = [sys.executable, "-c", sys.argv[2], sys.argv[1]]
print(subprocess.run(other, stderr=subprocess.PIPE, text=True).stderr)
"""


def test_child_made_by_fork_leaves_the_run_alone(folder):
    other = OPEN + "RunStore.open(sys.argv[1])"
    command = [sys.executable, "-W", "ignore", "-c", OPEN + FORK, str(folder), other]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "is in use by process" in out
    with RunStore.open(folder) as store:
        assert [task.key for task in store.records()] == ["k1", "k2", "k3", "k4"]
