"""Bounds of AdaBoost against AdaBoost itself, and against their formulas written out."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonet.theory import (
    edge_bound,
    margin_bound,
    margin_fraction,
    rounds_needed,
    rounds_to_fit,
    signed_margins,
    stump_vote_vc_dimension,
    training_bound,
    vc_bound,
    vote_vc_dimension,
)

errors = st.lists(st.floats(0.01, 0.5), min_size=1, max_size=30)


def boost(votes, y, n_rounds):
    """Discrete AdaBoost over given predictions (n_rows, n_hypotheses); errors, weights, choices."""
    weights = np.full(len(y), 1 / len(y))
    history = []
    for _ in range(n_rounds):
        wrong = (votes != y[:, np.newaxis]).astype(float)
        best = int(np.argmin(np.round(weights @ wrong, 12)))
        error = float(weights @ wrong[:, best])
        if not 1e-9 < error < 0.5 - 1e-9:
            break
        alpha = math.log((1 - error) / error) / 2
        weights = weights * np.exp(-alpha * y * votes[:, best])
        weights /= weights.sum()
        history.append((error, alpha, best))
    return history


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), theta=st.floats(0, 0.6))
def test_training_bound_holds_for_adaboost(seed, theta):
    rng = np.random.default_rng(seed)
    votes = rng.choice([-1, 1], size=(15, 8))
    y = rng.choice([-1, 1], size=15)
    history = boost(np.hstack([votes, -votes]), y, 12)
    if not history:
        return
    eps, alphas, chosen = map(np.array, zip(*history, strict=True))
    margins = signed_margins(y, np.hstack([votes, -votes])[:, chosen], alphas)
    assert margin_fraction(margins, theta - 1e-12) <= training_bound(eps, margin=theta) + 1e-9
    assert margin_fraction(margins) <= training_bound(eps) + 1e-9


@given(errors)
def test_edge_bound_is_never_below_the_training_bound(eps):
    eps = np.array(eps)
    assert training_bound(eps) <= edge_bound(0.5 - eps) + 1e-12


@given(errors, st.floats(0, 1))
def test_training_bound_against_product(eps, theta):
    naive = math.prod(2 * math.sqrt(e ** (1 - theta) * (1 - e) ** (1 + theta)) for e in eps)
    assert training_bound(eps, margin=theta) == pytest.approx(naive, rel=1e-10)


def test_training_bound_broadcasts_over_runs_and_margins():
    bounds = training_bound([[0.2, 0.3], [0.4, 0.4]], margin=[0.0, 0.5])
    assert bounds[1] == pytest.approx(training_bound([0.4, 0.4], margin=0.5))
    assert training_bound([0.1, 0.0]) == 0


@given(edge=st.floats(0.01, 0.5), target=st.floats(1e-6, 0.99))
def test_rounds_needed_are_the_fewest(edge, target):
    n = rounds_needed(edge, target)
    assert math.exp(-2 * n * edge**2) <= target * (1 + 1e-9)
    assert n == 1 or math.exp(-2 * (n - 1) * edge**2) > target


@given(edge=st.floats(0.01, 0.5), n_rows=st.integers(1, 10**6))
def test_rounds_to_fit_leave_less_than_one_error(edge, n_rows):
    n = rounds_to_fit(edge, n_rows)
    assert math.exp(-2 * n * edge**2) * n_rows < 1
    assert n == 1 or math.exp(-2 * (n - 1) * edge**2) * n_rows >= 1 - 1e-9


def shattered_by_stumps(n_stumps, n_points):
    """Try every vote of stumps on points of a line, with weights of every kind."""
    ahead = [np.where(np.arange(n_points) < threshold, -1, 1) for threshold in range(n_points + 1)]
    stumps = ahead + [-stump for stump in ahead]
    weights = [w for w in product([1, 2, 3], repeat=n_stumps)]
    labelled = set()
    for chosen in combinations_with_replacement(stumps, n_stumps):
        for score in np.array(weights) @ np.array(chosen):
            labelled.add(tuple((score >= 0).tolist()))
    return len(labelled) == 2**n_points


@pytest.mark.parametrize("n_stumps", [1, 2, 3])
def test_vc_dimension_of_stump_votes_against_enumeration(n_stumps):
    dimension = stump_vote_vc_dimension(n_stumps)
    assert shattered_by_stumps(n_stumps, dimension)
    assert not shattered_by_stumps(n_stumps, dimension + 1)


@given(st.integers(1, 10**6))
def test_vc_dimension_of_stump_votes_is_within_the_general_bound(n_stumps):
    assert stump_vote_vc_dimension(n_stumps) <= vote_vc_dimension(2, n_stumps)


def test_vc_bound_against_formula():
    naive = 0.1 + 2 * math.sqrt((5 * (math.log(2 * 1000 / 5) + 1) + math.log(9 / 0.05)) / 1000)
    assert vc_bound(0.1, 5, 1000) == pytest.approx(naive)
    assert vc_bound(0.1, 2000, 1000) == math.inf


@given(d=st.floats(1, 50), delta=st.floats(0.001, 0.5))
def test_vc_bound_falls_with_rows_and_rises_with_dimension(d, delta):
    assert np.all(np.diff(vc_bound(0.0, d, [100, 1000, 10_000], delta=delta)) < 0)
    assert vc_bound(0.0, d, 1000, delta=delta) < vc_bound(0.0, d + 1, 1000, delta=delta)


@pytest.mark.parametrize("theta", [0.1, 0.35, 1.0])
@pytest.mark.parametrize("m", [50, 10**5])
def test_margin_bound_against_all_sizes(theta, m):
    sizes = np.arange(1, 20_000)
    gap = 2 * np.exp(-sizes * theta**2 / 8)
    counted = np.log(sizes * (sizes + 1.0) ** 2 / 0.1)
    finite = 0.2 + np.min(gap + np.sqrt((counted + sizes * math.log(40)) / (2 * m)))
    assert margin_bound(0.2, theta, m, n_hypotheses=40, delta=0.1) == pytest.approx(
        finite, rel=1e-4
    )
    growth = math.log(8) + counted + 3 * sizes * math.log(math.e * m / 3)
    by_dimension = 0.2 + np.min(gap + np.sqrt(32 * growth / m))
    assert margin_bound(0.2, theta, m, vc_dimension=3, delta=0.1) == pytest.approx(
        by_dimension, rel=1e-4
    )


@given(theta=st.floats(0.05, 1), size=st.integers(1, 10**6))
def test_margin_bound_falls_with_rows_and_with_the_margin(theta, size):
    by_rows = margin_bound(0.0, theta, [10**2, 10**4, 10**6], n_hypotheses=size)
    assert np.all(np.diff(by_rows) < 0)
    by_margin = margin_bound(0.0, [theta / 2, theta], 10**5, n_hypotheses=size)
    assert by_margin[1] <= by_margin[0] * (1 + 1e-4)


def test_margin_bound_says_nothing_on_data_of_ordinary_size():
    assert np.all(margin_bound(0.0, [0.1, 0.2, 0.3], 1000, n_hypotheses=100) > 0.5)
    assert margin_bound(0.0, 0.2, 1000, vc_dimension=2) > 1
