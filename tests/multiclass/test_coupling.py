"""Class probabilities from those of binary problems."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from nonet.multiclass import couple_probabilities, make_code

NAMES = ("one_vs_rest", "one_vs_one", "exhaustive", "sparse")


@cache
def code_of(name, n_classes):
    return make_code(name, n_classes, 2 * n_classes, random_state=0)


def said_of(probabilities, code):
    """Outputs of faultless members if the classes have these probabilities."""
    plus, minus = probabilities @ (code > 0), probabilities @ (code < 0)
    return plus / (plus + minus)


def cross_entropy(probabilities, predicted, code):
    fitted = said_of(probabilities, code)
    return -np.sum(predicted * np.log(fitted) + (1 - predicted) * np.log(1 - fitted))


@settings(max_examples=40)
@given(st.sampled_from(NAMES), st.integers(3, 6), st.integers(0, 10_000))
def test_faultless_members_give_back_the_probabilities(name, n_classes, seed):
    probabilities = np.random.default_rng(seed).dirichlet(np.full(n_classes, 2.0), size=5)
    probabilities = (probabilities + 0.01) / (1 + 0.01 * n_classes)
    code = code_of(name, n_classes)
    np.testing.assert_allclose(
        couple_probabilities(said_of(probabilities, code), code), probabilities, atol=1e-4
    )


@pytest.mark.parametrize("name", NAMES)
def test_coupling_against_a_general_optimiser(name):
    code = code_of(name, 4)
    predicted = np.random.default_rng(1).uniform(0.1, 0.9, size=code.shape[1])
    ours = couple_probabilities([predicted], code)[0]

    def loss(logits):
        return cross_entropy(np.exp(logits) / np.exp(logits).sum(), predicted, code)

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).fun
    assert cross_entropy(ours, predicted, code) <= best + 1e-6


def test_three_pairs_against_hastie_and_tibshirani():
    """At the solution a class's expected wins are those the members claim."""
    code = make_code("one_vs_one", 3)
    predicted = np.array([[0.4, 0.9, 0.7]])
    probabilities = couple_probabilities(predicted, code)
    fitted = said_of(probabilities, code)
    np.testing.assert_allclose(fitted @ code.T, predicted @ code.T, atol=1e-6)


def test_order_of_classes_and_columns_changes_nothing():
    rng = np.random.default_rng(0)
    code = make_code("one_vs_one", 5)
    predicted = rng.uniform(0.05, 0.95, size=(20, code.shape[1]))
    rows, columns = rng.permutation(5), rng.permutation(code.shape[1])
    plain = couple_probabilities(predicted, code)
    moved = couple_probabilities(predicted[:, columns], code[rows][:, columns])
    np.testing.assert_allclose(moved, plain[:, rows], atol=1e-5)


def test_certain_and_contradicting_members_give_fractions():
    """Each class beats the next with certainty: nobody leads, nothing is NaN."""
    code = make_code("one_vs_one", 3)
    probabilities = couple_probabilities([[0.0, 1.0, 0.0], [1.0, 1.0, 1.0]], code)
    np.testing.assert_allclose(probabilities[0], 1 / 3, atol=1e-6)
    assert probabilities[1].argmax() == 2
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)


def test_column_without_two_sides_says_nothing():
    code = np.column_stack([make_code("one_vs_rest", 3), np.ones(3, dtype=int)])
    predicted = np.array([[0.2, 0.5, 0.3, 0.0]])
    np.testing.assert_allclose(
        couple_probabilities(predicted, code), couple_probabilities(predicted[:, :3], code[:, :3])
    )


def test_no_rows_give_no_rows():
    assert couple_probabilities(np.empty((0, 3)), make_code("one_vs_one", 3)).shape == (0, 3)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        ([[0.5, 0.5]], "one column for each column of the code, but have shape"),
        ([[0.5, np.nan, 0.5]], "between 0 and 1, but row 0 has nan in column 1"),
        ([[0.5, 0.5, 1.5]], "between 0 and 1, but row 0 has 1.5 in column 2"),
    ],
)
def test_coupling_rejects_bad_probabilities(predicted, message):
    with pytest.raises(ValueError, match=message):
        couple_probabilities(predicted, make_code("one_vs_one", 3))


def test_classes_that_no_column_separates_get_equal_fractions():
    """Issue 18, item A.10: a code of constant columns gave NaN."""
    probabilities = couple_probabilities([[1.0, 0.0]], [[1, -1], [1, -1]])
    np.testing.assert_array_equal(probabilities, [[0.5, 0.5]])


def test_class_that_no_column_separates_keeps_its_fraction():
    probabilities = couple_probabilities([[0.75]], [[1], [-1], [0]])
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities[0, 0] / probabilities[0, 1], 3, rtol=1e-5)
