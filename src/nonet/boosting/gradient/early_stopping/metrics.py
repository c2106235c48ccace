"""Metrics that are evaluated after every round: the loss, or any scorer.

Names are those of scikit-learn's scorers, and those of XGBoost and LightGBM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sklearn.metrics import get_scorer, get_scorer_names

from nonet._base.params import bad_parameter
from nonet.boosting.gradient.early_stopping.scored_model import score_rows
from nonet.boosting.gradient.rows import Rows
from nonet.losses import Loss

Measure = Callable[[Any, Loss, Rows], float]
"""A value of rows at their current scores, from the estimator, the loss and the rows."""

# Metrics of XGBoost and LightGBM: the scikit-learn scorer, and the sign that restores their value.
_PEERS_METRICS: Mapping[str, tuple[str, float]] = {
    "auc": ("roc_auc", 1.0),
    "logloss": ("neg_log_loss", -1.0),
    "mae": ("neg_mean_absolute_error", -1.0),
    "rmse": ("neg_root_mean_squared_error", -1.0),
}


@dataclass(frozen=True)
class EvalMetric:
    """A metric that is evaluated on every set after each round.

    Parameters
    ----------
    name : str
        Its name in the results.
    measure : callable
        measure(estimator, loss, rows).
    sign : {1, -1}
        1 if larger is better, -1 if smaller is.
    """

    name: str
    measure: Measure
    sign: float


def _mean_loss(model: Any, loss: Loss, rows: Rows) -> float:
    return rows.mean_loss(loss)


def _minus_loss(model: Any, loss: Loss, rows: Rows) -> float:
    return -rows.mean_loss(loss)


def _scored(scorer: Any, sign: float, model: Any, loss: Loss, rows: Rows) -> float:
    return sign * score_rows(scorer, model, rows)


def make_score(scorer: Any) -> EvalMetric:
    """Make a metric named 'score' from a scorer, larger is better; None is minus the loss."""
    measure = _minus_loss if scorer is None else partial(_scored, scorer, 1.0)
    return EvalMetric("score", measure, 1.0)


def read_metrics(owner: Any, eval_metric: Any) -> list[EvalMetric]:
    """Turn a name, a scorer, or a list of them into metrics; None is the loss.

    Examples
    --------
    >>> [metric.name for metric in read_metrics("a booster", ["loss", "auc"])]
    ['loss', 'auc']
    """
    wanted = eval_metric if isinstance(eval_metric, list | tuple) else [eval_metric]
    metrics = [_read_metric(owner, one) for one in wanted]
    names = [metric.name for metric in metrics]
    if not names or len(set(names)) < len(names):
        raise bad_parameter(owner, "eval_metric", "one metric or several different ones", names)
    return metrics


def _read_metric(owner: Any, metric: Any) -> EvalMetric:
    is_name = isinstance(metric, str)
    if metric is None or (is_name and metric == "loss"):
        return EvalMetric("loss", _mean_loss, -1.0)
    if callable(metric) and not isinstance(metric, type):
        return _of_scorer(_name_of(metric), metric, 1.0)
    if is_name and metric in _PEERS_METRICS:
        name, sign = _PEERS_METRICS[metric]
        return _of_scorer(metric, get_scorer(name), sign)
    if is_name and metric in get_scorer_names():
        return _of_scorer(metric, get_scorer(metric), 1.0)
    allowed = "'loss', " + ", ".join(map(repr, _PEERS_METRICS)) + ", the name of a scorer, or one"
    raise bad_parameter(owner, "eval_metric", allowed, metric)


def _name_of(scorer: Any) -> str:
    """Return the name of the function, or of the one that make_scorer was given."""
    function = getattr(scorer, "_score_func", scorer)
    return getattr(function, "__name__", type(function).__name__)


def _of_scorer(name: str, scorer: Any, sign: float) -> EvalMetric:
    return EvalMetric(name, partial(_scored, scorer, sign), sign)
