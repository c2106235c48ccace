"""Pictures: a result object or plain arrays in, matplotlib Axes out.

This is the only package that uses matplotlib, and it imports it when the first picture is drawn.
"""

from nonet.plots.ambiguity import plot_ambiguity
from nonet.plots.bias_variance import plot_bias_variance, plot_complexity
from nonet.plots.boost_cv import plot_boost_cv
from nonet.plots.boosting_rounds import plot_boosting_rounds
from nonet.plots.bootstrap import plot_bootstrap
from nonet.plots.correctness import plot_correctness
from nonet.plots.cv_curve import plot_cv_curve
from nonet.plots.diversity import plot_diversity, plot_kappa_error
from nonet.plots.error_curve import plot_error_curve
from nonet.plots.eval_curves import plot_eval_curves
from nonet.plots.explanations import plot_shap_values, plot_tree_dependence
from nonet.plots.forest import plot_forest
from nonet.plots.gains import plot_gains
from nonet.plots.jackknife import plot_jackknife
from nonet.plots.margins import plot_margin_growth, plot_margins
from nonet.plots.oob_curve import plot_oob_curve
from nonet.plots.regions import plot_decision_regions, plot_member_regions
from nonet.plots.reliability import plot_reliability
from nonet.plots.risk_coverage import plot_risk_coverage
from nonet.plots.rounds import plot_rounds
from nonet.plots.scores import plot_scores
from nonet.plots.size_curve import plot_size_curve
from nonet.plots.splits import plot_splits
from nonet.plots.tree import plot_tree
from nonet.plots.voting import plot_majority_error, plot_vote_chances

__all__ = [
    "plot_ambiguity",
    "plot_bias_variance",
    "plot_boost_cv",
    "plot_boosting_rounds",
    "plot_bootstrap",
    "plot_complexity",
    "plot_correctness",
    "plot_cv_curve",
    "plot_decision_regions",
    "plot_diversity",
    "plot_error_curve",
    "plot_eval_curves",
    "plot_forest",
    "plot_gains",
    "plot_jackknife",
    "plot_kappa_error",
    "plot_majority_error",
    "plot_margin_growth",
    "plot_margins",
    "plot_member_regions",
    "plot_oob_curve",
    "plot_reliability",
    "plot_risk_coverage",
    "plot_rounds",
    "plot_scores",
    "plot_shap_values",
    "plot_size_curve",
    "plot_splits",
    "plot_tree",
    "plot_tree_dependence",
    "plot_vote_chances",
]
