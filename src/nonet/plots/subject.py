"""Checks of the first argument of the plot functions."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

# For each plot function: what it draws, and attributes that identify such an object.
_SUBJECTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "plot_ambiguity": ("an Ambiguity, which nonet.ambiguity returns", ("member_errors",)),
    "plot_bias_variance": (
        "a BiasVariance, which nonet.bias_variance returns, or a dictionary of them",
        ("variance", "standard_errors"),
    ),
    "plot_boost_cv": ("a BoostCV, which nonet.boost_cv returns", ("fold_scores", "best_round")),
    "plot_boosting_rounds": (
        "a fitted AdaBoost classifier",
        ("fit", "estimator_weights_", "classes_"),
    ),
    "plot_bootstrap": (
        "a BootstrapResult, which nonet.bootstrap returns",
        ("rescaled", "interval"),
    ),
    "plot_clustering_stability": (
        "a ClusteringStability, which nonet.clustering_stability returns",
        ("n_clusters", "scores", "best"),
    ),
    "plot_complexity": ("a dictionary of BiasVariance by complexity", ("keys", "items")),
    "plot_correctness": (
        "a Correctness, which nonet.correctness returns",
        ("matrix", "row_profile"),
    ),
    "plot_cv_curve": (
        "a curve, which nonet.cv_curve or nonet.ridge_path returns",
        ("names", "one_standard_error"),
    ),
    "plot_decision_regions": ("a fitted classifier", ("fit", "predict", "classes_")),
    "plot_diversity": ("a Diversity, which nonet.diversity returns", ("matrices", "names")),
    "plot_error_curve": (
        "an ErrorCurve, which nonet.diagnostics.error_curve returns",
        ("sizes", "errors", "loss"),
    ),
    "plot_eval_curves": ("EvalCurves, which nonet.eval_curves returns", ("metrics",)),
    "plot_forest": ("a fitted ensemble of trees", ("fit", "estimators_")),
    "plot_gains": ("a PossibleGains, which nonet.possible_gains returns", ("oracle_error",)),
    "plot_jackknife": ("a JackknifeResult, which nonet.jackknife returns", ("influence",)),
    "plot_kappa_error": ("a KappaError, which nonet.kappa_error returns", ("kappa", "error")),
    "plot_margin_growth": (
        "a MarginGrowth, which nonet.margin_growth returns",
        ("rounds", "quantiles"),
    ),
    "plot_margins": ("a Margins, which nonet.margins returns", ("values", "minimum")),
    "plot_member_regions": ("a fitted ensemble of classifiers", ("fit", "predict", "classes_")),
    "plot_oob_curve": ("an OutOfBagCurve, oob_curve_ of a forest", ("n_members", "scores")),
    "plot_reliability": (
        "a Reliability, which nonet.diagnostics.reliability_curve returns",
        ("predicted", "observed"),
    ),
    "plot_risk_coverage": (
        "a RiskCoverage, which nonet.risk_coverage_curve returns",
        ("coverage", "risk", "area"),
    ),
    "plot_roc": ("a ROCBand, which nonet.roc_band returns", ("fpr", "tpr", "fold_tpr")),
    "plot_rounds": (
        "a fitted gradient booster, or the round_log_ of AdaBoost",
        ("training_error", "product_bound"),
    ),
    "plot_scores": ("a dictionary of scores by the name of the model", ("keys", "items")),
    "plot_shap_values": ("a ShapValues, which nonet.shap_values returns", ("importances", "base")),
    "plot_size_curve": ("a SizeCurve, which nonet.size_curve returns", ("held_out_errors",)),
    "plot_splits": (
        "a SplitVariability, which nonet.split_variability returns",
        ("names", "standard_deviations"),
    ),
    "plot_tree": ("a fitted decision tree", ("fit", "tree_", "n_outputs_")),
    "plot_tree_dependence": (
        "a TreeDependence, which nonet.tree_dependence returns",
        ("grid", "values"),
    ),
}


def check_subject(picture: str, subject: Any) -> None:
    """Raise unless a plot function can draw what it was given.

    Parameters
    ----------
    picture : str
        Name of the plot function.
    subject : object
        What it was given.

    Examples
    --------
    >>> check_subject("plot_margins", 3)
    Traceback (most recent call last):
    TypeError: plot_margins draws a Margins, which nonet.margins returns, but got int.
    """
    kind, fields = _SUBJECTS[picture]
    if isinstance(subject, type):
        raise TypeError(f"{picture} draws {kind}, but got the class {subject.__name__}.")
    if "fitted" in kind and isinstance(subject, BaseEstimator):
        check_is_fitted(subject)
    if not all(hasattr(subject, field) for field in fields):
        raise TypeError(f"{picture} draws {kind}, but got {type(subject).__name__}.")
