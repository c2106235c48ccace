"""Tests of targets: the task, the classes, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from nonet.tables.as_table import as_column, as_table
from nonet.tables.target import find_target, understand_target

N = 100
ROW = np.arange(N)


def target_of(values, task=None):
    return understand_target(as_column(values, "y"), "y", task)


TASKS = {
    "text": (["b", "a"] * 50, ["a", "b"]),
    "booleans": (ROW % 2 == 0, [False, True]),
    "booleans with missing": ([True, False, None] * 10, [0, 1]),
    "zero and one": (ROW % 2, [0, 1]),
    "two floats": ([0.5, 1.5, 0.5] * 10, None),  # classifiers take no fractions as labels
    "two whole floats": ([0.0, 1.0, 0.0] * 10, [0.0, 1.0]),
    "few integers": (ROW % 3 + 1, [1, 2, 3]),
    "few integers as floats": (np.where(ROW == 0, np.nan, ROW % 3), [0, 1, 2]),
    "few integers in writing": ([str(i % 3) for i in ROW], [0, 1, 2]),
    "numbers and a word": ([*map(str, ROW % 20), "high"], sorted(["high", *map(str, range(20))])),
    "declared": (pd.Categorical(ROW % 30), sorted(str(i) for i in range(30))),
    "declared dates": (
        pd.Categorical(["2024-01-02", "2024-01-01"] * 9),
        ["2024-01-01", "2024-01-02"],
    ),
    "floats": (ROW / 7, None),
    "many integers": (ROW, None),
    "many integers, few rows of each": (ROW % 21, None),
    "numbers in writing": ([f"{i / 7:.2f}" for i in ROW], None),
    "numbers in writing, and a mark": ([*map(str, ROW / 7), "-", "unknown"], None),
    "many numbers in writing, and a word": ([*map(str, ROW / 7), "huh"], None),
    "decimal commas": ([f"{i},25" for i in ROW], None),
}


@pytest.mark.parametrize("case", TASKS)
def test_task_is_found_from_values(case):
    values, classes = TASKS[case]
    target = target_of(values)
    assert target.task == ("regression" if classes is None else "classification")
    assert target.reason
    if classes is not None:
        assert target.classes.tolist() == classes
        assert target.values.dtype == np.int64


def test_labels_are_those_of_the_user():
    target = target_of(["b", "a", None, "b", " a "])
    assert target.values.tolist() == [1, 0, 1, 0]
    assert target.labels.tolist() == ["b", "a", "b", "a"]
    assert target.rows.tolist() == [0, 1, 3, 4]
    assert target.n_missing == 1
    assert "missing in 1 row; such rows are left out" in target.notes()[1]


@pytest.mark.parametrize("mark", ["", "NA", "?", None])
def test_marks_for_missing_are_no_class(mark):
    target = target_of(["a", "b", mark] * 5)
    assert target.classes.tolist() == ["a", "b"]
    assert target.n_missing == 5


def test_numbers_of_a_regression_are_those_of_the_user():
    target = target_of([1.5, np.nan, 2.5, 7.0])
    assert target.values.tolist() == [1.5, 2.5, 7.0]
    assert target.classes is None
    assert target.labels is target.values


def test_task_can_be_set():
    assert target_of(ROW % 3, "regression").task == "regression"
    assert target_of(ROW % 25, "classification").classes.tolist() == list(range(25))
    assert target_of(["1", "2", "3"] * 5, "regression").values[0] == 1.0


@pytest.mark.parametrize(
    ("values", "task", "message"),
    [
        (["a"] * 5, None, "'y' has one class only, 'a'"),
        ([1, 1, 1], "regression", "'y' is 1 in all rows"),
        ([1, 1, 1], None, "'y' is 1 in all rows"),
        ([None] * 5, None, "missing in all rows"),
        (["", "NA"], None, "missing in all rows"),
        ([1.5, np.inf, 2.5], None, "infinite in 1 row, the first of which is row 2"),
        ([0, np.inf, 1] * 5, "classification", "infinite in 5 rows"),
        (["a", "b"] * 5, "regression", "must hold numbers for a regression, but holds 'a'"),
        (["1", "2", "high"] * 5, "regression", "but holds 'high'"),
        ([f"name {i}" for i in ROW], None, "a class of its own in each of 100 rows"),
        (["2024-01-01", "2024-01-02"] * 5, None, "holds dates such as '2024-01-01'"),
        (np.datetime64("2024-01-01") + ROW, None, "holds dates"),
        ([], None, "no rows"),
        ([1, 2], "ranking", "task must be 'classification' or 'regression'"),
    ],
)
def test_understand_target_rejects(values, task, message):
    with pytest.raises(ValueError, match=message):
        target_of(values, task)


def test_target_is_found_in_any_case():
    table = as_table({"Price": [1], "size": [1]})
    assert find_target(table, "Price") == "Price"
    assert find_target(table, "price ") == "Price"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("prize", "no column 'prize'; did you mean 'Price'"),
        ("color", "no column 'color'; its columns are 'Price', 'size'"),
        (None, "Name the column to predict"),
    ],
)
def test_find_target_rejects_unknown_names(target, message):
    with pytest.raises(ValueError, match=message):
        find_target(as_table({"Price": [1], "size": [1]}), target)


def test_find_target_rejects_positions():
    with pytest.raises(TypeError, match="name of a column, but got 3"):
        find_target(as_table({"a": [1]}), 3)


def test_words_that_are_read_as_missing_are_named():
    target = target_of(["b", "a", "NA", "b", "a", " NA", None, "?", ""])
    assert target.classes.tolist() == ["a", "b"]
    assert target.n_missing == 5
    assert target.notes()[-1] == (
        "'NA' in 2 rows and '?' in 1 row are read as missing; if they are "
        "classes, write another word in the table."
    )


def test_empty_values_alone_are_missing_without_a_hint():
    assert target_of(["b", "a", "", "b", "a", None]).marks == ""


def test_region_beside_na_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="one class only, 'EU'.*'NA' in 5 rows is read as missing"):
        target_of(["NA", "EU"] * 5)
