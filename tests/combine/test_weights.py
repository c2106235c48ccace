"""Weight finders: the interface they share, and those that look at each member alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from nonet.combine.weights import (
    WEIGHT_FINDERS,
    Accuracy,
    BestMember,
    GreedySelection,
    LogOdds,
    RidgeToUniform,
    Simplex,
    Uniform,
    log_odds_weights,
    resolve_weight_finder,
)

CLASSES = np.array(["a", "b", "c"])
FOR_REGRESSION = [name for name in WEIGHT_FINDERS if name not in ("accuracy", "log_odds")]


def draw_regression(seed=0, n=40, k=4):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y[:, np.newaxis] + rng.normal(size=(n, k)) * rng.uniform(0.3, 1.5, size=k), y


def draw_probabilities(seed=0, n=60, k=4):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    scores = rng.normal(size=(n, k, 3)) + 1.5 * (np.arange(3) == y[:, np.newaxis, np.newaxis])
    exponents = np.exp(scores * rng.uniform(0.3, 1.5, size=(k, 1)))
    return exponents / exponents.sum(axis=2, keepdims=True), y


def draw_votes(seed=0, n=60, k=4):
    probabilities, y = draw_probabilities(seed, n, k)
    votes = probabilities.argmax(axis=2)
    votes[np.random.default_rng(seed).random((n, k)) < 0.1] = -1
    return votes, y


def draw_problem(kind, seed=0):
    if kind == "regression":
        return (*draw_regression(seed), None)
    draw = draw_probabilities if kind == "probabilities" else draw_votes
    return (*draw(seed), CLASSES)


EVERY_CASE = [
    (name, kind)
    for name in WEIGHT_FINDERS
    for kind in ("regression", "probabilities", "votes")
    if kind != "regression" or name in FOR_REGRESSION
]


@pytest.mark.parametrize(("name", "kind"), EVERY_CASE)
def test_weights_are_one_usable_number_a_member(name, kind):
    outputs, y, classes = draw_problem(kind)
    found = resolve_weight_finder(name).find(outputs, y, classes)
    assert found.shape == (4,)
    assert np.isfinite(found).all()
    assert (found >= 0).all()
    assert found.any()


@pytest.mark.parametrize(("name", "kind"), EVERY_CASE)
def test_integer_weights_mean_repetition(name, kind):
    for seed in range(5):
        outputs, y, classes = draw_problem(kind, seed)
        times = np.random.default_rng(seed).integers(0, 4, size=len(y))
        finder = resolve_weight_finder(name)
        weighted = finder.find(outputs, y, classes, times)
        repeated = finder.find(outputs.repeat(times, axis=0), y.repeat(times), classes)
        np.testing.assert_allclose(weighted, repeated, atol=1e-9)


# Accuracies of few rows are often equal, and then the first member is "best" by design.
WITHOUT_TIES = [case for case in EVERY_CASE if case[0] != "best" or case[1] == "regression"]


@pytest.mark.parametrize(("name", "kind"), WITHOUT_TIES)
def test_permuted_members_permute_weights(name, kind):
    for seed in range(5):
        outputs, y, classes = draw_problem(kind, seed)
        order = np.random.default_rng(seed).permutation(4)
        finder = resolve_weight_finder(name)
        found = finder.find(outputs, y, classes)
        np.testing.assert_allclose(
            finder.find(outputs[:, order], y, classes), found[order], atol=1e-9
        )


@pytest.mark.parametrize(("name", "kind"), EVERY_CASE)
def test_find_is_deterministic(name, kind):
    outputs, y, classes = draw_problem(kind)
    first, second = (resolve_weight_finder(name).find(outputs, y, classes) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", FOR_REGRESSION)
def test_several_targets_count_as_more_rows(name):
    outputs, y = draw_regression(n=60)
    several = outputs.reshape(30, 2, 4).transpose(0, 2, 1)
    if name == "ridge_to_uniform":  # its folds are made of rows, so only a given penalty agrees
        one, both = RidgeToUniform(0.3), RidgeToUniform(0.3)
    else:
        one, both = resolve_weight_finder(name), resolve_weight_finder(name)
    np.testing.assert_allclose(
        one.find(outputs, y), both.find(several, y.reshape(30, 2)), atol=1e-9
    )


@pytest.mark.parametrize("name", WEIGHT_FINDERS)
def test_votes_count_as_one_hot_supports(name):
    outputs, y, classes = draw_problem("votes")
    outputs[outputs < 0] = 2
    finder = resolve_weight_finder(name)
    supports = np.eye(3)[outputs]
    np.testing.assert_allclose(
        finder.find(outputs, y, classes), finder.find(supports, y, classes), atol=1e-12
    )


@pytest.mark.parametrize("name", WEIGHT_FINDERS)
def test_single_precision_outputs_give_nearly_the_same(name):
    outputs, y, classes = draw_problem("probabilities", seed=3)
    # Rows are dealt to folds by their exact numbers, so rounding may change a chosen penalty.
    finder = RidgeToUniform(0.3) if name == "ridge_to_uniform" else resolve_weight_finder(name)
    single = finder.find(outputs.astype(np.float32), y, classes)
    np.testing.assert_allclose(single, finder.find(outputs, y, classes), atol=1e-4)


@pytest.mark.parametrize("name", WEIGHT_FINDERS)
def test_one_member_gets_weight(name):
    outputs, y, classes = draw_problem("probabilities")
    found = resolve_weight_finder(name).find(outputs[:, :1], y, classes)
    assert found.shape == (1,)
    assert found[0] > 0


@pytest.mark.parametrize("name", ["non_negative", "accuracy", "log_odds"])
def test_members_that_are_never_right_have_equal_weights(name):
    votes = np.zeros((10, 2), dtype=int)
    found = resolve_weight_finder(name).find(votes, np.ones(10, dtype=int), CLASSES)
    np.testing.assert_array_equal(found, [0.5, 0.5])


def test_uniform_is_one_over_k():
    outputs, y = draw_regression(k=5)
    np.testing.assert_array_equal(Uniform().find(outputs, y), np.full(5, 0.2))


def test_accuracy_against_naive():
    votes, y = draw_votes()
    times = np.random.default_rng(1).uniform(size=len(y))
    hits = [
        sum(t for v, a, t in zip(votes[:, m], y, times, strict=True) if v == a) for m in range(4)
    ]
    np.testing.assert_allclose(
        Accuracy().find(votes, y, CLASSES, times), np.array(hits) / sum(hits)
    )


def test_accuracy_gives_equal_supports_to_first_class():
    supports = np.full((2, 1, 3), 1 / 3)
    other = np.eye(3)[[[2], [1]]]
    both = np.concatenate([supports, other], axis=1)
    np.testing.assert_allclose(Accuracy().find(both, [0, 1], CLASSES), [0.5, 0.5])


def test_log_odds_against_theory_formula():
    votes = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 1, 1]])
    found = LogOdds().find(votes, np.ones(4, dtype=int), ["no", "yes"])
    np.testing.assert_allclose(found, [np.log(5 / 1), np.log(4 / 2), 0.0])


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_log_odds_weights_of_guessing_are_zero(n_classes):
    n_rows = 1e12  # so many that smoothing does not show
    probability = np.array([n_rows / n_classes])
    np.testing.assert_allclose(log_odds_weights(probability, n_rows, n_classes), 0.0, atol=1e-9)


def test_log_odds_vote_against_theory_beats_every_other_weighting():
    """Independent voters: no weights on a grid make fewer errors than the log-odds."""
    accuracy = np.array([0.9, 0.8, 0.6, 0.55, 0.55])
    right = (np.arange(32)[:, np.newaxis] >> np.arange(5)) & 1
    probabilities = np.prod(np.where(right, accuracy, 1 - accuracy), axis=1)

    def fraction_right(weights):
        lead = (2 * right - 1) @ weights
        return probabilities[lead > 1e-12].sum() + probabilities[np.abs(lead) <= 1e-12].sum() / 2

    best = fraction_right(log_odds_weights(accuracy * 1e9, 1e9))
    grid = np.stack(np.meshgrid(*[[0, 1, 2, 3]] * 5), axis=-1).reshape(-1, 5)
    assert best >= max(map(fraction_right, grid)) - 1e-12
    assert best > fraction_right(np.ones(5))


def test_best_is_indicator_of_least_error():
    outputs, y = draw_regression(seed=2)
    errors = np.mean((outputs - y[:, np.newaxis]) ** 2, axis=0)
    np.testing.assert_array_equal(BestMember().find(outputs, y), np.arange(4) == errors.argmin())


def test_best_gives_equal_scores_to_first():
    votes = np.array([[1, 0, 0], [1, 1, 1]])
    np.testing.assert_array_equal(BestMember().find(votes, [0, 1], ["no", "yes"]), [0, 1, 0])


def test_best_follows_its_scoring():
    outputs = np.array([[0.0, 1.2], [0.0, 1.2], [10.0, 1.2]])
    y = np.zeros(3)
    np.testing.assert_array_equal(BestMember().find(outputs, y), [0, 1])
    by_median = BestMember("neg_median_absolute_error")
    np.testing.assert_array_equal(by_median.find(outputs, y), [1, 0])


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 12))
def test_simplex_and_greedy_weights_sum_to_one(seed, k, n):
    rng = np.random.default_rng(seed)
    outputs, y = rng.integers(-3, 4, size=(n, k)).astype(float), rng.normal(size=n)
    for finder in (Simplex(), GreedySelection(n_rounds=7)):
        found = finder.find(outputs, y)
        assert (found >= 0).all()
        assert found.sum() == pytest.approx(1, abs=1e-12)


@given(st.integers(0, 10_000), st.sampled_from(FOR_REGRESSION))
def test_zero_weight_rows_are_not_there(seed, name):
    outputs, y = draw_regression(seed, n=12, k=3)
    outputs[:3] = 1e6
    weight = np.r_[np.zeros(3), np.ones(9)]
    finder = resolve_weight_finder(name)
    np.testing.assert_allclose(
        finder.find(outputs, y, sample_weight=weight), finder.find(outputs[3:], y[3:]), atol=1e-9
    )


def test_resolve_returns_copy_with_its_parameters():
    given_finder = RidgeToUniform(2.5)
    finder = resolve_weight_finder(given_finder)
    assert finder is not given_finder
    assert finder.penalty == 2.5
    assert resolve_weight_finder("simplex") is not WEIGHT_FINDERS["simplex"]


@pytest.mark.parametrize("finder", WEIGHT_FINDERS.values(), ids=list(WEIGHT_FINDERS))
def test_finders_survive_clone(finder):
    assert clone(finder).get_params() == finder.get_params()


def test_resolve_rejects_unknown_name_with_hint():
    with pytest.raises(ValueError, match=r"'simplx' is not known \(did you mean 'simplex'\?\)"):
        resolve_weight_finder("simplx")


@pytest.mark.parametrize("wrong", [3, None, Simplex, [0.5, 0.5]])
def test_resolve_rejects_what_is_no_finder(wrong):
    with pytest.raises(ValueError, match="'weights' must be a weight finder or one of"):
        resolve_weight_finder(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        RidgeToUniform(-1.0),
        RidgeToUniform("best"),
        RidgeToUniform(float("nan")),
        RidgeToUniform(cv=1),
        GreedySelection("no_such_score"),
        GreedySelection(n_rounds=0),
        GreedySelection(n_bags=0),
        GreedySelection(bag_fraction=0.0),
        BestMember(3),
    ],
    ids=repr,
)
def test_resolve_rejects_bad_parameters(wrong):
    with pytest.raises(ValueError, match=f"{type(wrong).__name__}: parameter '.*' must be"):
        resolve_weight_finder(wrong)


@pytest.mark.parametrize("name", ["accuracy", "log_odds"])
def test_accuracy_rejects_regression_and_names_others(name):
    outputs, y = draw_regression()
    with pytest.raises(ValueError, match="which does not apply to regression; use 'non_negative'"):
        resolve_weight_finder(name).find(outputs, y)


@pytest.mark.parametrize(
    ("outputs", "target", "classes", "message"),
    [
        ([1.0, 2.0], [1.0, 2.0], None, "outputs must have shape"),
        ([[1.0, np.nan]], [1.0], None, "outputs must be finite, but hold NaN"),
        ([[1.0, np.inf]], [1.0], None, "outputs must be finite, but hold NaN"),
        ([[1.0, 2.0]], [np.nan], None, "target must be finite, but hold NaN"),
        ([[1.0, 2.0]], [1.0, 2.0], None, "target must hold 1 number"),
        ([[[1.0], [2.0]]], [[1.0, 2.0]], None, "target must hold 1 number"),
        ([[1.0, 2.0]], [[[1.0]]], None, "target must have 1 or 2 axes"),
        (np.zeros((0, 2)), [], None, "at least one row"),
        (np.zeros((3, 0)), [1.0, 2.0, 3.0], None, "at least one member"),
        (np.zeros((1, 2, 4)), [0], CLASSES, "each of the 3 classes"),
        (np.full((1, 2, 3), np.nan), [0], CLASSES, "outputs must be finite"),
        ([[0, 3]], [0], CLASSES, "outputs must hold class codes from -1 to 2"),
        ([[0, 1]], [-1], CLASSES, "target must hold class codes from 0 to 2"),
        ([[0, 1]], [0.5], CLASSES, "target must hold a whole-number class code"),
        ([[0, 1]], [0, 1], CLASSES, "target must hold a whole-number class code"),
        (np.zeros((0, 2), dtype=int), np.zeros(0, dtype=int), CLASSES, "at least one row"),
    ],
)
def test_find_rejects_bad_data(outputs, target, classes, message):
    with pytest.raises(ValueError, match=message):
        Uniform().find(outputs, target, classes)


def test_find_rejects_labels_that_are_no_codes():
    with pytest.raises(TypeError, match="label outputs must be whole-number class codes"):
        Uniform().find([["a", "b"]], [0], CLASSES)
    with pytest.raises(TypeError, match="target must be numeric in regression; pass `classes`"):
        Uniform().find([[1.0, 2.0]], ["a"])


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([-1.0, 1.0], "row 0 has -1"),
        ([np.nan, 1.0], "row 0 has nan"),
        ([0.0, 0.0], "must not all be 0"),
        ([1.0], r"each of the 2 rows, but has shape \(1,\)"),
    ],
)
def test_find_rejects_bad_sample_weight(weight, message):
    with pytest.raises(ValueError, match=message):
        Uniform().find([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0], sample_weight=weight)
