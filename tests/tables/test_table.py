"""Tests of tables in memory."""

import numpy as np
import pytest

from nonet.tables.table import LeveledColumn, Table


def make_table():
    return Table(
        ("size", "city"),
        (np.array([1.0, 2.0, np.nan]), LeveledColumn.from_values(["b", None, "b"])),
    )


def test_leveled_column_returns_the_values_it_was_made_of():
    values = ["b", None, "a", "b", ""]
    column = LeveledColumn.from_values(values)
    assert column.values().tolist() == values
    assert column.counts().tolist() == [2, 1, 1]


def test_taken_rows_keep_their_values():
    taken = make_table().take(np.array([2, 1]))
    np.testing.assert_array_equal(taken["size"], [np.nan, 2.0])
    assert taken["city"].values().tolist() == ["b", None]


def test_selected_columns_are_in_the_given_order():
    assert make_table().select(["city", "size"]).names == ("city", "size")
    assert make_table().without("size").names == ("city",)
    assert "size" in make_table()


@pytest.mark.parametrize(
    ("names", "columns", "message"),
    [
        (("a", "a"), (np.zeros(1), np.zeros(1)), "'a' names two columns"),
        (("a",), (np.zeros(1), np.zeros(1)), "a name for each of its 2 columns"),
        (("a", "b"), (np.zeros(1), np.zeros(2)), "same number of rows"),
    ],
)
def test_table_rejects_columns_that_do_not_fit(names, columns, message):
    with pytest.raises(ValueError, match=message):
        Table(names, columns)
