"""Tests of the readers of files."""

import io
import json
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather

from nonet.tables.csv_files.arrow_rows import read_with_arrow
from nonet.tables.csv_files.dialect import as_utf8, find_dialect
from nonet.tables.csv_files.reader import read_csv
from nonet.tables.csv_files.rows import read_rows
from nonet.tables.encoder import TableEncoder
from nonet.tables.readers import read_table
from nonet.tables.table import LeveledColumn, Table
from tables.odd_tables import ODD_TABLES, PLAIN

FRAME = pd.DataFrame(
    {
        "size": [1.5, np.nan, 3.0],
        "count": [1, 2, 3],
        "city": ["Oslo", None, "Rome"],
        "day": pd.to_datetime(["2024-05-31", None, "2024-06-01"]),
    }
)
CSV_FILES = [odd for odd in ODD_TABLES if odd.error is None and odd.file_name.endswith(".csv")]


def write_stream(frame, path):
    table = pa.Table.from_pandas(frame)
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


WRITERS = {
    "a.parquet": lambda path: FRAME.to_parquet(path),
    "a.pq": lambda path: pl.DataFrame(FRAME).write_parquet(path),
    "a.feather": lambda path: feather.write_feather(FRAME, path),
    "a.arrow": lambda path: write_stream(FRAME, path),
    "a.ipc": lambda path: pl.DataFrame(FRAME).write_ipc(path),
    "no_ending": lambda path: FRAME.to_parquet(path),
    "also_none": lambda path: feather.write_feather(FRAME, path, compression="uncompressed"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_columns_are_read(name, tmp_path):
    WRITERS[name](tmp_path / name)
    table = read_table(tmp_path / name)
    assert table.names == tuple(FRAME.columns)
    np.testing.assert_array_equal(table["size"], FRAME["size"])
    np.testing.assert_array_equal(table["count"], FRAME["count"])
    np.testing.assert_array_equal(table["day"], FRAME["day"].to_numpy())
    assert table["city"].values().tolist() == ["Oslo", None, "Rome"]


def test_json_lines_are_read(tmp_path):
    lines = [json.dumps({"a": i, "b": "x"}) for i in range(3)] + ["", json.dumps({"b": "y"})]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    table = read_table(str(tmp_path / "a.jsonl"))
    np.testing.assert_array_equal(table["a"], [0, 1, 2, np.nan])
    assert table["b"].values().tolist() == ["x", "x", "x", "y"]


def test_zstd_is_read(tmp_path):
    with pa.CompressedOutputStream(str(tmp_path / "a.csv.zst"), "zstd") as stream:
        stream.write(PLAIN.encode())
    assert read_table(tmp_path / "a.csv.zst").n_rows == 60


@pytest.mark.parametrize("content", [PLAIN.encode(), b'{"v": 1, "w": 2, "y": "a"}\n'])
def test_standard_input_is_read(content, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert read_table("-").names == ("v", "w", "y")


def test_frames_and_tables_pass():
    assert read_table(FRAME).names == tuple(FRAME.columns)
    table = Table(("a",), (np.zeros(1),))
    assert read_table(table) is table


@pytest.mark.parametrize("odd", CSV_FILES, ids=lambda odd: odd.name)
def test_both_readers_of_csv_give_the_same_table(odd):
    content = as_utf8(odd.content, odd.name, None)
    dialect = find_dialect(content, odd.name)
    fast = read_with_arrow(content, dialect)
    if fast is None:  # rows that only Python's reader reads
        return
    slow = read_rows(content, dialect, odd.name, None)
    assert fast[0] == slow[0]
    for one, other in zip(fast[1], slow[1], strict=True):
        assert type(one) is type(other)
        if isinstance(one, LeveledColumn):
            assert one.values().tolist() == other.values().tolist()
        else:
            np.testing.assert_array_equal(one, other)


def test_most_odd_files_are_read_by_arrow():
    """The comparison of both readers would be empty without."""
    contents = [as_utf8(odd.content, odd.name, None) for odd in CSV_FILES]
    fast = [read_with_arrow(c, find_dialect(c, "a.csv")) is not None for c in contents]
    assert sum(fast) > 0.6 * len(fast)


def without_pyarrow(monkeypatch):
    for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)


def test_csv_is_read_without_pyarrow(monkeypatch):
    with_arrow = read_csv(PLAIN.encode(), "a.csv")
    without_pyarrow(monkeypatch)
    without = read_csv(PLAIN.encode(), "a.csv")
    for name in ("v", "w"):
        np.testing.assert_array_equal(without[name], with_arrow[name])
    assert without["y"].values().tolist() == with_arrow["y"].values().tolist()


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.csv.zst"])
def test_files_that_need_pyarrow_name_what_to_install(name, tmp_path, monkeypatch):
    (tmp_path / name).write_bytes(b"x")
    without_pyarrow(monkeypatch)
    with pytest.raises(ValueError, match=r"needs pyarrow: pip install nonet\[app\]\.$"):
        read_table(tmp_path / name)


def test_file_that_is_not_there_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="none.csv' cannot be read: no such file or directory.$"):
        read_table(tmp_path / "none.csv")


def test_folder_is_rejected(tmp_path):
    with pytest.raises(ValueError, match="is a folder"):
        read_table(tmp_path)


def test_empty_parquet_is_rejected(tmp_path):
    FRAME[:0].to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="a.parquet has no rows"):
        read_table(tmp_path / "a.parquet")


def test_nested_columns_of_files_are_rejected(tmp_path):
    pl.DataFrame({"tags": [["a"], ["b"]]}).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(TypeError, match="'tags' holds values of type"):
        read_table(tmp_path / "a.parquet")


@pytest.mark.parametrize("sep", [",", ";", "\t", "|"])
@pytest.mark.parametrize("decimal", [".", ","])
def test_what_pandas_writes_is_read_back(sep, decimal, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": rng.normal(size=50).round(3),
            "b": rng.integers(0, 9, 50),
            "c": rng.choice(["x, y", 'a "b" c', "two\nlines", "ümlaut;|"], 50),
        }
    )
    frame.loc[3, "a"] = np.nan
    frame.to_csv(tmp_path / "a.csv", sep=sep, decimal=decimal, index=False)
    table = read_table(tmp_path / "a.csv")
    encoded = TableEncoder().fit_transform(table)
    np.testing.assert_array_equal(encoded.values[:, 0], frame["a"])
    np.testing.assert_array_equal(encoded.values[:, 1], frame["b"])
    assert table["c"].values().tolist() == frame["c"].tolist()


def test_long_names_of_a_quoted_header_are_read():
    table = read_csv(b'"a\nb","c, d"\n1,2\n3,4\n', "a.csv")
    assert table.names == ("a\nb", "c, d")
    np.testing.assert_array_equal(table["c, d"], [2, 4])


def test_value_of_a_megabyte_is_read():
    table = read_csv(b"a,b\n1," + b"x" * 2**20 + b"\n2,y\n3\n", "a.csv")
    assert len(table["b"].levels[0]) == 2**20
