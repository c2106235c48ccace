"""Read `differences.toml`: which of scikit-learn's tests are treated otherwise, and why."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import sklearn

PATH = Path(__file__).with_name("differences.toml")


@dataclass(frozen=True)
class Group:
    """Patterns of test names, each with the reason of its paragraph; `*` stands for any text."""

    reasons: dict[str, str]

    @classmethod
    def of(cls, paragraphs):
        return cls({name: part["reason"] for part in paragraphs for name in part["tests"]})

    def reason(self, test):
        for pattern, reason in self.reasons.items():
            if matches(pattern, test):
                return reason
        return None


@dataclass(frozen=True)
class Differences:
    """The groups of the file; `strict` where they were written for the installed version."""

    excluded: Group
    reworded: Group
    failing: Group
    strict: bool
    min_passing: float

    def stale_names(self, tests):
        """Name the patterns that fit no test, among those of the files that were collected."""
        files = {test.split("::")[0] for test in tests}
        names = [*self.excluded.reasons, *self.reworded.reasons, *self.failing.reasons]
        return [
            name
            for name in names
            if name.split("::")[0] in files and not any(matches(name, test) for test in tests)
        ]


def read(path=PATH):
    content = tomllib.loads(path.read_text())
    return Differences(
        *(Group.of(content.get(kind, [])) for kind in ("excluded", "reworded", "failing")),
        strict=sklearn.__version__.startswith(content["scikit_learn"] + "."),
        min_passing=content["min_passing"],
    )


def matches(pattern, test):
    """Compare without parameters where the pattern has none."""
    if not pattern.endswith("]"):
        test = test.split("[")[0]
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), test) is not None
