"""Metrics that are functions of LightGBM's or XGBoost's form, or of scikit-learn's metrics.

LightGBM's return a name, a value and whether larger is better, or a list of these; XGBoost's and
scikit-learn's return a value. The functions read class codes, or values, and what the libraries
give them: the probability of the second class, those of all classes if there are more, or values;
raw scores if the objective is a function, too.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import show
from nonet.boosting.gradient.booster import by_row
from nonet.boosting.gradient.rows import Rows, as_loss_takes
from nonet.losses import Loss

Function = Callable[..., Any]
Values = list[tuple[str, float, float]]
"""Names, values, and signs: 1 if larger is better, -1 if smaller is."""


def is_metric_function(function: Function) -> bool:
    """Return whether a callable is a metric of targets and predictions, not a scorer.

    A scorer takes an estimator, X and y. A function that needs three arguments is a scorer, unless
    its first one is named like ``y_true``, or its third one like ``weight``. Some metrics of
    scikit-learn need one argument alone, because the second one has two names.

    Examples
    --------
    >>> is_metric_function(lambda y_true, y_pred: 0.0)
    True
    >>> is_metric_function(lambda estimator, X, y: 0.0)
    False
    """
    if hasattr(function, "_score_func"):  # made by make_scorer
        return False
    needed = [one.name for one in _positional(function) if one.default is one.empty]
    if len(needed) == 2:
        return True
    is_of_targets = bool(needed) and needed[0].lower().startswith("y")
    return is_of_targets or (len(needed) > 2 and "weight" in needed[2].lower())


def _positional(function: Function) -> list[Parameter]:
    try:
        taken = signature(function).parameters.values()
    except (TypeError, ValueError):  # some compiled functions have no signature
        return []
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [one for one in taken if one.kind in kinds]


def evaluate_function(function: Function, model: Any, loss: Loss, rows: Rows) -> Values:
    """Call a metric function with the current predictions of rows.

    Parameters
    ----------
    function : callable
        The metric.
    model : estimator
        The booster's estimator.
    loss : Loss
        Its loss.
    rows : Rows
        The rows.
    """
    y, predictions = _as_peers_see(model, loss, rows)
    needed = [one for one in _positional(function) if one.default is one.empty]
    if len(needed) > 2:  # LightGBM's third argument; a fourth one would be groups of a ranking
        result = function(y, predictions, rows.weights, *[None] * (len(needed) - 3))
    elif rows.weights is not None and "sample_weight" in signature(function).parameters:
        result = function(y, predictions, sample_weight=rows.weights)
    else:
        result = function(y, predictions)
    results = result if isinstance(result, list) else [result]
    return [_read_result(function, one) for one in results]


def _as_peers_see(model: Any, loss: Loss, rows: Rows) -> tuple[Array, Array]:
    is_class = hasattr(model, "_probabilities")
    y = rows.target.astype(np.intp) if is_class else rows.target
    if not loss.has_value:
        return y, by_row(rows.scores)
    if not is_class:
        return y, loss.inverse_link(as_loss_takes(loss, rows.scores)).T
    probabilities = model._probabilities(rows.scores)
    is_binary = y.ndim == 1 and probabilities.shape[1] == 2
    return y, probabilities[:, 1] if is_binary else probabilities


def _read_result(function: Function, result: Any) -> tuple[str, float, float]:
    name = name_function(function)
    try:
        if isinstance(result, tuple):
            own_name, value, is_larger_better = result[:3]
            return str(own_name), float(value), 1.0 if is_larger_better else -1.0
        return name, float(result), 1.0 if name.endswith("_score") else -1.0
    except (TypeError, ValueError):
        raise ValueError(
            f"eval_metric {name} must return a number, or a name, a number and whether larger is "
            f"better, but got {show(result)}."
        ) from None


def name_function(function: Function) -> str:
    """Return the name of a function, or of the one that make_scorer was given."""
    inner = getattr(function, "_score_func", function)
    return getattr(inner, "__name__", type(inner).__name__)
