"""Odd tables through the command line: a model, or one sentence and exit code 3."""

import re

import pytest

from tables.odd_tables import ODD_TABLES

# Seconds each; that they are read well is tested in tests/tables.
LARGE = {"100,000 categories", "20,000 categories of several rows"}
CASES = [
    pytest.param(odd, id=odd.name, marks=[pytest.mark.slow] if odd.name in LARGE else [])
    for odd in ODD_TABLES
]


@pytest.mark.parametrize("odd", CASES)
def test_odd_table_ends_with_a_model_or_a_sentence(nonet_command, folder, odd):
    (folder / odd.file_name).write_bytes(odd.content)
    options = ["--target", odd.target, "--max-tasks", "8", "--families", "linear", "--out", "run"]
    ended = nonet_command("fit", odd.file_name, *options)
    if odd.error is not None:
        assert ended.code == 3
        assert re.search(odd.error, ended.sentence, re.DOTALL)
        assert not (folder / "run").exists()
        return
    assert ended.code == 0, ended.err
    assert "Traceback" not in ended.err
    assert (folder / "run" / "model.nonet").exists()
    shown = nonet_command("show", "run").out
    assert [repair for repair in odd.repairs if not re.search(repair, shown)] == [], shown
