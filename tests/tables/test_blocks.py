"""Blocks of tables in CSV: concatenated, they are the table that is read as a whole."""

import random
import sys

import numpy as np
import pytest

from nonet.tables.blocks import read_blocks
from nonet.tables.csv_files.arrow_parts import ArrowParts
from nonet.tables.csv_files.dialect import SAMPLE
from nonet.tables.csv_files.parts import csv_parts
from nonet.tables.csv_files.reader import read_csv
from nonet.tables.csv_files.record_parts import end_of_records, whole_records
from nonet.tables.date_text import parse_dates
from nonet.tables.number_text import parse_numbers
from nonet.tables.readers import read_table
from nonet.tables.table_parts import join_tables
from tables.block_checks import (
    MANY_ROWS,
    SIZES,
    assert_raises,
    assert_same_encoded,
    assert_same_table,
    check_blocks,
)
from tables.odd_tables import ODD_TABLES
from tables.test_mutated_files import SOURCES, mutate

# ---- Odd tables --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("odd", ODD_TABLES, ids=lambda odd: odd.name)
def test_blocks_of_odd_tables_equal_the_whole(odd, size, tmp_path):
    path = tmp_path / odd.file_name
    path.write_bytes(odd.content)
    try:
        whole = read_table(path)
    except ValueError as why:
        assert_raises(str(why), lambda: list(read_blocks(path, rows_per_block=size)))
        return
    if whole.n_rows <= MANY_ROWS or size == max(SIZES):
        check_blocks(path, size)


