"""Blocks of all formats: equal to the whole, also in errors and in predictions."""

import gzip
import io
import json
import random
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from nonet.auto.auto_ensemble import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.tables.blocks import read_blocks
from nonet.tables.pieces import BrokenFile
from nonet.tables.readers import read_table
from nonet.tables.table import LeveledColumn, Table
from tables.block_checks import (
    SIZES,
    assert_raises,
    check_blocks,
)
from tables.odd_tables import PLAIN

# ---- Formats -----------------------------------------------------------------------------------

N = 60
ROW = np.arange(N)
FRAME = pd.DataFrame(
    {
        "size": np.where(ROW % 7 == 0, np.nan, ROW / 3),
        "count": ROW % 11,
        "large": ROW + 2**60,
        "city": [None if i < 30 else ["Oslo", "Rome"][i % 2] for i in ROW],
        "sold": pd.array([None if i == 50 else bool(i % 3) for i in ROW], dtype="boolean"),
        "rooms": pd.array([None if i == 55 else int(i % 4) for i in ROW], dtype="Int64"),
        "bought": ROW % 3 == 0,
        "code": pd.Categorical([f"c{i % 4}" for i in ROW]),
        "day": pd.to_datetime(["2024-05-31"] * 30 + [None] + ["2024-06-02"] * 29),
        "blob": [None if i < 40 else b"b" for i in ROW],
        "nothing": [None] * N,
    }
)
ARROW = pa.Table.from_pandas(FRAME)


def write_arrow(path, make, chunk=None):
    with make(str(path), ARROW.schema) as writer:
        writer.write_table(ARROW, chunk)


def write_compressed(path, ending):
    FRAME.drop(columns="blob").to_csv(path, index=False, compression=ending)


def write_json(path):
    records = [{"a": i, "b": True} for i in range(30)] + [{"b": 2.5, "c": "x"}] + [{"a": None}]
    records += [{"c": 3, "d": 2**70, "e": float("nan")}] + [{"e": False, " a": 1}] * 30
    path.write_text("\n\n".join(map(json.dumps, records)))


WRITERS = {
    "a.parquet": lambda path: FRAME.to_parquet(path),
    "groups.parquet": lambda path: pq.write_table(ARROW, path, row_group_size=9),
    "no_statistics.parquet": lambda path: pq.write_table(
        ARROW, path, row_group_size=9, write_statistics=False
    ),
    "a.parquet.gz": lambda path: path.write_bytes(gzip.compress(parquet_bytes())),
    "polars.pq": lambda path: pl.DataFrame(FRAME.drop(columns="code")).write_parquet(path),
    "a.feather": lambda path: feather.write_feather(FRAME, path, chunksize=13),
    "file.arrow": lambda path: write_arrow(path, pa.ipc.new_file, 9),
    "stream.arrow": lambda path: write_arrow(path, pa.ipc.new_stream, 9),
    "one_batch.arrow": lambda path: write_arrow(path, pa.ipc.new_stream),
    "no_ending": lambda path: FRAME.to_parquet(path),
    "a.jsonl": write_json,
    "a.csv.gz": lambda path: write_compressed(path, "gzip"),
    "a.csv.bz2": lambda path: write_compressed(path, "bz2"),
    "a.csv.xz": lambda path: write_compressed(path, "xz"),
    "a.csv.zst": lambda path: write_zstd(path),
    "a.tsv": lambda path: FRAME.drop(columns="blob").to_csv(path, index=False, sep="\t"),
}


def parquet_bytes():
    stream = io.BytesIO()
    FRAME.to_parquet(stream)
    return stream.getvalue()


def write_zstd(path):
    with pa.CompressedOutputStream(str(path), "zstd") as stream:
        stream.write(FRAME.drop(columns="blob").to_csv(index=False).encode())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", WRITERS)
def test_blocks_of_every_format_equal_the_whole(name, size, tmp_path):
    WRITERS[name](tmp_path / name)
    check_blocks(tmp_path / name, size)


