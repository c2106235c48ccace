"""Tests of the kinds of columns."""

import numpy as np
import pandas as pd
import pytest

from nonet.tables.as_table import as_table
from nonet.tables.date_text import parse_dates
from nonet.tables.kinds import find_kinds
from nonet.tables.missing_marks import suspect_codes
from nonet.tables.number_text import parse_number, parse_numbers

N = 60
ROW = np.arange(N)
WORDS = np.array(["red", "blue", "green"])


def kind_of(values, name="column", **kinds):
    table = as_table({name: values})
    return find_kinds(table, kinds or None)[name]


CASES = {
    "floats": (ROW / 7, "number", "numbers"),
    "few integers": (ROW % 3, "number", "numbers"),
    "zero and one": (ROW % 2, "boolean", "0 and 1"),
    "booleans": (ROW % 2 == 0, "boolean", "0 and 1"),
    "booleans with missing": ([True, False, None] * 20, "boolean", "0 and 1"),
    "numbers in writing": ([f"{i / 7:.3f}" for i in ROW], "number", "written as text"),
    "thousands": ([f"{i * 1000.5:,.1f}" for i in ROW], "number", "written as text"),
    "decimal comma": ([f"{i},5" for i in ROW], "number", "decimal comma"),
    "percent": ([f"{i / 3:.1f} %" for i in ROW], "number", "written as text"),
    "currency": ([f"${i % 20}.00" for i in ROW], "number", "written as text"),
    "numbers with marks": ([*map(str, ROW[:-3] % 20), "-", "?", ""], "number", "'-'"),
    "a stray word": ([*map(str, ROW[:-1] % 20), "huh"], "number", "'huh' stands for missing"),
    "yes and no": (["yes", "No", "NO ", ""] * 15, "boolean", "'yes' and 'no'"),
    "t and f": (["t", "f"] * 30, "boolean", "'t' and 'f'"),
    "ISO dates": ([f"2024-01-{i % 28 + 1:02}" for i in ROW], "date", "yyyy-mm-dd"),
    "days first": ([f"{i % 28 + 1}.1.2024" for i in ROW], "date", "dd.mm.yyyy"),
    "months first": ([f"1/{i % 28 + 1}/2024" for i in ROW], "date", "mm/dd/yyyy"),
    "times": ([f"2024-01-01 {i % 24:02}:30" for i in ROW], "date", "yyyy-mm-dd"),
    "three forms": (["2024-01-31", "31.01.2024", "Jan 31, 2024"] * 20, "date", "month dd, yyyy"),
    "firsts of months": ([f"01/{i % 12 + 1:02}/2024" for i in ROW], "date", "dd/mm/yyyy"),
    "dates": (np.datetime64("2024-01-01") + ROW, "date", "dates"),
    "open dates": (["03/04/2024", "05/06/2024"] * 30, "category", "look like dates"),
    "words": (WORDS[ROW % 3], "category", "3 levels"),
    "one word or missing": (["x", None] * 30, "category", "one level"),
    "postal codes": ([f"0{i % 7}115" for i in ROW], "category", "7 levels"),
    "declared": (pd.Categorical(ROW % 3), "category", "by their type"),
    "declared dates": (pd.Categorical(["2024-01-31", "2024-02-01"] * 30), "date", "yyyy-mm-dd"),
    "declared codes": (pd.Categorical([f"C-{i:04}" for i in ROW]), "identifier", "one shape"),
    "sentences": ([f"a house number {i} in town" for i in ROW], "text", "words on average"),
    "distinct words": (["x" * (i % 9 + 1) + "-" * i for i in ROW], "text", "words on average"),
    "counter": (ROW, "identifier", "count the rows"),
    "counter down": (1000 - 5 * ROW, "identifier", "by -5"),
    "counter as floats": (ROW * 1.0, "identifier", "count the rows"),
    "counter in writing": ([str(i) for i in ROW], "identifier", "count the rows"),
    "codes": ([f"C-{i:04}" for i in ROW], "identifier", "one shape, such as 'C-0000'"),
    "codes of any length": ([f"user{i}" for i in ROW], "identifier", "one shape"),
    "codes with missing": ([*(f"C-{i:04}" for i in ROW), None], "identifier", "one shape"),
    "one number": (np.ones(N), "constant", "only value is 1"),
    "one text": (["x"] * N, "constant", "only value is 'x'"),
    "nothing": ([None] * N, "empty", "All values are missing"),
    "marks only": (["", "NA", "?"] * 20, "empty", "All values are missing"),
}


@pytest.mark.parametrize("case", CASES)
def test_kind_is_found_from_values(case):
    values, kind, reason = CASES[case]
    found = kind_of(values)
    assert (found.kind, reason in found.reason) == (kind, True), found


def test_different_integers_are_identifiers_if_they_are_called_so():
    values = np.random.default_rng(0).permutation(1000)[:N]
    assert kind_of(values, "customer_id").kind == "identifier"
    assert kind_of(values, "customerId").kind == "identifier"
    assert kind_of(values, "humid").kind == "number"


def test_few_rows_in_order_are_no_identifiers():
    assert kind_of([1, 2, 3]).kind == "number"
    assert kind_of(["a", "b", "c"]).kind == "category"


