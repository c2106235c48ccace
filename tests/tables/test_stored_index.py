"""The index that pandas stores in files."""

from __future__ import annotations

import pandas as pd
import pytest

from nonet.tables.blocks import read_blocks
from nonet.tables.readers import read_table

FRAME = pd.DataFrame({"size": [3.0, 1.0, 2.0, 5.0]}, index=[9, 4, 7, 1])


@pytest.fixture(params=["parquet", "feather"])
def path(request, tmp_path):
    path = tmp_path / f"table.{request.param}"
    if request.param == "parquet":
        FRAME.to_parquet(path)
    else:
        pyarrow = pytest.importorskip("pyarrow.feather")
        pyarrow.write_feather(_arrow(FRAME), path)
    return path


def _arrow(frame):
    import pyarrow

    return pyarrow.Table.from_pandas(frame)


def test_index_without_a_name_is_no_column(path):
    notes = []
    assert read_table(path, notes=notes).names == ("size",)
    assert notes == ["The index of a pandas frame is left out: '__index_level_0__'."]


def test_blocks_are_without_it_too(path):
    assert [block.names for block in read_blocks(path)] == [("size",)]


def test_index_with_a_name_is_a_column(tmp_path):
    FRAME.rename_axis("plot").to_parquet(tmp_path / "table.parquet")
    assert set(read_table(tmp_path / "table.parquet").names) == {"size", "plot"}
