"""Mutated CSV files give a table or one sentence, by either reader the same."""

import random

import numpy as np
import pytest

from nonet.tables.csv_files.arrow_rows import read_with_arrow
from nonet.tables.csv_files.dialect import as_utf8, find_dialect
from nonet.tables.csv_files.reader import read_csv
from nonet.tables.csv_files.rows import read_rows
from nonet.tables.encoder import TableEncoder
from nonet.tables.missing_marks import is_missing_mark
from nonet.tables.table import LeveledColumn
from nonet.tables.target import understand_target
from tables.odd_tables import ODD_TABLES

SOURCES = [odd.content[:1500] for odd in ODD_TABLES if odd.file_name.endswith(".csv")]
PIECES = [
    *(b",", b";", b'"', b"\n", b"\r", b"\r\n", b"\t", b"|", b"\0", b"\xff", b"\xc3", b" ", b"'"),
    *(b"1e9", b"-", b"NA", b"nan", b"inf", b"1_0", b"2024-02-30", b"9" * 400, b"00000"),
    *(b"\xef\xbb\xbf", "\u0661".encode(), "\u00b2".encode()),
]


def mutate(content, rng):
    content = bytearray(content)
    for _ in range(rng.randint(1, 12)):
        position = rng.randrange(len(content) + 1)
        kind = rng.random()
        if kind < 0.6:
            content[position:position] = rng.choice(PIECES)
        elif kind < 0.8:
            del content[position : position + rng.randint(1, 60)]
        else:
            content[position : position + 1] = bytes([rng.randrange(256)])
    return bytes(content)


def numbers_or_words(column):
    """Return the values of a column without what the readers leave to the kinds: white space."""
    if not isinstance(column, LeveledColumn):
        return [None if np.isnan(value) else float(value) for value in column]
    words = [(value or "").strip() for value in column.values()]
    words = [None if is_missing_mark(word) else word for word in words]
    try:
        return [None if word is None else float(word) for word in words]
    except ValueError:
        return words


def check_readers_agree(content):
    content = as_utf8(content, "a.csv", None)
    dialect = find_dialect(content, "a.csv")
    fast = read_with_arrow(content, dialect)
    if fast is not None:
        slow = read_rows(content, dialect, "a.csv", None)
        for one, other in zip(fast[1], slow[1], strict=True):
            assert numbers_or_words(one) == numbers_or_words(other)


def is_one_sentence(error):
    return "\n" not in str(error) and str(error).endswith((".", "?"))


@pytest.mark.parametrize("seed", range(8))
def test_mutated_file_gives_a_table_or_one_sentence(seed):
    rng, n_tables, errors = random.Random(seed), 0, []
    for _ in range(40):
        content = mutate(rng.choice(SOURCES), rng)
        try:
            table = read_csv(content, "a.csv", [])
            TableEncoder().fit(table).transform(table, [])
            n_tables += 1
            check_readers_agree(content)
            understand_target(table.columns[-1], table.names[-1])
        except (ValueError, TypeError) as why:
            errors.append(why)
    assert [error for error in errors if not is_one_sentence(error)] == []
    assert n_tables > 20
