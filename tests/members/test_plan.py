from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from nonet.members.plan import MemberPlan


def make_plan(**what):
    return MemberPlan("tree", DecisionTreeClassifier(), **what)


def test_plan_without_rows_sees_everything():
    assert make_plan().unseen_rows(4).size == 0


def test_plan_with_rows_leaves_the_others_unseen():
    np.testing.assert_array_equal(make_plan(rows=np.array([2, 0, 2])).unseen_rows(4), [1, 3])


def test_plan_with_counts_leaves_zero_counts_unseen():
    np.testing.assert_array_equal(make_plan(counts=np.array([0, 2, 1, 0])).unseen_rows(4), [0, 3])


def test_within_a_fold_keeps_repeats_and_drops_the_held_out_rows():
    kept = make_plan(rows=np.array([0, 0, 1, 3])).within(np.array([0, 3]))
    np.testing.assert_array_equal(kept.rows, [0, 0, 3])


def test_within_a_fold_zeroes_the_counts_of_held_out_rows():
    kept = make_plan(counts=np.array([3, 1, 0, 2])).within(np.array([0, 2]))
    np.testing.assert_array_equal(kept.counts, [3, 0, 0, 0])


def test_plan_rejects_rows_together_with_counts():
    with pytest.raises(ValueError, match="rows and counts: pass one"):
        make_plan(rows=np.array([0]), counts=np.array([1]))
