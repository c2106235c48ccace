"""Tests of the folds of a run."""

import numpy as np
import pytest
from sklearn.model_selection import TimeSeriesSplit

from nonet.auto.folds import make_run_folds, spare_rows


def test_rows_are_held_out_once_and_classes_kept_in_proportion():
    y = np.repeat([0, 1], [160, 40])
    folds = make_run_folds(None, y, y, None, 2, seed=0)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(200))
    assert [int(y[test].sum()) for _, test in folds] == [5] * 8
    assert all(not set(train) & set(test) for train, test in folds)


def test_groups_stay_together():
    groups = np.arange(200) // 10
    y = np.random.default_rng(0).integers(0, 2, 200)
    for n_classes in (0, 2):
        for train, test in make_run_folds(None, y, y, groups, n_classes, seed=0):
            assert not set(groups[train]) & set(groups[test])


def test_the_only_row_of_a_class_is_never_held_out():
    y = np.array([0] * 30 + [1] * 30 + [2])
    for train, test in make_run_folds(None, y, y, None, 3, seed=0):
        assert 60 in train
        assert 60 not in test


@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_class_with_two_rows_is_in_every_training_part(n_classes):
    y = np.array([0] * 40 + [1] * 2 + [2] * 3)[: 42 if n_classes == 2 else 45]
    for train, _ in make_run_folds(None, y, y, None, n_classes, seed=1):
        assert set(y[train]) == set(range(n_classes))


def test_splitters_are_used_as_they_are():
    y = np.arange(20.0)
    folds = make_run_folds(TimeSeriesSplit(3), y[:, np.newaxis], y, None, 0, seed=0)
    assert all(train.max() < test.min() for train, test in folds)


def test_rows_are_spared_from_20000_on():
    y = np.arange(20_000) % 2
    assert len(spare_rows(y[:19_999], None, 2, 0)) == 0
    spared = spare_rows(y, None, 2, 0)
    assert len(spared) == 1000
    assert y[spared].mean() == 0.5
