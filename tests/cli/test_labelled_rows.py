"""Targets of a table as codes and values of a model, however they are written."""

import numpy as np
import pytest

from nonet.cli.command_error import CommandError
from nonet.cli.labelled_rows import label_rows
from nonet.tables.as_table import as_table

TEXT = np.array(["1", "2", "x"], dtype=object)

CASES = {
    "text": (["x", "1", "2"], TEXT, [2, 0, 1]),
    "numbers where the fit had text": ([2, 1, 1], TEXT, [1, 0, 0]),
    "floats where the fit had text": ([2.0, 1.0, 1.0], TEXT, [1, 0, 0]),
    "text where the fit had integers": (["1", "0", "1.0"], np.array([0, 1]), [1, 0, 1]),
    "space around": ([" x", "1 ", "2"], TEXT, [2, 0, 1]),
    "booleans": ([True, False, True], np.array([False, True]), [1, 0, 1]),
    "text where the fit had booleans": (["true", "False"], np.array([False, True]), [1, 0]),
    "booleans where the fit had text": (
        [True, False],
        np.array(["False", "True"], dtype=object),
        [1, 0],
    ),
    "one class alone": (["x", "x"], TEXT, [2, 2]),
}


@pytest.mark.parametrize("name", CASES)
def test_labels_become_codes(name):
    values, classes, codes = CASES[name]
    rows = label_rows(as_table({"y": values, "a": list(range(len(values)))}), "f", "y", classes)
    assert rows.y.tolist() == codes
    assert [str(label) for label in rows.labels(classes)] == [str(classes[code]) for code in codes]


def test_rows_without_a_target_are_left_out():
    table = as_table({"y": ["x", None, "NA", "1"], "a": [1, 2, 3, 4]})
    rows = label_rows(table, "f", "y", TEXT)
    assert rows.y.tolist() == [2, 0]
    assert rows.table["a"].tolist() == [1, 4]


def test_values_with_a_decimal_comma_are_numbers():
    table = as_table({"y": ["1,5", "", "2,25"], "a": [1, 2, 3]})
    assert label_rows(table, "f", "y", None).y.tolist() == [1.5, 2.25]


def test_rejects_a_table_without_any_target():
    with pytest.raises(CommandError, match="no row with a value of 'y'"):
        label_rows(as_table({"y": ["", ""], "a": [1, 2]}), "f", "y", TEXT)