@pytest.mark.parametrize("size", [7, 1000])
@pytest.mark.parametrize("odd", ODD_TABLES, ids=lambda odd: odd.name)
def test_blocks_of_odd_tables_without_pyarrow_equal_the_whole(odd, size, tmp_path, monkeypatch):
    if not odd.file_name.startswith("table.csv") or len(odd.content) > 100_000:
        return
    for name in ("pyarrow", "pyarrow.csv", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    test_blocks_of_odd_tables_equal_the_whole(odd, size, tmp_path)


def read_in_pieces(content, n_bytes, notes=None):
    """Read a file in pieces of few bytes, so that anything can be cut anywhere."""
    pieces = [content[start : start + n_bytes] for start in range(0, len(content), n_bytes)]
    return list(csv_parts(lambda: iter(pieces), "a.csv", notes))


@pytest.mark.parametrize("seed", range(8))
def test_mutated_file_is_the_same_in_parts_of_few_rows(seed, small_parts):
    rng, n_tables = random.Random(seed), 0
    for _ in range(40):
        content = mutate(rng.choice(SOURCES), rng)
        notes, notes_of_whole = [], []
        try:
            whole = read_csv(content, "a.csv", notes_of_whole)
        except ValueError as why:
            assert_raises(str(why), lambda content=content: read_in_pieces(content, 50))
            continue
        parts = read_in_pieces(content, 50, notes)
        assert notes == notes_of_whole
        assert_same_encoded(parts, whole)
        assert_same_table(join_tables(parts), whole)
        n_tables += 1
    assert n_tables > 20


# ---- What the whole file decides ---------------------------------------------------------------


LATE = {
    "word among numbers": ["1.50,x\n"] * 40 + ["soon,x\n"],
    "numbers after text": ["soon,x\n"] + ["1.50,x\n"] * 40,
    "missing, then integers": ["NA,x\n"] * 40 + ["3,x\n"],
    "integers, then missing": ["3,x\n"] * 40 + [",x\n"],
    "integers, then a float": ["3,x\n"] * 40 + ["1e3,x\n"],
    "integers beyond 64 bits": ["3,x\n"] * 40 + ["99999999999999999999,x\n"],
    "integers, then a postal code": ["3,x\n"] * 40 + ["04109,x\n"],
    "hexadecimal": ["0x10,x\n"] * 40 + ["1.5,x\n"],
    "infinity and words for NaN": ["inf,x\n", "-nan,x\n"] * 20,
    "space around numbers": ["3,x\n"] * 40 + [" 4 ,x\n", "NA ,x\n"],
    "space after a delimiter": [" lead,x\n"] * 40 + ["lead, x\n"],
    "decimal comma": ['"1,234",x\n'] * 40 + ['"1,5",x\n'],
    "month first": ["03/04/2024,x\n"] * 40 + ["03/14/2024,x\n"],
    "dates and the year 0": ["2024-01-05,x\n"] * 40 + ["0000-01-05,x\n"],
    "long exponents": ["1e0003,x\n"] * 40 + ["4 %,x\n"],
    "text with numbers": [f"story number {i},x\n" for i in range(40)] + ["1.50,x\n", "NA,x\n"],
    "quoted line ends": ['"two\nlines, one value",x\n'] * 41,
    "quote within a value": ['5" pipe,x\n'] * 20 + ['"a ""b"", c",x\n'] * 20,
    "all rows with a name": ["r,1,x\n"] * 41,
    "rows with a name, but one": ["r,1,x\n"] * 3 + ["1,x\n"] * 40,
    "late names of rows": ["1,x,\n"] * 20 + ["1,x,z\n"],
    "late empty line": ["1,x\n"] * 40 + ["\n", "2,y\n"],
    "late short row": ["1,x\n"] * 40 + ["2\n"],
    "late long rows": ["1,x\n"] * 40 + ["2,y,z\n"] * 2,
    "empty ends": ["1,x,,\n"] * 40 + ["1,x\n"],
    "old line ends": ["1,x\n"] * 40 + ["2,y\r3,z\r\n"],
    "empty lines at the end": ["1,x\n"] * 40 + ["\n"] * 50,
    "unclosed quote": ["1,x\n"] * 40 + ['2,"y\n', "3,z\n"],
    "yes and no": ["yes,x\n", "no,x\n"] * 20 + ["1,x\n"],
    "missing text": [",x\n"] * 40 + ["word,\n"],
}


@pytest.mark.parametrize("rows", LATE.values(), ids=LATE)
@pytest.mark.parametrize("size", [7, 1000])
def test_what_comes_late_decides_about_the_rows_before(rows, size, small_parts, tmp_path):
    (tmp_path / "a.csv").write_text("".join(["a,b\n", *rows]), newline="")
    check_blocks(tmp_path / "a.csv", size)


def test_value_is_read_without_regard_to_other_values():
    for text in ("1e0003", "1e-0002", "1e1000", "7", "inf", "0x10", "1_0"):
        np.testing.assert_array_equal(parse_numbers([text]), parse_numbers([text, "4 %"])[:1])
    for text in ("0000-01-05", "2024-02-31", "2024-05-31T23:59:60", "9999-12-31 23:59"):
        np.testing.assert_array_equal(parse_dates([text]), parse_dates([text, "1.2.2024"])[:1])


def test_late_byte_of_another_encoding_decides_about_all(tmp_path, small_parts):
    rows = [f"Zürich,{i}\n".encode() for i in range(9000)]
    (tmp_path / "a.csv").write_bytes(b"".join([b"a,b\n", *rows, b"Gen\xe8ve,2\n"]))
    check_blocks(tmp_path / "a.csv", 1000)


def test_characters_are_not_cut_between_pieces():
    content = "größe;stadt\n".encode() + "1;Zürich €\n".encode() * 40
    for n_bytes in (1, 2, 3, 50):
        parts = read_in_pieces(content, n_bytes)
        assert_same_table(join_tables(parts), read_csv(content, "a.csv"))


def test_header_that_is_longer_than_what_is_read_first(monkeypatch):
    monkeypatch.setattr("nonet.tables.csv_files.parts._HEAD", 100)
    names = ",".join(f"the name of column {j} " + 300 * "x" for j in range(300))
    content = f"\n \n{names}\n".encode() + b"1.5," * 299 + b"2\n"
    assert len(names) > SAMPLE
    assert_same_table(join_tables(read_in_pieces(content, 99)), read_csv(content, "a.csv"))


def test_line_ends_in_quotes_end_no_record():
    content = b'a,"b\nc"\n"d ""e""\n",f\n1,"2'
    assert end_of_records(content, ",") == len(content) - len(b'1,"2')
    assert end_of_records(b'"a\nb', ",") == 0
    assert end_of_records(b'5" pipe\n6" pipe\n"a\n', ",") == len(b'5" pipe\n6" pipe\n')
    for n_bytes in range(1, 9):
        pieces = [content[i : i + n_bytes] for i in range(0, len(content), n_bytes)]
        parts = list(whole_records(pieces, ","))
        assert b"".join(parts) == content
        assert all(part.count(b'"') % 2 == 0 for part in parts[:-1])


def test_most_odd_files_are_read_by_arrow(monkeypatch):
    """The comparison with the fast reader would be empty without."""
    made = []
    real = ArrowParts.columns
    monkeypatch.setattr(ArrowParts, "columns", lambda self: made.append(self) or real(self))
    plain = [odd for odd in ODD_TABLES if odd.error is None and odd.file_name == "table.csv"]
    for odd in plain:
        list(csv_parts(lambda content=odd.content: iter([content]), "a.csv"))
    assert len(made) > 0.6 * len(plain)
