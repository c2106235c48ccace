"""Objectives of LightGBM and XGBoost: which estimator has their link.

Only the link between scores and predictions matters for trees that are there already. Ranking and
other objectives without a link are those of a regressor of squared errors.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from nonet._base.errors import ModelFileError, ParameterError
from nonet.boosting import BoostedTreesClassifier, BoostedTreesRegressor
from nonet.boosting.gradient.boosted_trees.peers.objectives import (
    CLASS_OBJECTIVES,
    translate_objective,
)
from nonet.losses import Loss
from nonet.losses.table import REGRESSION_LOSSES

_SAME_LINK = {
    "mape",
    "mean_absolute_percentage_error",
    "lambdarank",
    "rank_xendcg",
    "rank:pairwise",
    "rank:ndcg",
    "rank:map",
    "reg:squaredlogerror",
    "reg:expectileerror",
    "",  # an objective of the user
}
_FLOATS = {
    "alpha": "alpha",
    "fair_c": "fair_c",
    "c": "fair_c",
    "tweedie_variance_power": "tweedie_variance_power",
    "huber_slope": "huber_slope",
}
_BOTH = {"cross_entropy", "xentropy", "reg:logistic"}  # of probabilities, with a regressor


def is_of_classes(objective: str) -> bool:
    """Return whether an objective is that of a classifier."""
    return objective in CLASS_OBJECTIVES and objective not in _BOTH


def make_estimator(
    objective: str, options: Mapping[str, str], params: Mapping[str, Any], library: str
) -> Any:
    """Return an estimator, not fitted, with the link of an objective.

    Parameters
    ----------
    objective : str
    options : mapping of str to str
        Its options, by LightGBM's or XGBoost's names.
    params : mapping
        Parameters of the estimator.
    library : str
        For errors.

    Returns
    -------
    estimator : BoostedTreesClassifier or BoostedTreesRegressor

    Examples
    --------
    >>> make_estimator("count:poisson", {}, {"n_estimators": 3}, "XGBoost")
    BoostedTreesRegressor(n_estimators=3, objective='poisson')
    """
    if is_of_classes(objective):
        return BoostedTreesClassifier(**params)
    if objective in _SAME_LINK:
        return BoostedTreesRegressor(**params)
    if objective in ("quantile", "reg:quantileerror"):
        return BoostedTreesRegressor("quantile", quantile=_one_level(options), **params)
    known = {own: float(options[name]) for name, own in _FLOATS.items() if name in options}
    try:
        own = translate_objective(library, objective, known, is_class=False)[0]
    except ParameterError:
        own = None
    if not isinstance(own, Loss) and own not in REGRESSION_LOSSES:
        raise ModelFileError(
            f"models of {library} with objective {objective!r} cannot be read, because nonet has "
            "no model with its link."
        )
    return BoostedTreesRegressor(own, **params)


def _one_level(options: Mapping[str, str]) -> float:
    """Return the level of quantiles, which XGBoost writes as a list."""
    given = options.get("quantile_alpha", options.get("alpha", "0.5"))
    levels = np.atleast_1d(np.array(json.loads(given), dtype=np.float64))
    if len(levels) != 1:
        raise ModelFileError(
            f"the model predicts {len(levels)} quantiles, which cannot be read; fit one model per "
            "level."
        )
    return float(levels[0])
