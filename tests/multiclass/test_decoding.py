"""Decodings against loops written for clarity, and what they have in common."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.multiclass import _ovr_decision_function

from nonet.multiclass import make_code
from nonet.multiclass.decoding import DECODINGS
from nonet.theory import correctable_errors

LOSSES = {
    "exponential_loss": lambda margin: np.exp(-margin),
    "logistic_loss": lambda margin: np.log1p(np.exp(-margin)),
    "hinge_loss": lambda margin: max(0.0, 1 - margin),
}
CODE = make_code("sparse", 5, 8, random_state=1)
RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(30, 8))
VOTES = np.sign(SCORES).astype(int)


def decode(name, outputs, code=CODE, middle=0.0):
    return DECODINGS[name][1](outputs, code, middle)


@pytest.mark.parametrize("name", LOSSES)
def test_loss_decoding_against_naive(name):
    loss = np.array(
        [
            [
                sum(LOSSES[name](entry * f) for entry, f in zip(word, row, strict=True))
                for word in CODE
            ]
            for row in SCORES
        ]
    )
    expected = -np.log(loss) if name == "exponential_loss" else -loss
    np.testing.assert_allclose(decode(name, SCORES), expected, rtol=1e-10)


def test_hamming_decoding_against_naive():
    distance = np.array([[np.sum((1 - word * row) / 2) for word in CODE] for row in VOTES])
    np.testing.assert_allclose(decode("hamming", VOTES), 1 - distance / CODE.shape[1])


def test_euclidean_decoding_against_naive():
    distance = np.array([[np.sum((word - row) ** 2) for word in CODE] for row in SCORES])
    np.testing.assert_allclose(decode("euclidean", SCORES), -distance)


def test_votes_against_naive():
    fraction = np.array([[np.mean((word == row)[word != 0]) for word in CODE] for row in VOTES])
    np.testing.assert_allclose(decode("votes", VOTES), fraction)


def test_confident_votes_against_sklearn():
    code = make_code("one_vs_one", 4)
    scores = RNG.normal(size=(40, 6))
    predictions = np.stack([np.sign(scores), scores], axis=2)
    theirs = _ovr_decision_function((scores > 0).astype(int), scores, 4)
    np.testing.assert_allclose(decode("confident_votes", predictions, code), theirs)


def test_large_margins_do_not_overflow():
    assert np.isfinite(decode("exponential_loss", 1000 * SCORES)).all()


@pytest.mark.parametrize("name", ["euclidean", *LOSSES])
def test_probabilities_are_read_as_margins(name):
    """A probability p is the margin 2p - 1."""
    predicted = RNG.uniform(size=(10, 8))
    np.testing.assert_allclose(decode(name, predicted, middle=0.5), decode(name, 2 * predicted - 1))


@given(st.integers(0, 10_000), st.sampled_from(["hamming", "euclidean", *LOSSES]))
def test_correctable_errors_are_corrected(seed, name):
    """As many wrong members as theory forgives, wherever they are, leave the class right."""
    code = make_code("exhaustive", 5)
    rng = np.random.default_rng(seed)
    true = rng.integers(5)
    predictions = code[true].astype(float)
    predictions[rng.permutation(code.shape[1])[: correctable_errors(code)]] *= -1
    assert decode(name, predictions[np.newaxis], code).argmax() == true


def test_silent_member_counts_half():
    votes = np.array([[1, 0, -1]])
    code = make_code("one_vs_rest", 3)
    np.testing.assert_allclose(decode("hamming", votes, code), [[5 / 6, 3 / 6, 1 / 6]])
