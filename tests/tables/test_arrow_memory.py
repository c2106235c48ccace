"""pyarrow's readers get no memory of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nonet.tables.arrow_memory import open_in_arrow
from nonet.tables.csv_files import arrow_rows
from nonet.tables.readers import read_table

pyarrow = pytest.importorskip("pyarrow")
csv = pytest.importorskip("pyarrow.csv")
parquet = pytest.importorskip("pyarrow.parquet")


def test_open_in_arrow_is_a_copy_that_does_not_hold_what_it_was_given() -> None:
    content = bytearray(b"1,a\n")
    opened = open_in_arrow(content)
    content.extend(b"2,b\n")  # raises BufferError while anybody reads it in place
    assert opened.read() == b"1,a\n"


def test_open_in_arrow_takes_empty_content_and_a_part_of_a_file() -> None:
    assert open_in_arrow(b"").read() == b""
    assert open_in_arrow(memoryview(b"size\n1\n")[5:]).read() == b"1\n"


def test_reading_csv_lends_no_memory_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    content, n_calls = bytearray(b"1,a\n2,b\n"), 0
    read_csv = csv.read_csv

    def read_while_content_grows(*args: Any, **options: Any) -> Any:
        nonlocal n_calls
        n_calls += 1
        content.extend(b"3,c\n")
        return read_csv(*args, **options)

    monkeypatch.setattr(csv, "read_csv", read_while_content_grows)
    cells = arrow_rows.read_cells(content, ",", [pyarrow.int64(), pyarrow.string()])
    assert (n_calls, cells.num_rows) == (1, 2)


@pytest.mark.parametrize("name", ["sizes.parquet", "sizes.arrow"])
def test_reading_parquet_and_arrow_lends_no_memory_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table = pyarrow.table({"size": [1, 2]})
    path = tmp_path / name
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with pyarrow.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)

    lent: list[Any] = []
    reader = pyarrow.BufferReader

    def noted(memory: Any) -> Any:
        lent.append(memory)
        return reader(memory)

    monkeypatch.setattr(pyarrow, "BufferReader", noted)
    np.testing.assert_array_equal(read_table(path)["size"], [1, 2])
    assert lent
    assert all(isinstance(one, pyarrow.Buffer) and one.is_mutable for one in lent)
