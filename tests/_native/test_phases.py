"""Times by phase, as benchmarks read them."""

import numpy as np

from nonet import HistGradientBoostingClassifier
from nonet._native.data import BinnedDataset
from nonet._native.phases import measure_phases
from nonet._native.runtime import limit_threads

X = np.random.default_rng(0).normal(size=(20_000, 8))


def test_phases_of_a_fit_are_named_and_add_up():
    model = HistGradientBoostingClassifier(max_iter=3, early_stopping=False)
    with limit_threads(2), measure_phases() as times:
        model.fit(X, X[:, 0] > 0)
    wanted = {"binning", "gradients", "rows", "search", "partition", "leaves", "scores"}
    assert wanted <= set(times)
    for time in times.values():
        assert 0 <= time.in_regions <= time.wall
        assert 0 <= time.at_tasks <= 2 * time.in_regions + 1e-3
        assert time.serial == time.wall - time.in_regions


def test_one_thread_never_waits_and_counts_regions():
    with limit_threads(1), measure_phases() as times:
        BinnedDataset(X)
    assert list(times) == ["binning"]
    assert times["binning"].n_regions >= 2
    assert times["binning"].at_tasks <= times["binning"].in_regions


def test_nothing_is_measured_outside_the_block():
    with measure_phases() as times:
        pass
    BinnedDataset(X)
    assert times == {}


def test_measuring_begins_from_zero():
    with measure_phases():
        BinnedDataset(X)
    with measure_phases() as times:
        pass
    assert times == {}
