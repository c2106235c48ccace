"""pytest option --only-known-skips: a test that skips for another reason fails the run.

CI installs every peer that tests compare with (the extra `peers`), and runs on Linux with the
newest scikit-learn. What still skips there, and why, is this list; a comparison that no longer
finds its peer is a failure.
"""

from __future__ import annotations

import re

import pytest

KNOWN_SKIPS = {
    r"SCIPY_ARRAY_API is not set": (
        "scikit-learn's estimator checks of array-API input; no class here claims to support it"
    ),
    r"\w+ does not have a decision_function method": (
        "scikit-learn's estimator check of class weights, which compares decision functions; "
        "trees and forests have none, there as here"
    ),
    r"there is no GPU, or no code for it": "fits on a GPU; CI has none",
    r"one core has no other": "threads on cores of their own, where there is a single core",
}


def pytest_addoption(parser):
    parser.addoption(
        "--only-known-skips",
        action="store_true",
        help="fail if a test skips for a reason that tests/ci_session/known_skips.py does not list",
    )


def reason_of(report):
    return str(report.longrepr[2]).removeprefix("Skipped: ")


def is_known(reason):
    return any(re.match(pattern, reason) for pattern in KNOWN_SKIPS)


def unknown_skips(config):
    """Describe the skips outside the list, as the process that collects all reports sees them."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not config.getoption("--only-known-skips"):
        return []
    skipped = reporter.stats.get("skipped", [])
    return [
        f"{report.nodeid}: {reason_of(report)}"
        for report in skipped
        if not is_known(reason_of(report))
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    if unknown_skips(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    unknown = unknown_skips(config)
    if unknown:
        terminalreporter.section("Skips that tests/ci_session/known_skips.py does not list", "!")
        for line in unknown:
            terminalreporter.write_line(line)
