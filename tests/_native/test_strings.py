"""Distinct strings of columns that polars and Arrow lend."""

import numpy as np
import polars
import pyarrow
import pytest

from nonet._native.strings import distinct_strings

LONG = "a string of more than twelve bytes"
VALUES = ["b", "a", None, "", "b", "twelve bytes", "thirteen byte"]
VALUES += [LONG, LONG + "!", "é", None, LONG]


def naive(values):
    distinct = list(dict.fromkeys(value for value in values if value is not None))
    position_of = {value: position for position, value in enumerate(distinct)} | {None: -1}
    return distinct, [position_of[value] for value in values]


def agrees(column, values, n_threads=1):
    for found, positions in distinct_strings([column, column], n_threads):
        assert (found, positions.tolist()) == naive(values)


TYPES = ["string", "large_string", "string_view"]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("n_repeats", [1, 3, 100])
def test_distinct_strings_of_arrow_against_naive(kind, n_repeats):
    values = VALUES * n_repeats
    agrees(pyarrow.chunked_array([pyarrow.array(values, pyarrow.type_for_alias(kind))]), values)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("sizes", [(5, 7), (1, 0, 11), (12, 0)])
def test_chunks_and_slices_of_arrow_against_naive(kind, sizes):
    ends = np.cumsum([0, *sizes])
    whole = pyarrow.array(["before", None, *VALUES, "after"], pyarrow.type_for_alias(kind))
    chunks = [whole.slice(2 + start, size) for start, size in zip(ends, sizes, strict=False)]
    agrees(pyarrow.chunked_array(chunks), VALUES, n_threads=2)
    agrees(pyarrow.chunked_array(chunks).slice(3), VALUES[3:])


def test_distinct_strings_of_polars_against_naive():
    values = VALUES * 9
    column = polars.Series(values)
    agrees(column, values)
    agrees(column.slice(4, 50), values[4:54])
    chunks = [column, column[:0], column.slice(2)]
    agrees(polars.concat(chunks, rechunk=False), values + values[2:])


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("n_bytes", range(0, 40))
def test_strings_of_every_length_that_differ_in_one_byte(kind, n_bytes):
    same = "x" * n_bytes
    values = [same] + [same[:i] + "y" + same[i + 1 :] for i in range(n_bytes)] + [same, same + "\0"]
    agrees(pyarrow.chunked_array([pyarrow.array(values, pyarrow.type_for_alias(kind))]), values)


@pytest.mark.parametrize("n_rows", [0, 300, 70_000])
def test_many_distinct_strings_against_naive(n_rows):
    values = [f"{'long ' * (i % 4)}{i * 7 % 65_537}" for i in range(n_rows)]
    agrees(pyarrow.chunked_array([values], pyarrow.string()), values)
    agrees(polars.Series(values, dtype=polars.String), values)


def test_no_columns_give_nothing():
    assert distinct_strings([], 2) == []


def test_rejects_columns_of_other_types():
    with pytest.raises(ValueError, match="columns must hold strings"):
        distinct_strings([pyarrow.chunked_array([[1, 2]])], 1)
