"""The documents of ``--json`` of all commands, compared with those of a folder.

``python tests/cli/golden_documents.py`` writes them anew, after a change on purpose.
"""

import json

import pytest

from cli.golden_documents import CASES, GOLDEN, masked
from nonet.cli.main import COMMANDS


@pytest.mark.parametrize("name", CASES)
def test_document_is_golden(nonet_command, churn_run, flats_run, name):
    ended = nonet_command(*CASES[name], "--json")
    expected = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert ended.code == 0, ended.err
    check_equal(masked(ended.document), expected, name)


def check_equal(found, expected, where):
    """Compare documents; their keys in order, numbers but for rounding."""
    assert type(found) is type(expected), where
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for name, one in expected.items():
            check_equal(found[name], one, f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for position, one in enumerate(expected):
            check_equal(found[position], one, f"{where}[{position}]")
    elif isinstance(expected, float):
        # Products of matrices are rounded differently from machine to machine.
        assert found == pytest.approx(expected, rel=1e-3, abs=1e-6), where
    else:
        assert found == expected, where


def test_all_commands_have_a_golden_document():
    assert {arguments[0] for arguments in CASES.values()} == {one.name for one in COMMANDS}
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(CASES)
