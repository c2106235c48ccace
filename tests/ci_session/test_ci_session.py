"""CI fails where a comparison skips, and prints what takes long (issue 19, part 3)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ci_session.folder_seconds import lines_of, read_budgets
from ci_session.known_skips import is_known

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PLUGINS = ["-p", "ci_session.known_skips", "-p", "ci_session.folder_seconds"]


def run(folder, text, *options):
    """Run a file of tests in a session of its own, with two workers."""
    (folder / "session.ini").write_text("[pytest]\n")
    (folder / "test_some.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-c", "session.ini", "-n", "2", *PLUGINS, *options]
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=environment
    )


INSIDE_A_TEST = """
import pytest

def test_against_a_peer():
    pytest.importorskip("a_peer_that_is_missing", reason="the peer is not installed")

def test_that_passes():
    pass
"""
WHOLE_FILE = """
import pytest

peer = pytest.importorskip("a_peer_that_is_missing", reason="the peer is not installed")

def test_against_a_peer():
    pass
"""


@pytest.mark.parametrize("text", [INSIDE_A_TEST, WHOLE_FILE], ids=["test", "file"])
def test_missing_peer_fails_the_run_of_ci(text, tmp_path):
    result = run(tmp_path, text, "--only-known-skips")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED, result.stdout
    assert "test_some.py" in result.stdout
    assert "the peer is not installed" in result.stdout


def test_missing_peer_is_no_failure_elsewhere(tmp_path):
    assert run(tmp_path, INSIDE_A_TEST).returncode == pytest.ExitCode.OK


def test_known_skip_is_no_failure(tmp_path):
    text = INSIDE_A_TEST.replace("the peer is not installed", "SCIPY_ARRAY_API is not set: no")
    result = run(tmp_path, text, "--only-known-skips")
    assert result.returncode == pytest.ExitCode.OK, result.stdout


@pytest.mark.parametrize(
    ("reason", "known"),
    [
        ("SCIPY_ARRAY_API is not set: not checking array_api input", True),
        ("DecisionTreeClassifier does not have a decision_function method.", True),
        ("arch is not installed", False),
        ("could not import 'lightgbm': No module named 'lightgbm'", False),
    ],
)
def test_reasons(reason, known):
    assert is_known(reason) is known


# ---- seconds ------------------------------------------------------------------------------------


def test_folders_over_their_budget_are_reported():
    lines = list(
        lines_of(
            Counter({"tests/a": 12.0, "tests/b": 3.0, "tests/c": 1.0}), {"tests/a": 9, "tests/b": 9}
        )
    )
    assert [line.split()[0] for line in lines] == ["tests/a", "tests/b", "tests/c"]
    assert ["WARNING" in line for line in lines] == [True, False, False]


def test_seconds_of_folders_are_printed(tmp_path):
    budgets = tmp_path / "budgets"
    budgets.write_text("# a comment\ncheck test 10\nof-test test_some.py 0\n")
    text = "import time\n\ndef test_slow():\n    time.sleep(0.3)\n"
    result = run(tmp_path, text, f"--folder-seconds={budgets}")
    assert result.returncode == pytest.ExitCode.OK, result.stdout
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("test_some.py ")]
    assert line.endswith("of 0 s  WARNING: over budget")


def test_budgets_name_targets_and_folders_that_exist():
    lines = (ROOT / ".ci" / "budgets").read_text().splitlines()
    words = [line.split() for line in lines if not line.startswith("#")]
    parts = {part for kind, part, _ in words if kind != "of-test"}
    targets = (ROOT / "Makefile").read_text()
    assert {part for part in parts if f"\n{part}:" not in targets} == set()
    folders = read_budgets(ROOT / ".ci" / "budgets")
    assert {folder for folder in folders if not (ROOT / folder).is_dir()} == set()
    seconds = {part: float(budget) for _, part, budget in words}
    assert all(seconds[net] <= 90 for net in ("sklearn", "tests/fuzz", "tests/benchmarks"))
    assert sum(float(budget) for kind, _, budget in words if kind == "check") <= 15 * 60


def test_parts_that_fail_or_take_long_are_reported(tmp_path):
    """`.ci/check` stops at the first failure, and its table has a line for every part run."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "check").write_bytes((ROOT / ".ci" / "check").read_bytes())
    (tmp_path / ".ci" / "budgets").write_text(
        "# parts\ncheck one 9\nof-test tests/x 9\ncheck two 0\n"
        "check-all three 9\ncheck-all four 9\n"
    )
    (tmp_path / "Makefile").write_text(
        "one:\n\t@echo ONE $(WORD)\ntwo:\n\t@sleep 1.1\nthree:\n\t@false\nfour:\n\t@echo FOUR\n"
    )
    command = ["bash", str(tmp_path / ".ci" / "check")]
    done = subprocess.run(
        [*command, "check", "WORD=given"], capture_output=True, text=True, check=True
    )
    assert "ONE given" in done.stdout
    assert "two" in done.stdout
    assert "WARNING: over budget" in done.stdout
    assert "three" not in done.stdout
    done = subprocess.run([*command, "check-all"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout.endswith("three failed\n")
    assert "FOUR" not in done.stdout
