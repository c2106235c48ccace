"""Scalars give Python numbers, arrays give arrays, and bad input gets its one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from nonet import theory

# A call with scalars, the parameter that is also given as an array, and what is refused there.
CALLS = {
    "k_of_n_probability": ({"probability": 0.5, "n_voters": 3, "k": 2}, "probability", -0.1),
    "majority_error": ({"error": 0.25, "n_voters": 11}, "error", 1.5),
    "majority_accuracy": ({"accuracy": 0.7, "n_voters": 5}, "n_voters", 0),
    "majority_error_limit": ({"error": 0.3}, "error", float("nan")),
    "voters_needed": ({"accuracy": 0.6, "target": 0.9}, "target", 1.0),
    "biased_accuracy": ({"accuracy": 0.6, "n_runs": 2}, "n_runs", 1.5),
    "biased_runs_needed": ({"accuracy": 0.6, "target": 0.9}, "accuracy", 0.0),
    "rounds_needed": ({"edge": 0.1, "target": 0.1}, "edge", 0.0),
    "rounds_to_fit": ({"edge": 0.1, "n_rows": 100}, "n_rows", 0),
    "vote_vc_dimension": ({"vc_dimension": 2, "n_rounds": 3}, "vc_dimension", 1),
    "stump_vote_vc_dimension": ({"n_stumps": 3}, "n_stumps", -1),
    "vc_bound": ({"training_error": 0.0, "vc_dimension": 3, "n_rows": 99}, "training_error", 2.0),
    "margin_bound": (
        {"margin_fraction": 0.1, "margin": 0.2, "n_rows": 99, "n_hypotheses": 9},
        "margin",
        0.0,
    ),
    "strength_bound": ({"strength": 0.5, "correlation": 0.1}, "strength", 0.0),
    "support_vector_bound": ({"n_support": 3, "n_rows": 30}, "n_support", -1),
    "variance_of_mean": ({"variance": 1.0, "n_members": 3}, "variance", -1.0),
    "effective_members": ({"n_members": 3, "correlation": 0.2}, "correlation", 1.1),
    "left_out_probability": ({"n_rows": 5}, "n_rows", 2.5),
    "distinct_fraction": ({"n_rows": 5}, "n_rows", "five"),
    "never_left_out_probability": ({"n_rows": 5, "n_bags": 2}, "n_bags", 0),
    "original_sample_probability": ({"n_rows": 5}, "n_rows", 0),
    "forest_columns": ({"n_columns": 5}, "n_columns", 0),
}
# Calls that take arrays only, with the parameter and the value that is refused.
REFUSED = [
    ("k_of_n_probability", {"probability": 0.5, "n_voters": 3}, "k", 4),
    ("majority_error", {"error": 0.2, "n_voters": 3}, "tie", "first"),
    ("majority_error", {"error": 0.2, "n_voters": 3}, "correlation", -0.1),
    ("vote_count_distribution", {}, "probabilities", [0.5, 1.5]),
    ("vote_count_distribution", {}, "probabilities", []),
    ("unequal_majority_error", {}, "errors", 0.3),
    ("unequal_majority_error", {"errors": [0.2]}, "tie", None),
    ("expected_accuracy", {"n_members": 3}, "row_accuracies", [[0.5]]),
    ("limit_accuracy", {}, "row_accuracies", []),
    ("voters_needed", {"accuracy": 0.5}, "target", 0.9),
    ("voters_needed", {"target": 0.9}, "accuracy", 0.5 + 1e-9),
    ("score_majority", {}, "correct", [[0.5]]),
    ("score_majority", {}, "correct", [[1, 0], [1]]),
    ("monte_carlo_moments", {"n_members": 3}, "matrix", [1, 0]),
    ("bagging_moments", {"matrix": [[1, 0]]}, "n_members", 0),
    ("bagging_moments", {"n_members": 3}, "matrix", [[1, 2]]),
    ("majority_limits", {"mean_accuracy": 0.5}, "n_rows", 0),
    ("training_bound", {}, "errors", [0.3, 0.6]),
    ("training_bound", {}, "errors", 0.3),
    ("edge_bound", {}, "edges", [-0.1]),
    ("margin_bound", {"margin_fraction": 0, "margin": 0.1, "n_rows": 9}, "n_hypotheses", None),
    ("margin_bound", {"margin_fraction": 0, "margin": 0.1, "n_rows": 9}, "vc_dimension", 10),
    ("signed_margins", {"outputs": [[1], [1]]}, "y", [1, 0]),
    ("signed_margins", {"outputs": [[1], [1]]}, "y", [1]),
    ("signed_margins", {"y": [1]}, "outputs", [[2]]),
    ("signed_margins", {"y": [1], "outputs": [[1, 1]]}, "weights", [0, 0]),
    ("signed_margins", {"y": [1], "outputs": [[1, 1]]}, "weights", [1]),
    ("margins_by_round", {"y": [1], "outputs": [[1, 1]]}, "weights", [0, 1]),
    ("class_margins", {"support": [[0.5, 0.5]]}, "codes", [2]),
    ("class_margins", {"codes": [0]}, "support", [[1.0]]),
    ("margin_fraction", {}, "margins", []),
    ("maximize_margin", {}, "votes", [[1, 3]]),
    ("support_vector_bound", {"n_rows": 5}, "n_support", 6),
    ("variance_of_mean", {"variance": 1, "n_members": 3}, "correlation", -0.6),
    ("effective_members", {"n_members": 3}, "correlation", -0.5),
    ("variance_of_weighted_mean", {}, "covariance", [[1.0, 2.0], [2.0, 1.0]]),
    ("variance_of_weighted_mean", {}, "covariance", [[1.0, 0.0]]),
    ("jensen_gap", {"predictions": [1, 2], "y": 1}, "loss", "cubic"),
    ("jensen_gap", {"predictions": [1, 2], "y": 1}, "loss", lambda prediction, y: 0.0),
    ("jensen_gap", {"predictions": [1, 2]}, "y", [1, 2]),
    ("count_bootstrap_samples", {}, "n_rows", 2.5),
    ("count_bootstrap_samples", {"n_rows": 3}, "n_draws", 0),
    ("count_bootstrap_samples", {"n_rows": 3}, "ordered", 1),
    ("forest_columns", {"n_columns": 3}, "task", "ranking"),
    ("left_out_probability", {}, "n_rows", True),
    ("code_distance", {}, "code", [[1, -1]]),
    ("code_distance", {}, "code", [[1, 0.5], [1, -1]]),
    ("column_distance", {}, "code", [[1], [-1]]),
    ("correctable_errors", {}, "code", [1, -1]),
    ("diversity_from_variance", {"accuracy": 0.9, "n_members": 3}, "variance", 0.2),
    ("diversity_from_variance", {"variance": 0.0, "n_members": 3}, "accuracy", 1.0),
]


@pytest.mark.parametrize("name", CALLS)
def test_scalars_give_python_numbers_and_arrays_the_same_numbers(name):
    arguments, parameter, _ = CALLS[name]
    calculate = getattr(theory, name)
    alone = calculate(**arguments)
    assert type(alone) in (float, int)
    twice = calculate(**arguments | {parameter: [[arguments[parameter]] * 2]})
    assert isinstance(twice, np.ndarray)
    np.testing.assert_array_equal(twice, [[alone, alone]])


@pytest.mark.parametrize("name", CALLS)
def test_calculator_rejects_bad_numbers_with_one_sentence(name):
    arguments, parameter, bad = CALLS[name]
    for value in (bad, [arguments[parameter], bad]):
        with pytest.raises(ValueError, match=f"^{name}: parameter '{parameter}' must be .*but got"):
            getattr(theory, name)(**arguments | {parameter: value})


@pytest.mark.parametrize(("name", "arguments", "parameter", "bad"), REFUSED)
def test_calculator_rejects_bad_input_with_one_sentence(name, arguments, parameter, bad):
    with pytest.raises(ValueError, match=f"^{name}: parameter '{parameter}' must be .*but got"):
        getattr(theory, name)(**arguments | {parameter: bad})


def test_very_long_whole_numbers_are_numbers():
    assert theory.left_out_probability(10**30) == pytest.approx(np.exp(-1))


def test_whole_number_beyond_any_float_is_refused():
    with pytest.raises(ValueError, match="must be a whole number of at least 1, but got 1000"):
        theory.left_out_probability(10**400)


def test_who_is_right_may_be_true_or_false():
    right = np.array([[True, True, False], [True, False, False]])
    assert theory.score_majority(right) == theory.score_majority(right.astype(int)) == 0.5
    assert theory.bagging_moments(right, 3) == theory.bagging_moments(right.astype(int), 3)


def test_empty_arrays_stay_empty():
    assert theory.majority_error([], 3).shape == (0,)
    assert theory.voters_needed([], 0.9).shape == (0,)