def test_duplicate_names_the_earlier_column():
    table = as_table({"a": [1.0, 2, 4], "b": ["x", "y", "x"], "c": [1, 2, 4], "d": ["x", "y", "x"]})
    found = find_kinds(table)
    assert [kind.kind for kind in found.values()] == ["number", "category"] + ["duplicate"] * 2
    assert (found["c"].same_as, found["d"].same_as) == ("a", "b")


def test_equal_codes_of_other_levels_are_no_duplicates():
    found = find_kinds(as_table({"a": ["x", "y", "x"], "b": ["u", "v", "u"]}))
    assert [kind.kind for kind in found.values()] == ["category", "category"]


def test_code_for_missing_is_noted_and_stays_a_number():
    ages = np.where(ROW % 10 == 0, -999, 20 + ROW % 37)
    assert kind_of(ages).suspected == (-999.0,)
    assert "-999 may stand for missing" in kind_of(ages).reason
    assert kind_of([str(age) for age in ages]).suspected == (-999.0,)


@pytest.mark.parametrize(
    "values", [[-999, 1, 2, 3], [-99, -99, -98, 2, 3], [99, 99, 150, 1], [-999, -999]]
)
def test_number_among_others_is_no_code(values):
    assert suspect_codes(np.array(values)) == ()


def test_thousands_are_decimals_if_other_columns_have_decimal_commas():
    open_one, comma, point = ["1,234", "2,500"], ["0,5", "7,25"], ["0.5", "7.25"]
    alone = find_kinds(as_table({"a": open_one}))
    beside = find_kinds(as_table({"a": open_one, "b": comma}))
    both = find_kinds(as_table({"a": open_one, "b": comma, "c": point}))
    assert [found["a"].decimal_comma for found in (alone, beside, both)] == [False, True, False]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("category", [10115, 4109, 4109]),
        ("number", ["S", "38", "40"]),
        ("date", ["03/04/2024", "05/06/2024", "x"]),
        ("boolean", ["m", "f", "m"]),
        ("boolean", [1, 2, 1]),
        ("text", ["a", "b", "c"]),
        ("identifier", [1.5, 2.5, 7.0]),
    ],
)
def test_kind_can_be_set(kind, values):
    found = kind_of(values, "x", x=kind)
    assert (found.kind, found.reason) == (kind, "Set by kinds.")


@pytest.mark.parametrize(
    ("values", "kinds", "message"),
    [
        (["a", "b"], {"x": "number"}, "'x' to 'number', but none of its values is a number"),
        (["a", "b"], {"x": "date"}, "none of its values is a date"),
        ([1, 2], {"x": "date"}, "its values are numbers"),
        ([1, 2, 3], {"x": "boolean"}, "other than two values"),
        ([1, 2], {"x": "integer"}, "one of 'number', 'boolean'.* but got 'integer'"),
        ([1, 2], {"x2": "number"}, "'x2', which the table lacks; did you mean 'x'"),
    ],
)
def test_find_kinds_rejects_kinds_that_do_not_fit(values, kinds, message):
    with pytest.raises(ValueError, match=message):
        find_kinds(as_table({"x": values}), kinds)


@pytest.mark.parametrize(
    ("text", "point", "comma"),
    [
        ("1,234", 1234.0, 1.234),
        ("1.234", 1.234, 1234.0),
        ("1.234,5", None, 1234.5),
        ("1,234.5", 1234.5, None),
        ("0,123", None, 0.123),
        ("1,23", None, 1.23),
        ("-$3", -3.0, -3.0),
        ("3 €", 3.0, 3.0),
        ("12%", 12.0, 12.0),
        ("1 234", 1234.0, 1234.0),
        ("1'234.5", 1234.5, None),
        ("\u22125", -5.0, -5.0),
        (".5", 0.5, None),
        ("1e5", 1e5, 1e5),
        ("-Inf", -np.inf, -np.inf),
        *((text, None, None) for text in ("", "-", "nan", "info", "1_0", "--3", "1,2,3", "0x1")),
    ],
)
def test_number_is_read_as_it_is_written(text, point, comma):
    for decimal_comma, expected in ((False, point), (True, comma)):
        number = parse_number(text, decimal_comma=decimal_comma)
        assert number == expected or (expected is None and np.isnan(number))
        np.testing.assert_array_equal(parse_numbers([text], decimal_comma=decimal_comma), [number])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024-05-31", "2024-05-31"),
        ("2024/5/1", "2024-05-01"),
        ("2024-05-31T14:30:05.25", "2024-05-31T14:30:05.25"),
        ("2024-05-31T14:30:05+02:00", "2024-05-31T12:30:05"),
        ("2024-05-31 14:30Z", "2024-05-31T14:30"),
        ("31.12.99", "1999-12-31"),
        ("3/4/2024 2:05 PM", "2024-04-03T14:05"),
        ("12/4/2024 12:05 am", "2024-04-12T00:05"),
        ("31-Dec-1999", "1999-12-31"),
        ("Fri, 31 May 2024 10:00", "2024-05-31T10:00"),
        ("May 3rd, 2024", "2024-05-03"),
        *((text, "NaT") for text in ("31.02.2024", "2024-02-31", "13:30", "2024", "5.6", "1-2-3")),
        *(
            (text, "NaT")
            for text in ("2024-05-31 25:00", "2024-05/31", "soon", "1/4/2024 13:00 pm")
        ),
    ],
)
def test_date_is_read_as_it_is_written(text, expected):
    np.testing.assert_array_equal(parse_dates([text]), np.array([expected], dtype="datetime64[us]"))
