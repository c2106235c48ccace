"""Metrics that are evaluated after every round: the loss, or any scorer.

Names are those of XGBoost's and LightGBM's metrics, and those of scikit-learn's scorers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any

from sklearn.base import is_classifier
from sklearn.metrics import get_scorer, get_scorer_names

from nonet._base.errors import ParameterError
from nonet._base.params import bad_parameter
from nonet.boosting.gradient.early_stopping.metric_functions import (
    evaluate_function,
    is_metric_function,
    name_function,
)
from nonet.boosting.gradient.early_stopping.peer_metrics import (
    LOSS_METRICS,
    PEER_METRICS,
    REFUSED_METRICS,
    metric_at,
)
from nonet.boosting.gradient.early_stopping.scored_model import score_rows
from nonet.boosting.gradient.rows import Rows
from nonet.losses import Loss

Measure = Callable[[Any, Loss, Rows], float]
"""A value of rows at their current scores, from the estimator, the loss and the rows."""

# What errors name, for classes and for values; the table of `peer_metrics` has more.
_SOME_NAMES = {True: ("auc", "logloss", "error"), False: ("rmse", "mae", "mape")}
# LightGBM's names for no metric of its own.
_NO_METRIC = ("None", "none", "null", "na", "custom", "")


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


def _scored(scorer: Any, model: Any, loss: Loss, rows: Rows) -> float:
    return score_rows(scorer, model, rows)


def make_score(scorer: Any) -> EvalMetric:
    """Make a metric named 'score' from a scorer, larger is better; None is minus the loss."""
    measure = _minus_loss if scorer is None else partial(_scored, scorer)
    return EvalMetric("score", measure, 1.0)


def read_metrics(
    owner: Any, eval_metric: Any, loss: Loss | None = None, rows: Rows | None = None
) -> list[EvalMetric]:
    """Turn a name, a scorer, a function, or a list of them into metrics; None is the loss.

    LightGBM's 'None' and its other names for no metric are left out, so that there may be none.

    Parameters
    ----------
    owner : estimator or str
        Whose metrics they are.
    eval_metric : str, callable, None or list of them
        What was given.
    loss : Loss, optional
        The loss; a metric replaces it if it has no value.
    rows : Rows, optional
        Rows of which functions are evaluated once, to learn the names of their values.

    Examples
    --------
    >>> [metric.name for metric in read_metrics("a booster", ["loss", "auc"])]
    ['loss', 'auc']
    """
    wanted = eval_metric if isinstance(eval_metric, list | tuple) else [eval_metric]
    some = [one for one in wanted if not (isinstance(one, str) and one in _NO_METRIC)]
    metrics = [found for one in some for found in _read_metric(owner, one, loss, rows)]
    names = [metric.name for metric in metrics]
    if not wanted or len(set(names)) < len(names):
        raise bad_parameter(owner, "eval_metric", "one metric or several different ones", names)
    return metrics


def _read_metric(owner: Any, metric: Any, loss: Loss | None, rows: Rows | None) -> list[EvalMetric]:
    if metric is None and loss is not None and not loss.has_value:
        metric = "logloss" if is_classifier(owner) else "rmse"
    if metric is None or (isinstance(metric, str) and metric == "loss"):
        return [EvalMetric("loss", _mean_loss, -1.0)]
    if callable(metric) and not isinstance(metric, type):
        if is_metric_function(metric):
            return _of_function(owner, metric, loss, rows)
        return [_of_scorer(name_function(metric), metric)]
    found = _named_metric(owner, metric, loss) if isinstance(metric, str) else None
    if found is None:
        raise _unknown_metric(owner, metric)
    return [found]


def _unknown_metric(owner: Any, metric: Any) -> ParameterError:
    """Return the error for a metric that there is not, or not for the targets of the owner."""
    is_class = is_classifier(owner)
    targets, others = ("classes", "values") if is_class else ("values", "classes")
    some = ", ".join(map(repr, _SOME_NAMES[is_class]))
    allowed = f"'loss', {some} or another metric of {targets} in LightGBM or XGBoost, a scorer or "
    error = bad_parameter(owner, "eval_metric", f"{allowed}its name, or a function", metric)
    stem = str(metric).partition("@")[0]
    if isinstance(metric, str) and stem in REFUSED_METRICS:
        return ParameterError(f"{str(error)[:-1]}; {REFUSED_METRICS[stem]}.")
    names = [name for name, known in PEER_METRICS.items() if known.is_class == is_class]
    near = get_close_matches(str(metric), ["loss", *names, *get_scorer_names()], n=1)
    if isinstance(metric, str) and metric in PEER_METRICS:
        return ParameterError(f"{str(error)[:-1]}, a metric of {others}.")
    return ParameterError(f"{str(error)[:-1]}; did you mean {near[0]!r}?") if near else error


def _named_metric(owner: Any, name: str, loss: Loss | None) -> EvalMetric | None:
    """Return the metric of a name; LightGBM's and XGBoost's come before the scorers."""
    if isinstance(loss, LOSS_METRICS.get(name, ())) and not is_classifier(owner):
        return EvalMetric(name, _mean_loss, -1.0)
    found = PEER_METRICS.get(name) or metric_at(name)
    if found is not None and (isinstance(owner, str) or found.is_class == is_classifier(owner)):
        return EvalMetric(name, found.measure, found.sign)
    return _of_scorer(name, get_scorer(name)) if name in get_scorer_names() else None


def _of_scorer(name: str, scorer: Any) -> EvalMetric:
    return EvalMetric(name, partial(_scored, scorer), 1.0)


def _of_function(
    owner: Any, function: Any, loss: Loss | None, rows: Rows | None
) -> list[EvalMetric]:
    if rows is None or loss is None:  # it is not evaluated
        return [EvalMetric(name_function(function), _mean_loss, -1.0)]
    values = evaluate_function(function, owner, loss, rows)
    return [
        EvalMetric(name, partial(_value_of_function, function, position), sign)
        for position, (name, _, sign) in enumerate(values)
    ]


def _value_of_function(function: Any, position: int, model: Any, loss: Loss, rows: Rows) -> float:
    return evaluate_function(function, model, loss, rows)[position][1]
