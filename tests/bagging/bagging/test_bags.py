from __future__ import annotations

import numpy as np
import pytest

from nonet.bagging import RowDraw
from nonet.bagging.bagging.bags import Bags, check_classes_drawn, count_columns
from nonet.bagging.bagging.population import Population


def bags(n_drawn=4, replace_columns=False, **settings):
    defaults = {"n_rows": 20, "n_members": 3, "max_samples": None, "replace": True, "seed": 1}
    return Bags(RowDraw(), Population(**(defaults | settings)), 8, n_drawn, replace_columns)


def test_counts_say_how_often_each_row_is_drawn():
    counts = bags().counts(0)
    np.testing.assert_array_equal(np.repeat(np.arange(20), counts), np.sort(bags().rows(0)))


def test_counts_are_none_when_nothing_is_drawn():
    assert bags(replace=False).counts(0) is None


def test_columns_are_distinct_and_in_order():
    for member in range(20):
        columns = bags().columns(member)
        assert len(np.unique(columns)) == 4
        assert (np.diff(columns) > 0).all()


def test_columns_may_repeat_with_replacement():
    drawn = [bags(8, replace_columns=True).columns(member) for member in range(5)]
    assert all(len(columns) == 8 for columns in drawn)
    assert any(len(np.unique(columns)) < 8 for columns in drawn)


def test_columns_are_none_when_all_are_seen():
    assert bags(8).columns(0) is None


def test_every_column_is_equally_often_drawn():
    times = np.bincount(np.concatenate([bags().columns(m) for m in range(2000)]), minlength=8)
    assert (np.abs(times / 2000 - 0.5) < 4.5 * np.sqrt(0.25 / 2000)).all()


def test_count_columns_takes_numbers_and_fractions():
    assert [count_columns("bagging", m, 8) for m in (3, 8, 1.0, 0.5, 0.01)] == [3, 8, 8, 4, 1]


def test_count_columns_rejects_more_than_there_are():
    with pytest.raises(ValueError, match=r"'max_features' must be at most .* \(8\), but got 9"):
        count_columns("bagging", 9, 8)


CODES, CLASSES = np.array([0, 0, 1]), np.array(["a", "b"])
COUNTS = [np.array([2, 1, 0]), np.array([0, 3, 0])]


@pytest.mark.parametrize("weights", [None, np.array([1.0, 1.0, 0.8])])
def test_class_in_no_bag_is_named(weights):
    with pytest.raises(ValueError, match=r"class 'b' is in none of the 2 bags.* learn it; call\."):
        check_classes_drawn(COUNTS, CODES, CLASSES, weights, "call")
    with pytest.raises(ValueError, match="class 'b' of target 3 is in none"):
        check_classes_drawn(COUNTS, CODES, CLASSES, weights, "call", 3)
    check_classes_drawn([*COUNTS, None], CODES, CLASSES, weights, "call")
    check_classes_drawn([*COUNTS, np.array([1, 1, 1])], CODES, CLASSES, weights, "call")


@pytest.mark.parametrize("weight", [0.0, 0.1])
def test_class_whose_fraction_is_more_than_halved_by_weights_may_be_in_no_bag(weight):
    check_classes_drawn(COUNTS, CODES, CLASSES, np.array([1.0, 1.0, weight]), "call")
