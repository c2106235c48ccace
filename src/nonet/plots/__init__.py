"""Plots of result objects and arrays with matplotlib.

This is the only package that uses matplotlib, and it imports matplotlib when the first plot is
drawn.
"""

from nonet.plots.boosting.boost_cv import plot_boost_cv
from nonet.plots.boosting.boosting_rounds import plot_boosting_rounds
from nonet.plots.boosting.eval_curves import plot_eval_curves
from nonet.plots.boosting.rounds import plot_rounds
from nonet.plots.diagnostics.ambiguity import plot_ambiguity
from nonet.plots.diagnostics.bias_variance import plot_bias_variance, plot_complexity
from nonet.plots.diagnostics.correctness import plot_correctness
from nonet.plots.diagnostics.diversity import plot_diversity, plot_kappa_error
from nonet.plots.diagnostics.error_curve import plot_error_curve
from nonet.plots.diagnostics.gains import plot_gains
from nonet.plots.diagnostics.margins import plot_margin_growth, plot_margins
from nonet.plots.diagnostics.oob_curve import plot_oob_curve
from nonet.plots.diagnostics.reliability import plot_reliability
from nonet.plots.diagnostics.risk_coverage import plot_risk_coverage
from nonet.plots.diagnostics.roc import plot_roc
from nonet.plots.diagnostics.scores import plot_scores
from nonet.plots.diagnostics.voting import plot_majority_error, plot_vote_probabilities
from nonet.plots.resampling.bootstrap import plot_bootstrap
from nonet.plots.resampling.cv_curve import plot_cv_curve
from nonet.plots.resampling.jackknife import plot_jackknife
from nonet.plots.resampling.size_curve import plot_size_curve
from nonet.plots.trees.explanations import plot_shap_values, plot_tree_dependence
from nonet.plots.trees.forest import plot_forest
from nonet.plots.trees.regions import plot_decision_regions, plot_member_regions
from nonet.plots.trees.splits import plot_splits
from nonet.plots.trees.tree import plot_tree
from nonet.plots.unsupervised.clustering_stability import plot_clustering_stability

__all__ = [
    "plot_ambiguity",
    "plot_bias_variance",
    "plot_boost_cv",
    "plot_boosting_rounds",
    "plot_bootstrap",
    "plot_clustering_stability",
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
    "plot_roc",
    "plot_rounds",
    "plot_scores",
    "plot_shap_values",
    "plot_size_curve",
    "plot_splits",
    "plot_tree",
    "plot_tree_dependence",
    "plot_vote_probabilities",
]
