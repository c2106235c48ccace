"""pytest option --folder-seconds=BUDGETS: print how long the tests of each folder took.

The seconds of a folder are those of its tests, set up and torn down, divided by the number of
workers. A folder that the file of budgets names (`of-test FOLDER SECONDS`) is compared with its
budget; going over it is reported and does not fail.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path


def pytest_addoption(parser):
    parser.addoption(
        "--folder-seconds",
        type=Path,
        metavar="BUDGETS",
        help="print the seconds of each folder of tests beside its budget in this file",
    )


def read_budgets(path):
    """Return the seconds by folder."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return {words[1]: float(words[2]) for words in lines if words[:1] == ["of-test"]}


def seconds_by_folder(reports, n_workers):
    seconds = Counter()
    for report in reports:
        folder = "/".join(report.nodeid.split("::")[0].split("/")[:2])
        seconds[folder] += report.duration / n_workers
    return seconds


def lines_of(seconds, budgets):
    """Write a line per folder, the longest first."""
    for folder, taken in seconds.most_common():
        line = f"{folder:<20} {taken:6.1f} s"
        if folder in budgets:
            line += f" of {budgets[folder]:.0f} s"
            line += "  WARNING: over budget" * (taken > budgets[folder])
        yield line


def pytest_terminal_summary(terminalreporter, config):
    path = config.getoption("--folder-seconds")
    if path is None:
        return
    known = {id(report): report for group in terminalreporter.stats.values() for report in group}
    reports = [report for report in known.values() if hasattr(report, "duration")]
    n_workers = getattr(config.option, "numprocesses", None) or 1
    terminalreporter.section("seconds of the tests of each folder")
    for line in lines_of(seconds_by_folder(reports, n_workers), read_budgets(path)):
        terminalreporter.write_line(line)
