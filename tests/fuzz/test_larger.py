"""More data and combinations of odd input than every run can try; `make fuzz` runs them."""

from __future__ import annotations

import numpy as np
import pytest

from fuzz import dtypes, frames, layouts, shapes, sparse_tables, values, weights
from fuzz.case import Case, Expect, Outcome, predict_after_fit
from fuzz.collection import GROUP_NAMES, cases_of
from fuzz.exceptions import EXCEPTIONS
from fuzz.outcomes import complaint
from fuzz.subject import ALL_KINDS, Subject, small_instance

pytestmark = pytest.mark.slow
every_estimator = pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.__name__)

N_COMBINATIONS = 150
TABLES = {
    **values.MISSING,
    **values.INFINITE,
    **values.EXTREME,
    **values.DULL,
    **dtypes.EQUAL,
    **dtypes.RIGHT_OR_REFUSED,
    **layouts.OF_X,
    **shapes.LISTS,
    **{f"sparse {name}": change for name, change in sparse_tables.EQUAL.items()},
    **{f"frame {name}": change for name, change in frames.EQUAL.items()},
    **{f"frame {name}": change for name, change in frames.RIGHT_OR_REFUSED.items()},
}
VALUES = {**values.MISSING, **values.EXTREME, **values.DULL}
WEIGHTS = {
    **weights.EQUAL_TO_ONES,
    **weights.RIGHT_OR_REFUSED,
    **weights.REFUSED,
}


def combination(seed):
    """Return the case of an odd table of odd values with odd weights, drawn at random."""
    random = np.random.default_rng(seed)
    of_values, of_table, of_weights = (
        random.choice(sorted(table)) for table in (VALUES, TABLES, WEIGHTS)
    )

    def run(subject):
        table = TABLES[of_table](VALUES[of_values](subject.X))
        params = {}
        if subject.takes_weights and random.random() < 0.5:
            params["sample_weight"] = WEIGHTS[of_weights](len(subject.y))
        model = subject.fit(table, subject.y, **params)
        return Outcome(model, table, predict_after_fit(model, table))

    name = f"{seed}: {of_values}, {of_table}, {of_weights}"
    return Case(name, Expect.RIGHT_OR_REFUSED, run)


def report(subject, cases, group=""):
    """Return what is wrong; exceptions need not be needed on other data."""
    excused = {name for kind, of, name in EXCEPTIONS if (kind, of) == (subject.name, group)}
    found = {case.name: complaint(subject, case) for case in cases if case.name not in excused}
    return [f"{name}: {flaw}" for name, flaw in found.items() if flaw]


@every_estimator
def test_combinations_of_odd_input(kind):
    found = report(Subject(lambda: small_instance(kind)), map(combination, range(N_COMBINATIONS)))
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize(("n_rows", "seed"), [(30, 1), (150, 2)])
@every_estimator
def test_odd_input_on_other_data(kind, n_rows, seed):
    subject = Subject(lambda: small_instance(kind), n_rows, seed)
    found = [
        f"{group}: {flaw}"
        for group in GROUP_NAMES
        for flaw in report(subject, cases_of(subject, group), group)
    ]
    assert not found, "\n".join(["", *found])
