from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from nonet._base.frames import (
    check_columns_have_values,
    count_rows,
    take_columns,
    take_rows,
)

ROWS, COLUMNS = np.array([2, 0, 2]), np.array([1, 0])
NUMBERS = np.arange(12.0).reshape(4, 3)
TABLES = {
    "numpy": NUMBERS,
    "csr": sparse.csr_array(NUMBERS),
    "csr_matrix": sparse.csr_matrix(NUMBERS),
    "csc": sparse.csc_array(NUMBERS),
    "csc_matrix": sparse.csc_matrix(NUMBERS),
    "pandas": pd.DataFrame(NUMBERS, columns=list("abc"), index=[9, 8, 7, 6]),
    "polars": pl.DataFrame(NUMBERS, schema=list("abc")),
}
every_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def numbers_in(table):
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


@every_table
def test_rows_are_counted(table):
    assert count_rows(table) == 4


def test_rows_of_a_list_are_counted():
    assert count_rows([[1], [2]]) == 2


@every_table
def test_rows_are_taken_by_position_in_the_same_kind_of_table(table):
    taken = take_rows(table, ROWS)
    assert type(taken) is type(table)
    np.testing.assert_array_equal(numbers_in(taken), NUMBERS[ROWS])


@every_table
def test_columns_are_taken_by_position_in_the_same_kind_of_table(table):
    taken = take_columns(table, COLUMNS)
    assert type(taken) is type(table)
    np.testing.assert_array_equal(numbers_in(taken), NUMBERS[:, COLUMNS])


def test_columns_of_a_frame_keep_their_names():
    assert list(take_columns(TABLES["pandas"], COLUMNS).columns) == ["b", "a"]
    assert take_columns(TABLES["polars"], COLUMNS).columns == ["b", "a"]


def test_rows_of_a_list_are_taken():
    assert take_rows(["a", "b", "c"], ROWS) == ["c", "a", "c"]


@every_table
def test_none_takes_the_table_itself(table):
    assert take_rows(table, None) is table
    assert take_columns(table, None) is table


@pytest.mark.parametrize("kind", [sparse.coo_array, sparse.csc_array, sparse.bsr_array])
def test_rows_and_columns_of_any_sparse_table_are_taken(kind):
    table = kind(NUMBERS)
    np.testing.assert_array_equal(take_rows(table, ROWS).toarray(), NUMBERS[ROWS])
    np.testing.assert_array_equal(take_columns(table, COLUMNS).toarray(), NUMBERS[:, COLUMNS])


@every_table
def test_columns_with_values_pass(table):
    check_columns_have_values("owner", table)


GAPS = np.array([[np.nan, 1.0, np.nan], [2.0, np.nan, np.nan]])


@pytest.mark.parametrize(
    "table",
    [
        GAPS,
        GAPS.astype(object),
        sparse.csr_array(GAPS),
        sparse.csc_matrix(GAPS),
        pd.DataFrame(GAPS),
        pd.DataFrame({0: ["a", None], 1: [1.0, np.nan], 2: pd.array([pd.NA, pd.NA], "Int64")}),
        pd.DataFrame({0: [None, "a"], 1: [1, 2], 2: pd.Categorical([None, None], ["a"])}),
        pl.DataFrame({"0": ["a", None], "1": [1, 2], "2": [None, None]}),
    ],
    ids=["float", "object", "csr", "csc", "pandas", "nullable", "category", "polars"],
)
def test_column_without_a_value_is_refused(table):
    with pytest.raises(
        ValueError, match="str: column at position 2 of X is missing in every row.*drop"
    ):
        check_columns_have_values("owner", table)


def test_cells_that_hold_arrays_are_not_missing():
    check_columns_have_values("owner", pd.DataFrame({"pair": [np.array([1, 2]), np.array([3, 4])]}))
    check_columns_have_values("owner", pl.DataFrame({"pair": [[1, 2], [3, 4]]}))


def test_column_without_a_value_is_named():
    class Owner:
        feature_names_in_ = np.array(["a", "b", "age"], dtype=object)

    with pytest.raises(ValueError, match="Owner: column 'age' of X"):
        check_columns_have_values(Owner(), GAPS)
