"""What blocks of a table must be: concatenated, the table that is read as a whole."""

import numpy as np
import pytest

from nonet.tables.blocks import read_blocks
from nonet.tables.encoder import TableEncoder
from nonet.tables.readers import read_table
from nonet.tables.table import LeveledColumn
from nonet.tables.table_parts import join_tables

SIZES = [1, 7, 1000]
MANY_ROWS = 20_000  # too many for blocks of few rows


def assert_same_column(one, other):
    assert type(one) is type(other)
    if isinstance(one, LeveledColumn):
        assert one.is_categorical == other.is_categorical
        assert one.values().tolist() == other.values().tolist()
    else:
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def assert_same_table(one, other):
    assert one.names == other.names
    for name, column, expected in zip(one.names, one.columns, other.columns, strict=True):
        try:
            assert_same_column(column, expected)
        except AssertionError as why:
            raise AssertionError(f"column {name!r}: {why}") from why


def assert_same_encoded(blocks, whole):
    """Encode blocks by what was learned from the whole table; the numbers are the same bits."""
    try:
        encoder = TableEncoder().fit(whole)
    except ValueError:  # nothing to learn from
        return
    expected = encoder.transform(whole, notes=[])
    found = [encoder.transform(block, notes=[]) for block in blocks]
    values = np.vstack([one.values for one in found])
    np.testing.assert_array_equal(values, expected.values)
    assert np.ascontiguousarray(values).tobytes() == expected.values.tobytes("C")
    for name, column in expected.texts.items():
        texts = [text for one in found for text in one.texts[name].values().tolist()]
        assert texts == column.values().tolist()


def assert_raises(sentence, call):
    with pytest.raises(ValueError) as caught:  # noqa: PT011, the whole sentence is compared
        call()
    assert str(caught.value) == sentence


def check_blocks(source, rows_per_block, whole=None):
    notes, notes_of_whole = [], []
    whole = read_table(source, notes=notes_of_whole) if whole is None else whole
    blocks = list(read_blocks(source, rows_per_block=rows_per_block, notes=notes))
    assert [block.n_rows for block in blocks[:-1]] == [rows_per_block] * (len(blocks) - 1)
    assert 0 < blocks[-1].n_rows <= rows_per_block
    assert all(block.names == whole.names for block in blocks)
    assert_same_encoded(blocks, whole)
    assert_same_table(join_tables(blocks), whole)
    if notes_of_whole:
        assert notes == notes_of_whole
