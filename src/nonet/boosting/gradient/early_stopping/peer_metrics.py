"""Metrics of XGBoost and LightGBM by name, with their values and formulas.

Metrics of classes read the probabilities of all classes, metrics of values the predictions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import gammaln
from sklearn.metrics import average_precision_score, roc_auc_score

from nonet._base.aliases import Array, Floats
from nonet.boosting.gradient.rows import Rows, as_loss_takes
from nonet.losses import (
    FairLoss,
    GammaLoss,
    HuberLoss,
    LogisticLoss,
    Loss,
    PoissonLoss,
    PseudoHuberLoss,
    QuantileLoss,
    QuantilesLoss,
    TweedieLoss,
)

Formula = Callable[[Array, Floats, Floats | None], float]
_LEAST = 1e-15  # of probabilities and means, whose logarithms are taken


@dataclass(frozen=True)
class PeerMetric:
    """A metric of the libraries.

    Parameters
    ----------
    formula : callable
        formula(y, predictions, weights); y are class codes for classes.
    is_class : bool
        Whether it is a metric of classes.
    sign : {1, -1}
        1 if larger is better, -1 if smaller is.
    """

    formula: Formula
    is_class: bool
    sign: float = -1.0

    def measure(self, model: Any, loss: Loss, rows: Rows) -> float:
        """Return the value for rows at their current scores."""
        if not self.is_class:
            predictions = loss.inverse_link(as_loss_takes(loss, rows.scores)).T
            return self.formula(rows.target, predictions, rows.weights)
        codes, probabilities = rows.target.astype(np.intp), model._probabilities(rows.scores)
        if codes.ndim == 1:
            return self.formula(codes, probabilities, rows.weights)
        values = [
            self.formula(of_label, np.column_stack([1 - fractions, fractions]), rows.weights)
            for of_label, fractions in zip(codes.T, probabilities.T, strict=True)
        ]
        return float(np.mean(values))


# ---- Classes -------------------------------------------------------------------------------------


def _log_loss(codes: Array, probabilities: Floats, weights: Floats | None) -> float:
    own = probabilities[np.arange(len(codes)), codes]
    return float(np.average(-np.log(np.maximum(own, _LEAST)), weights=weights))


def _error(codes: Array, probabilities: Floats, weights: Floats | None) -> float:
    return float(np.average(probabilities.argmax(axis=1) != codes, weights=weights))


def _auc(codes: Array, probabilities: Floats, weights: Floats | None) -> float:
    """Return the area under the curve; of several classes, each against the rest, by size."""
    if probabilities.shape[1] <= 2:
        return float(roc_auc_score(codes, probabilities[:, -1], sample_weight=weights))
    present = np.unique(codes)
    areas = [
        roc_auc_score(codes == code, probabilities[:, code], sample_weight=weights)
        for code in present
    ]
    sizes = [np.sum((codes == code) * (1.0 if weights is None else weights)) for code in present]
    return float(np.average(areas, weights=sizes))


def _average_precision(codes: Array, probabilities: Floats, weights: Floats | None) -> float:
    if probabilities.shape[1] > 2:
        raise ValueError("eval_metric 'aucpr' is for two classes; use 'auc' or 'mlogloss'.")
    return float(average_precision_score(codes, probabilities[:, -1], sample_weight=weights))


# ---- Values --------------------------------------------------------------------------------------


def _mean(errors: Floats, weights: Floats | None) -> float:
    """Average over rows, and over outputs if there are several."""
    return float(np.mean(np.average(errors, axis=0, weights=weights)))


def _squared(y: Array, predictions: Floats, weights: Floats | None) -> float:
    return _mean(np.square(y - predictions), weights)


def _root(y: Array, predictions: Floats, weights: Floats | None) -> float:
    return float(np.mean(np.sqrt(np.average(np.square(y - predictions), axis=0, weights=weights))))


def _absolute(y: Array, predictions: Floats, weights: Floats | None) -> float:
    return _mean(np.abs(y - predictions), weights)


def _percentage(y: Array, predictions: Floats, weights: Floats | None) -> float:
    return _mean(np.abs(y - predictions) / np.maximum(np.abs(y), _LEAST), weights)


def mape(y_true: Array, y_pred: Floats, sample_weight: Floats | None = None) -> float:
    """Return XGBoost's metric of this name, which divides by targets as small as they are.

    Parameters
    ----------
    y_true : array of shape (n_samples,)
        Targets.
    y_pred : array of shape (n_samples,)
        Predictions.
    sample_weight : array of shape (n_samples,), optional
        Weights of rows.

    Examples
    --------
    >>> mape(np.array([0.5, 2.0]), np.array([1.0, 1.0]))
    0.75
    """
    return _percentage(y_true, y_pred, sample_weight)


def _percentage_from_one(y: Array, predictions: Floats, weights: Floats | None) -> float:
    """Return LightGBM's form, which divides by no less than 1."""
    return _mean(np.abs(y - predictions) / np.maximum(np.abs(y), 1.0), weights)


def _root_of_logs(y: Array, predictions: Floats, weights: Floats | None) -> float:
    errors = np.log1p(y) - np.log1p(np.maximum(predictions, _LEAST - 1))
    return float(np.sqrt(_mean(np.square(errors), weights)))


