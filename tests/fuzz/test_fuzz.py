"""Odd input to every public estimator: a right prediction, or one sentence (issue 18, net B).

A test is half of the cases of a group on one estimator. `make fuzz` tries the other half, more
data, and combinations.
"""

from __future__ import annotations

import pytest

from fuzz.collection import GROUP_NAMES, cases_of, half_of
from fuzz.exceptions import EXCEPTIONS
from fuzz.report import complaints
from fuzz.subject import ALL_KINDS, subject_of

MIN_CASES = 150

every_estimator = pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.__name__)
every_group = pytest.mark.parametrize("group", GROUP_NAMES)


def check(subject, group, half):
    found = complaints(subject, group, half_of(subject, group, half))
    assert not found, "\n".join(["", *found])


@every_group
@every_estimator
def test_odd_input_ends_in_a_right_prediction_or_one_sentence(kind, group):
    check(subject_of(kind), group, 0)


@pytest.mark.slow
@every_group
@every_estimator
def test_other_half_of_odd_input(kind, group):
    check(subject_of(kind), group, 1)


def test_every_estimator_has_enough_cases():
    counts = {kind.__name__: count(kind) for kind in ALL_KINDS}
    for name, n_cases in counts.items():
        print(f"{name:32} {n_cases:5}")
    assert min(counts.values()) >= MIN_CASES


def count(kind):
    """Return the number of cases that are tried without `make fuzz`."""
    return sum(len(half_of(subject_of(kind), group, 0)) for group in GROUP_NAMES)


def test_names_of_cases_are_unique():
    for kind in ALL_KINDS:
        for group in GROUP_NAMES:
            names = [case.name for case in cases_of(subject_of(kind), group)]
            assert len(set(names)) == len(names), (kind.__name__, group)


def test_exceptions_are_for_estimators_and_groups_that_exist():
    kinds = {kind.__name__ for kind in ALL_KINDS}
    assert all(kind in kinds and group in GROUP_NAMES for kind, group, _ in EXCEPTIONS)
