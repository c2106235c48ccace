from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from nonet.stacking.learned.level_one import LevelOne, join_columns

BINARY = [np.array([[[0.2, 0.8], [0.6, 0.4]], [[1.0, 0.0], [0.5, 0.5]]])]
THREE = [np.array([[[0.2, 0.3, 0.5]], [[0.7, 0.2, 0.1]]])]


def columns(level, predictions):
    return np.hstack(level.blocks(predictions))


def test_two_classes_are_one_column_each():
    level = LevelOne(("a", "b"), ("probabilities",) * 2)
    np.testing.assert_array_equal(columns(level, BINARY), [[0.8, 0.4], [0.0, 0.5]])
    assert level.column_names(BINARY) == ["a", "b"]


def test_every_class_is_a_column_when_requested():
    level = LevelOne(("a", "b"), ("probabilities",) * 2, every_class=True)
    assert columns(level, BINARY).shape == (2, 4)
    assert level.column_names(BINARY) == ["a0", "a1", "b0", "b1"]


def test_logits_of_two_classes_are_log_odds():
    level = LevelOne(("a", "b"), ("probabilities",) * 2, (2,), "logits")
    made = columns(level, BINARY)
    np.testing.assert_allclose(made[0], [np.log(4), np.log(2 / 3)])
    assert np.isfinite(made).all()


def test_logits_of_three_classes_sum_to_zero_and_keep_the_ratios():
    made = columns(LevelOne(("a",), ("probabilities",), (3,), "logits"), THREE)
    np.testing.assert_allclose(made.sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(made[0, 2] - made[0, 0], np.log(0.5 / 0.2))


def test_labels_are_ones_for_the_class_named():
    made = columns(LevelOne(("a",), ("probabilities",), (3,), "labels"), THREE)
    np.testing.assert_array_equal(made, [[0, 0, 1], [1, 0, 0]])
    codes = [np.array([[2], [-1]])]
    made = columns(LevelOne(("a",), ("labels",), (3,), "labels"), codes)
    np.testing.assert_array_equal(made, [[0, 0, 1], [0, 0, 0]])


def test_labels_as_they_are_stay_codes():
    level = LevelOne(("a", "b"), ("labels", "labels"))
    np.testing.assert_array_equal(columns(level, [np.array([[0, 2], [1, 1]])]), [[0, 2], [1, 1]])


def test_kinds_that_share_a_page_each_give_their_columns():
    page = np.array([[[0.2, 0.3, 0.5], [0.0, 1.0, 0.0], [7.0, 7.0, 7.0]]])
    level = LevelOne(("p", "l", "v"), ("probabilities", "labels", "values"))
    np.testing.assert_array_equal(columns(level, [page]), [[0.2, 0.3, 0.5, 1, 7]])
    assert level.column_names([page]) == ["p0", "p1", "p2", "l", "v"]


def test_ranks_against_naive_are_fractions_of_held_out_predictions():
    rng = np.random.default_rng(0)
    held_out = rng.integers(0, 5, (40, 2)).astype(float)
    level = LevelOne(("a", "b"), ("values",) * 2, form="ranks")
    level.learn_ranks([held_out])
    new = rng.integers(-1, 6, (7, 2)).astype(float)
    below = (held_out[np.newaxis] < new[:, np.newaxis]).mean(axis=1)
    equal = (held_out[np.newaxis] == new[:, np.newaxis]).mean(axis=1)
    np.testing.assert_allclose(columns(level, [new]), below + equal / 2)


def test_ranks_do_not_change_under_an_increasing_map():
    held_out = np.random.default_rng(1).normal(size=(30, 1))
    plain, mapped = (LevelOne(("a",), ("values",), form="ranks") for _ in range(2))
    plain.learn_ranks([held_out])
    mapped.learn_ranks([np.exp(held_out)])
    np.testing.assert_array_equal(columns(plain, [held_out]), columns(mapped, [np.exp(held_out)]))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_text_columns_pass_through_in_a_frame(frame):
    X = frame({"town": ["A", "B"], "size": [1.0, 2.0]})
    table = join_columns([np.array([[0.1], [0.2]])], X, ["member"], passthrough=True)
    assert list(table.columns) == ["member", "town", "size"]
    assert list(table["town"]) == ["A", "B"]
    assert list(table["member"]) == [0.1, 0.2]


def test_numbers_pass_through_in_an_array():
    X = pd.DataFrame({"size": [1.0, 2.0]})
    table = join_columns([np.array([[0.1], [0.2]])], X, ["member"], passthrough=True)
    np.testing.assert_array_equal(table, [[0.1, 1.0], [0.2, 2.0]])
    assert isinstance(table, np.ndarray)


def test_sparse_columns_stay_sparse():
    X = sparse.csr_array(np.eye(2))
    table = join_columns([np.array([[0.1], [0.2]])], X, ["member"], passthrough=True)
    assert sparse.issparse(table)
    np.testing.assert_array_equal(table.toarray(), [[0.1, 1, 0], [0.2, 0, 1]])