def _poisson_likelihood(y: Array, predictions: Floats, weights: Floats | None) -> float:
    means = np.maximum(predictions, _LEAST)
    return _mean(means - y * np.log(means) + gammaln(y + 1), weights)


def _gamma_deviance(y: Array, predictions: Floats, weights: Floats | None) -> float:
    ratio = y / np.maximum(predictions, _LEAST)
    return _mean(2 * (ratio - 1 - np.log(np.maximum(ratio, _LEAST))), weights)


def _loss_of_means(loss: Loss, y: Array, predictions: Floats, weights: Floats | None) -> float:
    return _mean(loss.value(y, np.log(np.maximum(predictions, _LEAST))), weights)


def _loss_of_values(loss: Loss, y: Array, predictions: Floats, weights: Floats | None) -> float:
    return _mean(loss.value(y, predictions), weights)


# ---- Names ---------------------------------------------------------------------------------------

_CLASSES: Mapping[Formula, tuple[str, ...]] = {
    _log_loss: (
        "logloss",
        "binary_logloss",
        "binary",
        "mlogloss",
        "multi_logloss",
        "multiclass",
        "softmax",
    ),
    _error: ("error", "binary_error", "merror", "multi_error"),
    _auc: ("auc",),
    _average_precision: ("aucpr", "average_precision"),
}
_VALUES: Mapping[Formula, tuple[str, ...]] = {
    _squared: ("mse", "l2", "mean_squared_error", "regression", "regression_l2"),
    _root: ("rmse", "l2_root", "root_mean_squared_error"),
    _absolute: ("mae", "l1", "mean_absolute_error", "regression_l1"),
    _percentage: ("mean_absolute_percentage_error",),
    _percentage_from_one: ("mape",),
    _root_of_logs: ("rmsle",),
    _poisson_likelihood: ("poisson-nloglik",),
    _gamma_deviance: ("gamma-deviance",),
    partial(_loss_of_means, PoissonLoss()): ("poisson",),
    partial(_loss_of_means, GammaLoss()): ("gamma", "gamma-nloglik"),
    partial(_loss_of_means, TweedieLoss()): ("tweedie", "tweedie-nloglik"),
    partial(_loss_of_values, HuberLoss(0.9)): ("huber",),
    partial(_loss_of_values, FairLoss()): ("fair",),
    partial(_loss_of_values, PseudoHuberLoss()): ("mphe",),
}
_LARGER_IS_BETTER = (_auc, _average_precision)

PEER_METRICS: Mapping[str, PeerMetric] = {
    **{
        name: PeerMetric(formula, True, 1.0 if formula in _LARGER_IS_BETTER else -1.0)
        for formula, names in _CLASSES.items()
        for name in names
    },
    **{name: PeerMetric(formula, False) for formula, names in _VALUES.items() for name in names},
}
"""The metrics by name."""

# Metrics that are the loss itself, with its parameter, if the objective is of that kind.
LOSS_METRICS: Mapping[str, tuple[type[Loss], ...]] = {
    "quantile": (QuantileLoss, QuantilesLoss),
    "poisson": (PoissonLoss,),
    "gamma": (GammaLoss,),
    "gamma-nloglik": (GammaLoss,),
    "tweedie": (TweedieLoss,),
    "tweedie-nloglik": (TweedieLoss,),
    "huber": (HuberLoss,),
    "fair": (FairLoss,),
    "mphe": (PseudoHuberLoss,),
    **dict.fromkeys(("logloss", "binary_logloss", "cross_entropy", "xentropy"), (LogisticLoss,)),
}

_RANKING = "there is no ranking; use a function or a scorer"
_SURVIVAL = "there is no censoring; use a function or a scorer"
REFUSED_METRICS: Mapping[str, str] = {
    **dict.fromkeys(("ndcg", "map", "mean_average_precision", "pre", "lambdarank"), _RANKING),
    **dict.fromkeys(("aft-nloglik", "cox-nloglik", "interval-regression-accuracy"), _SURVIVAL),
    "auc_mu": "use 'auc', which compares each class with the rest",
    "expectile": "use a function",
}
"""Metrics of the libraries that are not available, and what to use instead."""


def metric_at(name: str) -> PeerMetric | None:
    """Return a metric with a parameter in its name, such as 'error@0.7'; None for other names.

    Examples
    --------
    >>> metric_at("error@0.7").formula(np.array([1]), np.array([[0.4, 0.6]]), None)
    1.0
    """
    stem, _, text = name.partition("@")
    try:
        number = float(text)
    except ValueError:
        return None
    if stem == "error":
        return PeerMetric(partial(_error_at, number), True)
    if stem == "tweedie-nloglik":
        return PeerMetric(partial(_loss_of_means, TweedieLoss(number)), False)
    return None


def _error_at(threshold: float, codes: Array, fractions: Floats, weights: Floats | None) -> float:
    if fractions.shape[1] > 2:
        raise ValueError("eval_metric 'error@t' is for two classes; use 'error', or a function.")
    return float(np.average((fractions[:, 1] > threshold) != codes, weights=weights))
