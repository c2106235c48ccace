"""Tests of the order of tasks: what waits, what comes first, and what is left out."""

import time

import numpy as np
import pytest
from sklearn.datasets import load_iris

from nonet.auto.configuration import Configuration
from nonet.auto.fold_task import AutoData
from nonet.auto.folds import make_run_folds
from nonet.auto.held_out import HeldOutRecord
from nonet.auto.memory_store import MemoryStore
from nonet.auto.metric import resolve_metric
from nonet.auto.pace import Pace, TaskSize
from nonet.auto.task_order import TaskOrder

X, Y = load_iris(return_X_y=True)
N_FOLDS = 3
NAMES = ("first", "good", "useless", "costly", "better")


class KnownPace(Pace):
    """A pace that knows what tasks take."""

    seconds = {"costly": 300.0}

    def expected_seconds(self, configuration):
        return 1.0 if self.time_limit is None else self.seconds.get(configuration.name, 1.0)


@pytest.fixture
def order_with():
    def make(time_limit, began=None):
        folds = make_run_folds(N_FOLDS, X, Y, None, 3, seed=0)
        data = AutoData(X, Y, np.zeros(4, bool), 3, tuple(folds), None, 0)
        record = HeldOutRecord(data, MemoryStore(), dict.fromkeys(NAMES, "none"))
        configurations = [Configuration(name, "linear") for name in NAMES]
        pace = KnownPace(TaskSize(100, 4, 3, N_FOLDS), time_limit, began=began or time.monotonic())
        metric = resolve_metric(None, "classification", np.arange(3))
        return TaskOrder(data, configurations, record, metric, pace)

    return make


def predict(name, y):
    """Return probabilities: each of three configurations knows one class, one is wrong."""
    known = {"good": 0, "costly": 1, "better": 2}
    scores = np.zeros((len(y), 3))
    if name in known:
        code = known[name]
        scores[:, code] = np.where(y == code, 3.0, -3.0)
    if name == "useless":
        scores[np.arange(len(y)), y] = -3.0
    support = np.exp(scores)
    return support / support.sum(axis=1, keepdims=True)


def run(order):
    """Finish each batch; return what was run, in order."""
    done = []
    store = order.record._store
    for batch in order.batches():
        for configuration, fold in batch:
            predictions = predict(configuration.name, order.data.y[order.data.folds[fold][1]])
            key = f"{configuration.name}/{fold}"
            store.finish(
                key,
                configuration.name,
                fold,
                arrays={"predictions": predictions},
                model=None,
                seconds=1.0,
                peak_bytes=0,
            )
            order.record.add(configuration.name, fold, key)
            done.append((configuration.name, fold))
    return done


def test_without_a_limit_the_order_is_that_of_the_portfolio(order_with):
    done = run(order_with(None))
    assert done[:3] == [("first", fold) for fold in range(N_FOLDS)]
    assert done[3:7] == [(name, 0) for name in NAMES[1:]]
    assert sorted(done) == sorted((name, fold) for name in NAMES for fold in range(N_FOLDS))
    assert done[-2:] == [("useless", 1), ("useless", 2)]


def test_costly_configuration_waits_and_runs_if_it_fits(order_with):
    done = run(order_with(1000.0))
    assert [name for name, fold in done if fold == 0] == [
        "first",
        "good",
        "useless",
        "better",
        "costly",
    ]
    assert len(done) == len(set(done)) == len(NAMES) * N_FOLDS


def test_costly_configuration_that_cannot_end_is_left_out(order_with):
    order = order_with(600.0)
    assert "costly" not in {name for name, _ in run(order)}
    assert [one.name for one in order.left_out] == ["costly"]


@pytest.mark.parametrize(("slow", "quick"), [("better", "good"), ("good", "better")])
def test_quick_ones_come_first(order_with, monkeypatch, slow, quick):
    monkeypatch.setattr(KnownPace, "seconds", {slow: 60.0})
    done = run(order_with(1000.0))
    assert done.index((quick, 1)) < done.index((slow, 1))


def test_part_of_the_time_left_counts_what_runs_side_by_side():
    pace = KnownPace(TaskSize(100, 4, 3, 8), 1000.0, n_at_once=2)
    one = Configuration("costly", "linear")
    assert pace.part_of(one, 4) == pytest.approx(600 / pace.left(), rel=1e-3)
    assert KnownPace(TaskSize(100, 4, 3, 8)).part_of(one, 4) == 0
