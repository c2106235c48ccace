from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chisquare

from nonet.decide import Argmax, choose_maximum

# Quarters make ties likely, and their sums and differences exact.
quarters = st.integers(0, 4).map(lambda count: count / 4)
supports = st.tuples(st.integers(1, 30), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=quarters)
)


def naive_ties(row):
    return [code for code, value in enumerate(row) if value == max(row)]


@given(supports)
def test_choose_largest_first_tie_against_naive(support):
    expected = [naive_ties(row)[0] for row in support]
    np.testing.assert_array_equal(choose_maximum(support), expected)


@given(supports)
def test_choose_largest_abstain_is_silent_on_ties_only(support):
    tied = np.array([len(naive_ties(row)) > 1 for row in support])
    expected = np.where(tied, -1, support.argmax(axis=1))
    np.testing.assert_array_equal(choose_maximum(support, tie="abstain"), expected)


@given(supports, st.integers(0, 2**40))
def test_choose_largest_random_picks_one_of_the_largest(support, seed):
    codes = choose_maximum(support, tie="random", random_state=seed)
    assert all(code in naive_ties(row) for code, row in zip(codes, support, strict=True))


@given(supports, st.integers(0, 100), st.randoms(use_true_random=False))
def test_choose_largest_random_depends_on_tie_and_key_alone(support, seed, random):
    rows = random.choices(range(len(support)), k=random.randint(1, 2 * len(support)))
    together = choose_maximum(support, tie="random", random_state=seed)
    apart = choose_maximum(support[rows], tie="random", random_state=seed, row_keys=rows)
    np.testing.assert_array_equal(apart, together[rows])


@given(supports, st.permutations(range(5)))
def test_choose_largest_follows_a_permutation_of_the_classes(support, order):
    order = [code for code in order if code < support.shape[1]]
    codes = choose_maximum(support, tie="abstain")
    moved = choose_maximum(support[:, order], tie="abstain")
    back = np.append(order, -1)[moved]
    np.testing.assert_array_equal(back, codes)


@pytest.mark.parametrize("n_tied", [2, 3, 7])
def test_choose_largest_random_is_uniform_over_tied_classes_against_theory(n_tied):
    """Issue 18, item A.3: rows of equal support all got one class."""
    support = np.zeros((20_000, n_tied + 2))
    support[:, 1:-1] = 1 / n_tied
    codes = choose_maximum(support, tie="random", random_state=0)
    counts = np.bincount(codes, minlength=n_tied + 2)
    assert counts[0] == counts[-1] == 0
    assert chisquare(counts[1:-1]).pvalue > 0.001


def test_choose_largest_random_seeds_are_independent_against_theory():
    support = np.full((20_000, 4), 0.25)
    one, other = (choose_maximum(support, tie="random", random_state=seed) for seed in (0, 1))
    agreements = np.count_nonzero(one == other)
    assert chisquare([agreements, len(support) - agreements], [5_000, 15_000]).pvalue > 0.001


def test_choose_largest_random_is_blind_to_type_and_sign_of_zero():
    support = np.array([[0.5, 0.5, 0.0], [0.25, 0.25, 0.0], [0.75, 0.75, 0.0]] * 5)
    seeds = range(20)
    for same in (np.where(support == 0, -0.0, support), support.astype(np.float32)):
        for seed in seeds:
            np.testing.assert_array_equal(
                choose_maximum(same, tie="random", random_state=seed),
                choose_maximum(support, tie="random", random_state=seed),
            )


def test_choose_largest_random_without_seed_is_deterministic():
    support = np.repeat(np.linspace(0.1, 1, 50)[:, np.newaxis], 3, axis=1)
    np.testing.assert_array_equal(
        choose_maximum(support, tie="random"), choose_maximum(support, tie="random", random_state=0)
    )


def test_choose_largest_sees_ties_behind_rounding():
    votes = np.array([[0.3, 0.1 + 0.2]])
    assert votes[0, 0] != votes[0, 1]
    assert choose_maximum(votes, tie="abstain").tolist() == [-1]
    assert choose_maximum(votes.astype(np.float32), tie="abstain").tolist() == [-1]
    assert choose_maximum([[0.3, 0.3 + 1e-9]], tie="abstain").tolist() == [1]


def test_choose_largest_takes_row_of_zeros_as_tie_of_all():
    nothing = np.zeros((1, 3))
    assert choose_maximum(nothing).tolist() == [0]
    assert choose_maximum(nothing, tie="abstain").tolist() == [-1]
    drawn = {int(choose_maximum(nothing, tie="random", random_state=s)[0]) for s in range(50)}
    assert drawn == {0, 1, 2}


def test_choose_largest_of_no_rows_is_empty():
    for tie in ("first", "random", "abstain"):
        assert choose_maximum(np.empty((0, 3)), tie=tie).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tie": "last"}, "parameter 'tie' must be one of 'first', 'random', 'abstain'"),
        ({"tie": "random", "random_state": -1}, "parameter 'random_state' must be None or a whole"),
        (
            {"tie": "random", "row_keys": [1, 2]},
            "row_keys must hold a whole number for each of the 1",
        ),
        ({"tie": "random", "row_keys": [0.5]}, "row_keys must hold .* and dtype float64"),
    ],
)
def test_choose_largest_rejects_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        choose_maximum([[0.5, 0.5]], **arguments)


def test_argmax_leaves_ties_open_for_the_arbiter():
    rule = Argmax(tie="arbiter", arbiter="tree")
    rule.check(["a", "b"])
    assert rule.can_abstain
    assert rule.abstain_label_for(["a", "b"]) is None
    assert rule.decide(np.array([[0.5, 0.5], [0.1, 0.9]])).tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("tie", "silent"), [("first", False), ("random", False), ("abstain", True), ("arbiter", True)]
)
def test_argmax_knows_whether_it_can_be_silent(tie, silent):
    assert Argmax(tie=tie).can_abstain is silent


def test_argmax_rejects_arbiter_policy_without_arbiter():
    with pytest.raises(ValueError, match="'arbiter' must be an estimator or the name of a member"):
        Argmax(tie="arbiter").check(["a", "b"])


def test_argmax_rejects_arbiter_that_would_not_be_used():
    with pytest.raises(ValueError, match="'arbiter' must be None when tie='first'"):
        Argmax(arbiter="tree").check(["a", "b"])


def test_argmax_passes_its_seed_on():
    support = np.repeat(np.linspace(0.1, 1, 50)[:, np.newaxis], 3, axis=1)
    expected = choose_maximum(support, tie="random", random_state=7)
    np.testing.assert_array_equal(Argmax("random", random_state=7).decide(support), expected)
    assert np.any(Argmax("random", random_state=8).decide(support) != expected)
