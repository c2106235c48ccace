"""Tests of tables from frames, arrays, dictionaries and lists."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from nonet.tables.as_table import as_column, as_table
from nonet.tables.table import LeveledColumn, Table

DAY = dt.datetime(2024, 5, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=2)))
VALUES = {
    "integer": [1, 2, 3],
    "nullable": [1, None, 3],
    "boolean": [True, False, True],
    "missing_boolean": [True, None, False],
    "text": ["b", None, "a"],
    "zoned": [DAY, None, DAY],
    "duration": [dt.timedelta(seconds=1.5), None, dt.timedelta(0)],
    "decimal": [Decimal("1.5"), None, Decimal(2)],
    "time": [dt.time(1, 30), None, dt.time(0)],
    "day": [dt.date(2024, 5, 1), None, dt.date(1969, 12, 31)],
    "nothing": [None, None, None],
}


class Offering:
    """A frame of an unknown library, which offers its columns by Arrow's interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


FRAMES = {
    "dict": VALUES,
    "records": [dict(zip(VALUES, row, strict=True)) for row in zip(*VALUES.values(), strict=True)],
    "pandas": pd.DataFrame(VALUES),
    "pandas of Arrow": pa.table(VALUES).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas with NA": pd.DataFrame(VALUES).convert_dtypes(),
    "polars": pl.DataFrame(VALUES),
    "arrow": pa.table(VALUES),
    "batch": pa.RecordBatch.from_pydict(VALUES),
    "capsules": Offering(pa.table(VALUES)),
}


@pytest.mark.parametrize("frame", FRAMES)
def test_every_library_gives_the_same_table(frame):
    table = as_table(FRAMES[frame])
    assert table.names == tuple(VALUES)
    noon = np.datetime64("2024-05-01T10:00:00", "us")
    expected = {
        "integer": [1, 2, 3],
        "nullable": [1, np.nan, 3],
        "boolean": [True, False, True],
        "missing_boolean": [1, np.nan, 0],
        "zoned": np.array([noon, "NaT", noon], dtype="datetime64[us]"),
        "duration": [1.5, np.nan, 0],
        "decimal": [1.5, np.nan, 2],
        "time": [5400, np.nan, 0],
        "day": np.array(["2024-05-01", "NaT", "1969-12-31"], dtype="datetime64[us]"),
        "nothing": [np.nan] * 3,
    }
    for name, values in expected.items():
        is_number = table[name].dtype.kind in "if"  # pandas' nullable integers become floats
        assert is_number or table[name].dtype.kind == np.asarray(values).dtype.kind, name
        np.testing.assert_array_equal(table[name], values, err_msg=name)
    assert table["text"].values().tolist() == ["b", None, "a"]
    assert not table["text"].is_categorical


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([3, None, 1], dtype="category"),
        pl.Series(["3", None, "1"], dtype=pl.Enum(["1", "3"])),
        pa.array(["3", None, "1"]).dictionary_encode(),
        pd.Categorical([3, None, 1]),
    ],
    ids=["pandas", "polars", "arrow", "array of pandas"],
)
def test_declared_categories_are_text_and_stay_declared(column):
    found = as_column(column, "code")
    assert found.is_categorical
    assert found.values().tolist() == ["3", None, "1"]
    assert found.take(np.array([0])).is_categorical


def test_array_has_numbered_names():
    table = as_table(np.eye(2))
    assert table.names == ("x0", "x1")
    np.testing.assert_array_equal(table["x1"], [0, 1])


def test_list_of_rows_keeps_numbers_beside_text():
    table = as_table([[1, "a"], [2, "b"]])
    np.testing.assert_array_equal(table["x0"], [1, 2])
    assert table["x1"].values().tolist() == ["a", "b"]


def test_structured_array_has_the_names_of_its_fields():
    table = as_table(np.array([(1, "a")], dtype=[("size", int), ("city", "U3")]))
    assert table.names == ("size", "city")
    assert table["city"].values().tolist() == ["a"]


def test_masked_values_are_missing():
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    np.testing.assert_array_equal(as_column(masked, "size"), [1, np.nan])


def test_mixed_column_is_text_with_a_note():
    notes = []
    table = as_table({"mixed": [1, "a", 2.0, None, b"c"]}, notes=notes)
    assert table["mixed"].values().tolist() == ["1", "a", "2", None, "c"]
    assert notes == ["Column 'mixed' mixes bytes and float and int and str: it is read as text."]


def test_values_of_equal_text_are_one_level():
    column = as_column(np.array([1, "1", "x"], dtype=object), "mixed")
    assert column.levels.tolist() == ["1", "x"]
    assert column.codes.tolist() == [0, 0, 1]


def test_names_that_stand_twice_or_not_at_all_are_repaired():
    frame = pd.DataFrame(np.eye(3), columns=["size", "size", ""])
    notes = []
    assert as_table(frame, notes=notes).names == ("size", "size_2", "column_3")
    assert len(notes) == 2
    assert "stood twice" in notes[0]
    assert "had no name" in notes[1]


def test_repaired_name_is_not_taken_by_a_later_column():
    frame = pd.DataFrame(np.eye(3), columns=["a", "a", "a_2"])
    assert as_table(frame).names == ("a", "a_3", "a_2")


def test_names_of_several_levels_are_joined():
    frame = pd.DataFrame(np.eye(2), columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]))
    assert as_table(frame).names == ("a_1", "a_2")


def test_table_stays_what_it_is():
    table = Table(("city",), (LeveledColumn.from_values(["a"]),))
    assert as_table(table) is table


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (pl.DataFrame({"tags": [["a"], ["b"]]}), TypeError, "'tags' holds values of type List"),
        (pa.table({"at": [{"x": 1}]}), TypeError, "'at' holds values of type struct"),
        (pd.DataFrame({"tags": [["a"], []]}), TypeError, "'tags' holds values of type list"),
        ({"z": [1j, 2j]}, TypeError, "'z' holds complex numbers"),
        ({"a": [1], "b": [1, 2]}, ValueError, "'a' has 1 and 'b' has 2"),
        ({"a": 1}, TypeError, "'a' must be a list or an array"),
        ({"a": np.eye(2)}, ValueError, "'a' must have one dimension"),
        (csr_array(np.eye(2)), TypeError, "sparse"),
        (3, TypeError, "but got 3"),
        ("a.csv", TypeError, "but got 'a.csv'"),
        ([[1], [1, 2]], ValueError, "same number of values"),
        ([1, 2], ValueError, "Expected 2D array"),
    ],
)
def test_as_table_rejects_what_is_no_table(X, error, message):
    with pytest.raises(error, match=message):
        as_table(X)
