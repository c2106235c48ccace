"""The record of held-out predictions: tasks that run side by side end in any order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from nonet.auto.fold_task import AutoData
from nonet.auto.held_out import HeldOutRecord
from nonet.auto.memory_store import MemoryStore

N_FOLDS = 4
NAMES = ["first", "second", "third"]


@pytest.fixture
def data():
    rows = np.arange(8.0)
    folds = tuple((np.delete(np.arange(8), [f, f + 4]), np.array([f, f + 4])) for f in range(4))
    return AutoData(rows[:, np.newaxis], rows, np.zeros(1, bool), 0, folds, None, 0)


@pytest.fixture
def store():
    """Boosters of four folds whose losses, summed over folds, are equal but for rounding."""
    store = MemoryStore()
    rng = np.random.default_rng(0)
    values = rng.random(N_FOLDS)
    curves = np.array([rng.permutation(values) for _ in range(200)]).T
    for name in NAMES:
        for fold, curve in enumerate(curves):
            losses = np.column_stack([curve, curve])
            store.finish(
                f"{name} {fold}",
                name,
                fold,
                arrays={"losses": losses},
                model=None,
                seconds=1.0,
                peak_bytes=0,
            )
    return store


def record_of(data, store, order):
    record = HeldOutRecord(data, store, dict.fromkeys(NAMES, "none"))
    for name, fold in order:
        record.add(name, fold, f"{name} {fold}")
    return record


def test_rounds_do_not_depend_on_the_order_in_which_folds_are_done(data, store):
    chosen = {
        tuple(
            record_of(data, store, [("first", fold) for fold in order])._rounds_of("first").items()
        )
        for order in permutations(range(N_FOLDS))
    }
    assert len(chosen) == 1


def test_configurations_are_in_the_order_of_the_portfolio(data, store):
    tasks = [(name, fold) for name in reversed(NAMES) for fold in range(N_FOLDS)]
    assert record_of(data, store, tasks).complete() == NAMES
    assert record_of(data, store, tasks[:-1]).complete() == NAMES[1:]
