"""The run of scikit-learn's tests finds planted defects, and its data file is kept in order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sklearn_suite import differences
from sklearn_suite.plugin import passing_fraction

HERE = Path(__file__).parent
FILES = ["ensemble/tests/test_voting.py", "ensemble/tests/test_stacking.py"]
TESTS = {
    "test_weights_regressor": "VotingRegressor=sklearn_suite.planted:OffByOneVoting",
    "test_stacking_regressor_error": "StackingRegressor=sklearn_suite.planted:CarelessStacking",
    "test_predictproba_hardvoting": "VotingClassifier=sklearn_suite.planted:VotingClassifier",
}


def run(*options):
    command = [sys.executable, str(HERE), *FILES, "-k", " or ".join(TESTS), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def failed(result):
    lines = [line for line in result.stdout.splitlines() if line.startswith("FAILED")]
    return {name for name in TESTS if any(f"::{name}" in line for line in lines)}


def test_planted_defects_are_found():
    """A wrong number, an error that does not come, and a listed failure that passes."""
    result = run(*(f"--instead={swap}" for swap in TESTS.values()))
    assert result.returncode == pytest.ExitCode.TESTS_FAILED, result.stdout
    assert failed(result) == set(TESTS)


def test_too_few_passes_fail_the_run_even_if_all_failures_are_listed():
    result = run()
    assert failed(result) == set()
    assert "1 xfailed" in result.stdout
    assert result.returncode == pytest.ExitCode.TESTS_FAILED  # 1 of 5 is more than 3 %


# ---- the data file -----------------------------------------------------------------------------


def test_names_that_fit_no_test_are_stale():
    record = differences.read()
    name = next(iter(record.failing.reasons))
    file = name.partition("::")[0]
    assert name in record.stale_names([f"{file}::test_renamed"])
    assert record.stale_names(["some/other/file.py::test"]) == []


def test_no_test_is_named_twice():
    record = differences.read()
    groups = [record.excluded.reasons, record.reworded.reasons, record.failing.reasons]
    names = [name for group in groups for name in group]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("pattern", "test", "fits"),
    [
        ("a.py::test_x", "a.py::test_x", True),
        ("a.py::test_x", "a.py::test_x[3-Tree]", True),
        ("a.py::test_x", "a.py::test_xy", False),
        ("a.py::test_x[*-Tree]", "a.py::test_x[3-Tree]", True),
        ("a.py::test_x[*-Tree]", "a.py::test_x[3-Forest]", False),
        ("a.py::*", "a.py::test_x[3]", True),
    ],
)
def test_patterns_of_names(pattern, test, fits):
    assert differences.matches(pattern, test) is fits


def test_fraction_of_passing_tests_counts_listed_failures():
    assert passing_fraction({"passed": [0] * 3, "xfailed": [0], "skipped": [0] * 9}) == 0.75
