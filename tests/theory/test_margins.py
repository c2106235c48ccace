"""Margins against loops, and the largest one against duality and random weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.svm import SVC

from nonet.theory import (
    class_margins,
    margin_fraction,
    margins_by_round,
    maximize_margin,
    signed_margins,
    strength_bound,
    support_vector_bound,
)

signs = st.sampled_from([-1, 1])
votes = arrays(np.int64, (5, 4), elements=signs)
labels = arrays(np.int64, 5, elements=signs)
weights = arrays(float, 4, elements=st.floats(0.1, 3))


@given(y=labels, outputs=votes, alphas=weights)
def test_signed_margins_against_naive(y, outputs, alphas):
    naive = [
        sum(a * h for a, h in zip(alphas, row, strict=True)) * truth / sum(alphas)
        for row, truth in zip(outputs.tolist(), y.tolist(), strict=True)
    ]
    np.testing.assert_allclose(signed_margins(y, outputs, alphas), naive, atol=1e-12)


@given(y=labels, outputs=votes, alphas=weights)
def test_margin_is_positive_exactly_where_the_vote_is_right(y, outputs, alphas):
    margins = signed_margins(y, outputs, alphas)
    assert np.all(np.abs(margins) <= 1 + 1e-12)
    np.testing.assert_array_equal(margins > 0, y * (outputs @ alphas) > 0)


@given(y=labels, outputs=votes, alphas=weights)
def test_margins_by_round_are_those_of_the_first_members(y, outputs, alphas):
    growing = margins_by_round(y, outputs, alphas)
    for t in range(4):
        first = signed_margins(y, outputs[:, : t + 1], alphas[: t + 1])
        np.testing.assert_allclose(growing[:, t], first, atol=1e-12)


@given(y=labels, outputs=votes, alphas=weights)
def test_negative_weight_is_the_opposite_vote(y, outputs, alphas):
    turned, predictions = alphas.copy(), outputs.copy()
    turned[1] *= -1
    predictions[:, 1] *= -1
    np.testing.assert_allclose(
        signed_margins(y, predictions, turned), signed_margins(y, outputs, alphas), atol=1e-12
    )


@given(y=labels, outputs=votes)
def test_margins_of_two_classes_are_the_same_in_both_forms(y, outputs):
    fractions = np.stack([(outputs == -1).mean(axis=1), (outputs == 1).mean(axis=1)], axis=1)
    np.testing.assert_allclose(
        class_margins((y + 1) // 2, fractions), signed_margins(y, outputs), atol=1e-12
    )


@given(
    arrays(float, (6, 3), elements=st.floats(0, 1)), arrays(np.int64, 6, elements=st.integers(0, 2))
)
def test_class_margins_against_naive(support, codes):
    naive = [
        row[true] - max(fraction for c, fraction in enumerate(row) if c != true)
        for row, true in zip(support.tolist(), codes.tolist(), strict=True)
    ]
    np.testing.assert_allclose(class_margins(codes, support), naive)


def test_class_margins_leave_their_input_alone():
    support = np.array([[0.5, 0.5]])
    class_margins([0], support)
    assert support.tolist() == [[0.5, 0.5]]


@given(arrays(float, 7, elements=st.floats(-1, 1)), st.floats(-1, 1))
def test_margin_fraction_against_naive(margins, theta):
    assert margin_fraction(margins, theta) == pytest.approx(np.mean(margins <= theta))


@settings(max_examples=25)
@given(votes)
def test_largest_margin_is_reached_and_not_exceeded(matrix):
    margin, best = maximize_margin(matrix)
    assert best.sum() == pytest.approx(1)
    assert (matrix @ best).min() == pytest.approx(margin, abs=1e-8)
    others = np.random.default_rng(0).dirichlet(np.ones(4), size=200)
    assert (matrix @ others.T).min(axis=0).max() <= margin + 1e-8


@settings(max_examples=25)
@given(votes)
def test_largest_margin_is_the_least_edge_by_duality(matrix):
    margin, _ = maximize_margin(matrix)
    min_edge, _ = maximize_margin(-matrix.T)
    assert margin == pytest.approx(-min_edge, abs=1e-8)


def test_strength_bound_falls_with_strength_and_rises_with_correlation():
    assert np.all(np.diff(strength_bound([0.2, 0.5, 1.0], 0.3)) < 0)
    assert np.all(np.diff(strength_bound(0.5, [0.0, 0.3, 1.0])) > 0)


def test_strength_bound_is_chebyshevs_inequality():
    # Independent voters of accuracy 0.8: margins have mean 0.6 and variance (1 - 0.36) / n.
    rng = np.random.default_rng(0)
    margins = np.where(rng.random((4000, 25)) < 0.8, 1, -1).mean(axis=1)
    assert margin_fraction(margins) <= strength_bound(0.6, 1 / 25)


def test_support_vectors_bound_the_leave_one_out_error():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + np.repeat([[1.5, 0], [-1.5, 0]], 20, axis=0)
    y = np.repeat([1, -1], 20)
    keep = [np.arange(40) != i for i in range(40)]
    errors = [SVC(kernel="linear").fit(X[k], y[k]).predict(X[~k])[0] for k in keep] != y
    n_support = SVC(kernel="linear").fit(X, y).n_support_.sum()
    assert errors.mean() <= support_vector_bound(int(n_support), 40)
