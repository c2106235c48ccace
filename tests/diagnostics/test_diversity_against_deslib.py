"""The same pairs through DESlib, where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.diagnostics import measure_diversity

with np.errstate(all="ignore"):
    deslib = pytest.importorskip("deslib.util.diversity", reason="DESlib is not installed")

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 3, 200)
PREDICTIONS = np.where(
    RANDOM.random((200, 6)) < 0.7, TRUTH[:, np.newaxis], RANDOM.integers(0, 3, (200, 6))
)
RESULT = measure_diversity(TRUTH[:, np.newaxis] == PREDICTIONS)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("q_statistic", "Q_statistic"),
        ("disagreement", "disagreement_measure"),
        ("double_fault", "double_fault"),
        ("correlation", "correlation_coefficient"),
    ],
)
def test_pairwise_measure_against_deslib(name, function):
    for i in range(6):
        for j in range(i + 1, 6):
            expected = getattr(deslib, function)(TRUTH, PREDICTIONS[:, i], PREDICTIONS[:, j])
            assert RESULT.matrices[name][i, j] == pytest.approx(expected)
