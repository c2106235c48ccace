"""pytest plugin: exchange the classes, mark the tests that differ, count what is left."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext

import pytest
import sklearn

from sklearn_suite import differences, exchange
from sklearn_suite.free_messages import free_messages

RECORD = pytest.StashKey[differences.Differences]()
USE = pytest.StashKey[exchange.Use]()
EXCLUDED = "excluded: "
UNTOUCHED = EXCLUDED + "no class of nonet takes part"


def pytest_addoption(parser):
    parser.addoption(
        "--instead",
        action="append",
        default=[],
        metavar="NAME=MODULE:CLASS",
        help="put this class in place of scikit-learn's NAME (a planted defect)",
    )


def pytest_configure(config):
    exchange.put_in_place(config.getoption("--instead"))
    config.stash[USE] = exchange.Use()
    config.stash[RECORD] = differences.read()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    record = config.stash[RECORD]
    for item in items:
        if reason := record.excluded.reason(item.nodeid):
            item.add_marker(pytest.mark.skip(reason=EXCLUDED + reason))
        if reason := record.failing.reason(item.nodeid):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=record.strict))
    stale = record.stale_names([item.nodeid for item in items])
    if stale and record.strict:
        raise pytest.UsageError("differences.toml names no test: " + ", ".join(stale))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Run the test; one that passes without nonet is no evidence, and is not counted."""
    use, record = item.config.stash[USE], item.config.stash[RECORD]
    use.seen = False
    with free_messages() if record.reworded.reason(item.nodeid) else nullcontext():
        result = yield
    if not use.seen:
        pytest.skip(UNTOUCHED)
    return result


def pytest_sessionfinish(session):
    """Fail where too few of the tests pass, be every failure listed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and passing_fraction(reporter.stats) < session.config.stash[RECORD].min_passing:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    stats = terminalreporter.stats
    excluded = reasons_of_excluded(stats)
    n_passed, n_run = counts(stats)
    write = terminalreporter.write_line
    terminalreporter.section(f"scikit-learn {sklearn.__version__}'s tests on nonet's classes")
    for reason, count in excluded.most_common():
        write(f"{count:5d} excluded: {reason}")
    write(f"{excluded.total():5d} excluded in all")
    write(f"{n_run:5d} counted, of which {n_passed} pass: {passing_fraction(stats):.2%}")
    write(f"      (at least {config.stash[RECORD].min_passing:.1%} must)")


def reasons_of_excluded(stats):
    words = [
        str(report.longrepr[2]).removeprefix("Skipped: ") for report in stats.get("skipped", [])
    ]
    return Counter(word.removeprefix(EXCLUDED) for word in words if word.startswith(EXCLUDED))


def counts(stats):
    n_passed = len(stats.get("passed", []))
    return n_passed, n_passed + sum(
        len(stats.get(kind, [])) for kind in ("failed", "error", "xfailed")
    )


def passing_fraction(stats):
    n_passed, n_run = counts(stats)
    return n_passed / n_run if n_run else 0.0
