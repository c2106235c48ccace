"""The public names, pinned: a name comes or goes only together with a line here."""

from __future__ import annotations

from importlib import import_module

import pytest

PINNED = {
    "nonet": [
        "BaggingClassifier",
        "BaggingRegressor",
        "DecisionStump",
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "ExtraTreeClassifier",
        "ExtraTreeRegressor",
        "Ledger",
        "PocketPerceptron",
        "RandomSubspaceClassifier",
        "RandomSubspaceRegressor",
        "VotingClassifier",
        "VotingRegressor",
        "bagging",
        "bootstrap",
        "combine",
        "coverage",
        "decide",
        "get_num_threads",
        "jackknife",
        "limit_threads",
        "make_ledger",
        "resampling",
        "risk_coverage_curve",
        "selective_accuracy",
        "show_versions",
        "theory",
        "trees",
    ],
    "nonet.trees": [
        "DecisionStump",
        "DecisionTreeClassifier",
        "DecisionTreeRegressor",
        "ExtraTreeClassifier",
        "ExtraTreeRegressor",
        "ShapValues",
        "TreeView",
        "column_importances",
        "export_text",
        "shap_values",
    ],
    "nonet.bagging": [
        "BaggingClassifier",
        "BaggingRegressor",
        "BalancedDraw",
        "BlockDraw",
        "DRAW_RULES",
        "DrawRule",
        "GroupDraw",
        "PartitionDraw",
        "PocketPerceptron",
        "RandomSubspaceClassifier",
        "RandomSubspaceRegressor",
        "RowDraw",
        "StratifiedDraw",
    ],
    "nonet.combine": [
        "Accuracy",
        "And",
        "AtLeastOne",
        "BestMember",
        "Borda",
        "COMBINATION_RULES",
        "Combination",
        "CombinationRule",
        "GreedySelection",
        "KOfN",
        "LogOdds",
        "NonNegative",
        "Or",
        "RidgeToUniform",
        "Simplex",
        "TrimmedMean",
        "Uniform",
        "WEIGHT_FINDERS",
        "WeightFinder",
        "WeightedKOfN",
        "borda",
        "encode_labels",
        "geometric_mean",
        "k_of_n",
        "log_pool",
        "majority",
        "maximum",
        "maximum_pool",
        "mean",
        "median",
        "median_pool",
        "minimum",
        "minimum_pool",
        "plurality",
        "product",
        "total",
        "trimmed_mean",
        "weighted_k_of_n",
    ],
    "nonet.decide": [
        "Abstain",
        "Argmax",
        "DECISION_RULES",
        "Decision",
        "DecisionRule",
        "Identity",
        "LeastCost",
        "OwnRule",
        "RiskCoverage",
        "Sign",
        "Threshold",
        "choose_by_sign",
        "choose_by_threshold",
        "choose_largest",
        "choose_least_cost",
        "choose_or_abstain",
        "coverage",
        "decode",
        "find_threshold",
        "resolve_abstain_label",
        "resolve_decision_rule",
        "risk_coverage_curve",
        "selective_accuracy",
        "tabulate_costs",
    ],
    "nonet.resampling": [
        "Bayesian",
        "BootstrapResult",
        "BootstrapTest",
        "CircularBlocks",
        "Interval",
        "JackknifeResult",
        "Moment",
        "MonteCarloError",
        "MovingBlocks",
        "Parametric",
        "Quantile",
        "ResamplingWarning",
        "Residual",
        "Scheme",
        "Smoothed",
        "StationaryBlocks",
        "Wild",
    ],
    "nonet.theory": [
        "bagging_moments",
        "biased_accuracy",
        "biased_runs_needed",
        "chance_of_original",
        "class_margins",
        "code_distance",
        "column_distance",
        "correctable_errors",
        "count_bootstrap_samples",
        "distinct_share",
        "diversity_from_variance",
        "edge_bound",
        "effective_members",
        "expected_accuracy",
        "forest_columns",
        "jensen_gap",
        "k_of_n_chance",
        "left_out_chance",
        "limit_accuracy",
        "majority_accuracy",
        "majority_error",
        "majority_error_limit",
        "majority_limits",
        "margin_bound",
        "margin_share",
        "margins_by_round",
        "maximize_margin",
        "monte_carlo_moments",
        "never_left_out_chance",
        "rounds_needed",
        "rounds_to_fit",
        "score_majority",
        "signed_margins",
        "strength_bound",
        "stump_vote_vc_dimension",
        "support_vector_bound",
        "training_bound",
        "unequal_majority_error",
        "variance_of_mean",
        "variance_of_weighted_mean",
        "vc_bound",
        "vote_count_distribution",
        "vote_vc_dimension",
        "voters_needed",
    ],
    "nonet.plots": [
        "plot_bootstrap",
        "plot_jackknife",
        "plot_risk_coverage",
        "plot_scores",
        "plot_tree",
    ],
}


@pytest.mark.parametrize("room", PINNED)
def test_public_names_are_pinned(room):
    assert sorted(import_module(room).__all__) == PINNED[room]


@pytest.mark.parametrize("room", PINNED)
def test_public_names_exist(room):
    module = import_module(room)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("room", PINNED)
def test_public_name_is_not_that_of_a_module_beside_it(room):
    module = import_module(room)
    shadowed = [
        name
        for name in module.__all__
        if type(getattr(module, name)).__name__ != "module" and _is_module(f"{room}.{name}")
    ]
    assert shadowed == []


def _is_module(name):
    try:
        import_module(name)
    except ModuleNotFoundError:
        return False
    return True