MEMORY = {
    "pandas": FRAME,
    "polars": pl.DataFrame(FRAME.drop(columns="code")),
    "arrow": ARROW,
    "dict": {"a": [1, "x", None] * 20, "b": [True, None, 2] * 20},
    "array": np.arange(120.0).reshape(60, 2),
    "table": Table(("a",), (LeveledColumn.from_values([f"v{i}" for i in range(60)]),)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", MEMORY.values(), ids=MEMORY)
def test_blocks_of_tables_in_memory_equal_the_whole(source, size):
    check_blocks(source, size)


def test_blocks_have_the_levels_of_their_rows():
    blocks = list(read_blocks(MEMORY["table"], rows_per_block=20))
    assert [len(block["a"].levels) for block in blocks] == [20, 20, 20]


@pytest.mark.parametrize("content", [PLAIN.encode(), b'{"v": 1, "w": 2, "y": "a"}\n' * 9])
def test_blocks_of_standard_input_equal_the_whole(content, monkeypatch):
    def give():
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return "-"

    whole = read_table(give())
    check_blocks(give(), 4, whole)


def test_parquet_on_standard_input_is_read_in_blocks(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(parquet_bytes())))
    assert sum(block.n_rows for block in read_blocks("-", rows_per_block=7)) == N


def test_frame_without_rows_is_one_block_without_rows():
    (block,) = read_blocks(FRAME[:0])
    assert block.names == tuple(FRAME.columns)
    assert block.n_rows == 0


# ---- Errors ------------------------------------------------------------------------------------


def rows_before(source, **how):
    """Return the rows that are read before an error, and the error."""
    blocks = []
    with pytest.raises(BrokenFile) as caught:
        blocks.extend(read_blocks(source, **how))
    return sum(block.n_rows for block in blocks), str(caught.value)


@pytest.mark.parametrize("odd_line", ["", '"two\nlines",0\n', "\n"], ids=["arrow", "quoted", "row"])
def test_rows_before_the_end_of_a_truncated_file_come_first(odd_line, tmp_path):
    rng = random.Random(0)
    rows = [f"{rng.random()},{i}\n" for i in range(40_000)]
    content = gzip.compress(("a,b\n" + odd_line + "".join(rows)).encode())
    (tmp_path / "a.csv.gz").write_bytes(content[: len(content) // 2])
    n_rows, sentence = rows_before(tmp_path / "a.csv.gz", rows_per_block=1000)
    assert 15_000 < n_rows < 25_000
    assert sentence == "a.csv.gz is damaged, or not a .gz file."
    assert_raises(sentence, lambda: read_table(tmp_path / "a.csv.gz"))


def test_rows_before_a_line_that_is_not_json_come_first(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n' * 2500 + "\n[1]\n" + '{"a": 1}\n')
    n_rows, sentence = rows_before(tmp_path / "a.jsonl", rows_per_block=1000)
    assert n_rows == 2500
    assert sentence == "a.jsonl: line 2502 is not an object of names and values."


def test_rows_before_damage_in_a_stream_of_arrow_come_first(tmp_path):
    write_arrow(tmp_path / "a.arrow", pa.ipc.new_stream, 10)
    content = (tmp_path / "a.arrow").read_bytes()
    (tmp_path / "a.arrow").write_bytes(content[: len(content) * 2 // 3])
    n_rows, sentence = rows_before(tmp_path / "a.arrow", rows_per_block=7)
    assert 0 < n_rows < N
    assert sentence == "a.arrow is damaged, or not an Arrow file."


def same_error(path):
    with pytest.raises((ValueError, TypeError)) as caught:
        read_table(path)
    with pytest.raises(type(caught.value)) as caught_in_blocks:
        list(read_blocks(path, rows_per_block=7))
    assert str(caught_in_blocks.value) == str(caught.value)
    return str(caught.value)


def test_rows_that_are_too_long_are_counted_over_the_whole_file(tmp_path, small_parts):
    (tmp_path / "a.csv").write_text("a,b\n" + "1,2\n" * 3000 + "1,2,3\n" * 1000)
    assert "1000 of 4000 rows have more values" in same_error(tmp_path / "a.csv")
    assert "the first of them row 3001" in same_error(tmp_path / "a.csv")


def test_errors_of_blocks_are_those_of_the_whole(tmp_path):
    same_error(tmp_path / "none.csv")
    same_error(tmp_path)
    (tmp_path / "empty.csv.bz2").write_bytes(b"")
    assert "is empty" in same_error(tmp_path / "empty.csv.bz2")
    ARROW[:0].to_pandas().to_parquet(tmp_path / "a.parquet")
    assert "has no rows" in same_error(tmp_path / "a.parquet")
    feather.write_feather(ARROW[:0], tmp_path / "a.feather")
    assert "has no rows" in same_error(tmp_path / "a.feather")
    pl.DataFrame({"tags": [["a"], ["b"]]}).write_parquet(tmp_path / "tags.parquet")
    assert "'tags' holds values of type" in same_error(tmp_path / "tags.parquet")
    (tmp_path / "a.jsonl").write_text('{"a": 1, "b": [1]}\n{"a": 1, "b": [2]}\n')
    assert "such as [2]" in same_error(tmp_path / "a.jsonl")


def test_mixed_types_of_json_lines_are_noted_once(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n' * 3000 + '{"a": "x"}\n')
    notes = []
    list(read_blocks(tmp_path / "a.jsonl", rows_per_block=10, notes=notes))
    assert notes == ["Column 'a' mixes int and str: it is read as text."]


def test_missing_file_is_rejected_before_the_first_block(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: no such file"):
        read_blocks(tmp_path / "none.csv")


@pytest.mark.parametrize("rows", [0, 2.5, True, "10", None])
def test_rows_per_block_that_is_no_positive_integer_is_rejected(rows):
    with pytest.raises(ValueError, match="rows_per_block must be an integer of at least 1"):
        read_blocks(FRAME, rows_per_block=rows)


# ---- Predictions -------------------------------------------------------------------------------


def write_houses(path, n_rows=120):
    rng = np.random.default_rng(3)
    city = rng.choice(["Oslo", "Rome", "Bern"], n_rows)
    rooms = rng.integers(1, 9, n_rows)
    words = np.array(["old", "new", "sunny", "dark", "quiet"])
    frame = pd.DataFrame(
        {
            "area": [f"{a:.2f}".replace(".", ",") for a in rng.normal(100, 20, n_rows)],
            "rooms": rooms,
            "city": city,
            "day": [f"{i % 28 + 1:02}/{i % 12 + 1:02}/2024" for i in range(n_rows)],
            "story": [
                f"a {rng.choice(words)} house with {rng.choice(words)} rooms, {i}"
                for i in range(n_rows)
            ],
            "sold": rng.choice(["yes", "no"], n_rows),
        }
    )
    frame["price"] = rooms * 10 + 5.0 * (city == "Oslo") + rng.normal(size=n_rows)
    frame.loc[rng.random(n_rows) < 0.1, ["area", "city", "day", "story", "sold"]] = None
    frame.to_csv(path, index=False)
    return frame


TREES = ["boosted_trees", "extra_trees", "random_forest"]


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    path = tmp_path_factory.mktemp("houses") / "houses.csv"
    return path, write_houses(path)


def fit_and_predict(houses, task, families):
    """Return the predictions for the whole file, and a function of the rows per block."""
    path, frame = houses
    kind = AutoEnsembleClassifier if task == "classification" else AutoEnsembleRegressor
    model = kind(time_limit=None, max_tasks=8, random_state=0, cv=2, families=families)
    y = frame["price"] > 50 if task == "classification" else frame["price"]
    table = read_table(path)
    model.fit(table.without("price"), y)
    assert {"number", "category", "date", "text", "boolean"} <= {
        kind.kind for kind in model.encoder_.kinds_.values()
    }
    predict = model.predict_proba if task == "classification" else model.predict

    def predict_blocks(size):
        blocks = read_blocks(path, rows_per_block=size)
        return np.concatenate([predict(block) for block in blocks])

    return predict(table), predict_blocks


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_predictions_of_blocks_equal_those_of_the_whole(houses, task):
    whole, predict_blocks = fit_and_predict(houses, task, TREES)
    for size in (1, 7, 50):
        np.testing.assert_array_equal(predict_blocks(size), whole)


@pytest.mark.parametrize(
    ("family", "rtol"),
    [
        ("linear", 1e-10),
        ("network", 1e-10),
        ("neighbors", 1e-4),  # the distance to a row of fit is a difference of large products
    ],
)
def test_predictions_by_matrix_products_differ_by_rounding_only(houses, family, rtol):
    """BLAS rounds a product of matrices by the number of its rows."""
    whole, predict_blocks = fit_and_predict(houses, "regression", [family])
    for size in (1, 7, 50):
        np.testing.assert_allclose(predict_blocks(size), whole, rtol=rtol)
