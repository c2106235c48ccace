"""Theory calculators: errors and bounds of votes, averages, bags, boosting and codes.

Closed formulas, exact up to rounding where that is possible. Scalars in, Python numbers out;
arrays broadcast.
"""

from nonet.theory.averaging import (
    effective_members,
    jensen_gap,
    variance_of_mean,
    variance_of_weighted_mean,
)
from nonet.theory.bags import (
    count_bootstrap_samples,
    distinct_fraction,
    forest_columns,
    left_out_probability,
    never_left_out_probability,
    original_sample_probability,
)
from nonet.theory.boosting_bounds import (
    edge_bound,
    margin_bound,
    rounds_needed,
    rounds_to_fit,
    stump_vote_vc_dimension,
    training_bound,
    vc_bound,
    vote_vc_dimension,
)
from nonet.theory.codes import code_distance, column_distance, correctable_errors
from nonet.theory.diversity import diversity_from_variance
from nonet.theory.margins import (
    class_margins,
    margin_fraction,
    margins_by_round,
    maximize_margin,
    signed_margins,
    strength_bound,
    support_vector_bound,
)
from nonet.theory.monte_carlo import (
    biased_accuracy,
    biased_runs_needed,
    expected_accuracy,
    limit_accuracy,
    voters_needed,
)
from nonet.theory.oracle import (
    bagging_moments,
    majority_limits,
    monte_carlo_moments,
    score_majority,
)
from nonet.theory.selection import SelectOrCombine, select_or_combine
from nonet.theory.vote_accuracy import accuracy_distribution
from nonet.theory.voting import (
    k_of_n_probability,
    majority_accuracy,
    majority_error,
    majority_error_limit,
    unequal_majority_error,
    vote_count_distribution,
)

__all__ = [
    "SelectOrCombine",
    "accuracy_distribution",
    "bagging_moments",
    "biased_accuracy",
    "biased_runs_needed",
    "class_margins",
    "code_distance",
    "column_distance",
    "correctable_errors",
    "count_bootstrap_samples",
    "distinct_fraction",
    "diversity_from_variance",
    "edge_bound",
    "effective_members",
    "expected_accuracy",
    "forest_columns",
    "jensen_gap",
    "k_of_n_probability",
    "left_out_probability",
    "limit_accuracy",
    "majority_accuracy",
    "majority_error",
    "majority_error_limit",
    "majority_limits",
    "margin_bound",
    "margin_fraction",
    "margins_by_round",
    "maximize_margin",
    "monte_carlo_moments",
    "never_left_out_probability",
    "original_sample_probability",
    "rounds_needed",
    "rounds_to_fit",
    "score_majority",
    "select_or_combine",
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
]
