from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold, RepeatedKFold, TimeSeriesSplit

from nonet.members.folds import make_folds, warn_of_missing_classes

X = np.arange(24.0).reshape(12, 2)
Y = np.arange(12) % 2


@pytest.mark.parametrize("cv", [3, KFold(4), RepeatedKFold(n_splits=3, n_repeats=2)], ids=repr)
def test_folds_part_the_rows(cv):
    for train, test in make_folds(cv, X, Y, classifier=True):
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(12))


def test_order_of_the_splitter_does_not_matter():
    folds = list(KFold(4, shuffle=True, random_state=0).split(X))
    there = make_folds(folds, X, Y, classifier=False)
    back = make_folds(folds[::-1], X, Y, classifier=False)
    assert [test.tolist() for _, test in there] == [test.tolist() for _, test in back]


def test_masks_and_negative_positions_are_rows():
    mask = np.arange(12) < 9
    ((train, test),) = make_folds([(mask, [-1, -2])], X, Y, classifier=False)
    np.testing.assert_array_equal(train, np.arange(9))
    np.testing.assert_array_equal(test, [10, 11])


def test_forward_chaining_is_taken_as_it_is():
    folds = make_folds(TimeSeriesSplit(3), X, Y, classifier=False)
    assert all(train.max() < test.min() for train, test in folds)


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([(np.arange(12), [-1])], "held-out row 11 is also a training row"),
        ([(np.arange(6), [])], "holds out no row at all"),
        ([([], np.arange(6))], "without rows to train on"),
        ([(np.arange(6), [12])], "rows that the 12 rows of X do not have"),
        ([], "holds out no row at all"),
    ],
)
def test_make_folds_rejects(cv, message):
    splits = [(np.asarray(a, dtype=int), np.asarray(b, dtype=int)) for a, b in cv]
    with pytest.raises(ValueError, match=message):
        make_folds(splits, X, Y, classifier=False)


def test_missing_classes_are_named():
    folds = [(np.array([0, 2]), np.array([1])), (np.array([0, 1]), np.array([2]))]
    codes, classes = np.array([0, 1, 0]), np.array(["no", "yes"])
    with pytest.warns(UserWarning, match=r"up to 1 of the 2 folds .* classes \['yes'\]"):
        warn_of_missing_classes(folds, codes, classes)
