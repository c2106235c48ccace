from __future__ import annotations

import numpy as np
import pytest

from nonet.combine import LeastSquares, SignedSum

RNG = np.random.default_rng(0)
OUTPUTS = RNG.normal(size=(60, 4))
TARGET = OUTPUTS @ [1.0, -2.0, 0.5, 0.0] + RNG.normal(size=60)


def test_weights_against_naive_least_squares():
    expected = np.linalg.lstsq(OUTPUTS, TARGET, rcond=None)[0]
    np.testing.assert_allclose(LeastSquares().find(OUTPUTS, TARGET), expected, rtol=1e-8)


def test_row_weights_are_repetitions():
    counts = RNG.integers(0, 3, 60)
    repeated = LeastSquares().find(np.repeat(OUTPUTS, counts, 0), np.repeat(TARGET, counts))
    weighted = LeastSquares().find(OUTPUTS, TARGET, sample_weight=counts)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-8)


def test_members_that_predict_alike_share_the_weight():
    alike = np.column_stack([OUTPUTS[:, 0], OUTPUTS[:, 0]])
    weights = LeastSquares().find(alike, 2 * OUTPUTS[:, 0])
    np.testing.assert_allclose(weights, [1, 1], rtol=1e-6)


def test_sum_takes_weights_of_either_sign():
    weights = np.array([1.0, -2.0, 0.5, 0.0])
    np.testing.assert_allclose(SignedSum().support(OUTPUTS, weights), OUTPUTS @ weights)
    several = np.stack([OUTPUTS, 2 * OUTPUTS], axis=2)
    combined = SignedSum().support(several, weights)
    np.testing.assert_allclose(
        combined, np.column_stack([OUTPUTS @ weights, 2 * OUTPUTS @ weights])
    )
    np.testing.assert_allclose(SignedSum().support(OUTPUTS), OUTPUTS.mean(axis=1))


def test_classification_is_rejected():
    with pytest.raises(ValueError, match="either sign do not give probabilities"):
        LeastSquares().suited_rule("classification")
