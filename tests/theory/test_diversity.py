"""The relations between measures of diversity, on random matrices of who is right where."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nonet.theory import diversity_from_variance

oracles = arrays(
    np.int64, st.tuples(st.integers(2, 8), st.integers(2, 6)), elements=st.integers(0, 1)
)


def naive_measures(correct):
    """Each measure by its own definition (Kuncheva & Whitaker 2003)."""
    n_rows, n_members = correct.shape
    pairs = list(combinations(correct.T, 2))
    votes, r = correct.sum(axis=1), correct.mean()
    failures = np.bincount(n_members - votes, minlength=n_members + 1) / n_rows
    i = np.arange(n_members + 1)
    one_fails = (i / n_members) @ failures
    two_fail = (i * (i - 1) / (n_members * (n_members - 1))) @ failures
    spread = (votes * (n_members - votes)).sum() / n_members
    return {
        "disagreement": np.mean([np.mean(a != b) for a, b in pairs]),
        "double_fault": np.mean([np.mean((a == 0) & (b == 0)) for a, b in pairs]),
        "difficulty": np.var(votes / n_members),
        "interrater_agreement": 1 - spread / (n_rows * (n_members - 1) * r * (1 - r)),
        "generalized_diversity": 1 - two_fail / one_fails,
    }


@given(oracles)
def test_measures_against_their_definitions(correct):
    r, p = correct.mean(), correct.mean(axis=1)
    assume(0 < r < 1)
    measures = diversity_from_variance(r, np.mean(p * (1 - p)), correct.shape[1])
    assert measures == pytest.approx(naive_measures(correct), abs=1e-9)


def test_arrays_broadcast_in_every_measure():
    measures = diversity_from_variance(0.6, [0.0, 0.1], 3)
    assert {name: value.shape for name, value in measures.items()} == dict.fromkeys(measures, (2,))
