"""What both stores promise, in memory and in a folder."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
from sklearn.datasets import load_iris

import nonet
from nonet.auto.memory_store import MemoryStore
from nonet.auto.run_store import RunStore
from nonet.auto.store import RunFolderError, TaskRecord


@pytest.fixture(params=["memory", "folder"])
def store(request, tmp_path):
    facts = {"columns": ["a", "b"], "n_rows": 3}
    made = (
        MemoryStore(facts)
        if request.param == "memory"
        else RunStore.create(tmp_path / "run", facts)
    )
    with made:
        yield made


@pytest.fixture(scope="module")
def forest():
    X, y = load_iris(return_X_y=True)
    return nonet.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)


def finish(store, key, fold=0, model=None, **arrays):
    store.finish(key, "forest", fold, arrays=arrays, model=model, seconds=1.5, peak_bytes=10)


def test_facts_are_added_and_replaced(store):
    store.update_facts(n_rows=4, data_hash="ff")
    assert store.facts == {"columns": ["a", "b"], "n_rows": 4, "data_hash": "ff"}


def test_changing_the_returned_facts_changes_nothing(store):
    store.facts["columns"].append("c")
    assert store.facts["columns"] == ["a", "b"]


def test_unknown_task_is_not_found(store):
    assert store.find("k1") is None
    assert not store.has_model("k1")
    with pytest.raises(RunFolderError, match="no finished task 'k1'"):
        store.arrays("k1")
    with pytest.raises(RunFolderError, match="no finished task 'k1'"):
        store.model("k1")


def test_finished_task_has_its_record_and_arrays(store):
    rng = np.random.default_rng(0)
    given = {
        "held_out": rng.normal(size=(5, 3)),
        "rows": np.arange(5),
        "fortran": np.asfortranarray(rng.normal(size=(4, 2)).astype(np.float32)),
        "empty": np.empty((0, 2)),
        "scalar": np.float64(2.5),
    }
    finish(store, "k1", fold=2, **given)
    assert store.find("k1") == TaskRecord("k1", "forest", 2, "done", 1.5, 10)
    found = store.arrays("k1")
    assert list(found) == list(given)
    for name, array in given.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_model_of_a_task_predicts_the_same_bits(store, forest):
    X, _ = load_iris(return_X_y=True)
    finish(store, "k1", model=forest)
    assert store.has_model("k1")
    np.testing.assert_array_equal(store.model("k1").predict_proba(X), forest.predict_proba(X))


def test_task_without_model_has_none(store):
    finish(store, "k1")
    assert not store.has_model("k1")
    with pytest.raises(RunFolderError, match="no model of task 'k1'"):
        store.model("k1")


def test_failed_task_is_recorded_and_has_no_result(store):
    finish(store, "k1", a=np.ones(2))
    store.fail("k1", "forest", 0, "It did not fit.", 0.25)
    assert store.find("k1") == TaskRecord(
        "k1", "forest", 0, "failed", 0.25, error="It did not fit."
    )
    with pytest.raises(RunFolderError, match="no finished task"):
        store.arrays("k1")


def test_records_are_in_order_of_finishing_then_the_others(store):
    store.mark("a", "forest", 0, "queued")
    store.mark("b", "forest", 1, "running")
    finish(store, "d")
    finish(store, "c")
    store.fail("e", "forest", 0, "No.")
    finish(store, "d")  # again: now it finished last
    assert [(task.key, task.state) for task in store.records()] == [
        ("c", "done"),
        ("e", "failed"),
        ("d", "done"),
        ("a", "queued"),
        ("b", "running"),
    ]


def test_finishing_again_replaces_the_result(store, forest):
    finish(store, "k1", model=forest, old=np.ones(2))
    finish(store, "k1", new=np.zeros(3))
    assert list(store.arrays("k1")) == ["new"]
    assert not store.has_model("k1")


def test_data_of_the_run_is_found_by_name(store, forest):
    assert not store.has("X")
    store.save_array("X", np.ones((2, 2)))
    store.save_array("X", np.zeros((3, 2)))
    store.save_model("final", forest)
    assert store.has("X")
    assert store.has("final")
    assert store.load_array("X").shape == (3, 2)
    assert store.load_model("final").n_estimators == 3
    with pytest.raises(RunFolderError, match="no array 'y'"):
        store.load_array("y")
    with pytest.raises(RunFolderError, match="no model 'X'"):
        store.load_model("X")


def test_guest_estimator_is_kept_while_the_process_lives(store):
    guest = _guest()
    finish(store, "k1", model=guest)
    store.save_model("encoder", guest)
    assert store.model("k1") is guest
    assert store.load_model("encoder") is guest
    assert store.find("k1").kept_model == "memory"
    assert store.has("encoder")


def test_threads_may_share_a_store(store):
    def write(worker):
        for i in range(10):
            finish(store, f"k{worker}-{i}", fold=i, a=np.full(3, worker))

    threads = [Thread(target=write, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.records()) == 40
    assert all(store.arrays(f"k{worker}-9")["a"][0] == worker for worker in range(4))


def _guest():
    from sklearn.base import BaseEstimator

    class Guest(BaseEstimator):
        def fit(self, X, y):
            self.fitted_ = True
            return self

    return Guest().fit(None, None)
