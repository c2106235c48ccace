"""What scores the evaluation sets of boosted trees after every round, and stops by one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nonet._base.errors import ParameterError, show
from nonet._base.params import Real, bad_parameter
from nonet._base.warn import warn_caller
from nonet.boosting.gradient.boosted_trees.peers.callbacks import StopRequest
from nonet.boosting.gradient.early_stopping.deciding_set import find_deciding_set
from nonet.boosting.gradient.early_stopping.metrics import EvalMetric, read_metrics
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.early_stopping.stop_rules import Patience
from nonet.boosting.gradient.rows import Rows

_MIN_DELTA = Real(0)


def watch_sets(
    model: Any, training: Rows, sets: Mapping[str, Rows], request: StopRequest
) -> RoundWatch:
    """Return what scores the sets, and stops by one that is not the training set.

    Parameters
    ----------
    model : estimator
        Boosted trees in their fit.
    training : Rows
        The training rows.
    sets : dict of str to Rows
        The evaluation sets.
    request : StopRequest
        Which value decides, where a callback names one.
    """
    min_delta = _read_min_delta(model)
    deciding = _find_set(training, sets, request)
    stop = _make_rule(model, deciding, min_delta)
    first_set = next(iter(sets.values()), None)
    metrics = read_metrics(model, model.eval_metric, model._booster.loss, first_set)
    if stop is not None and not metrics:
        allowed = "a metric for early_stopping_rounds, or left out for the loss"
        raise bad_parameter(model, "eval_metric", allowed, model.eval_metric)
    position = _find_metric(model, metrics, request)
    if request.is_larger_better is not None and metrics:
        sign = 1.0 if request.is_larger_better else -1.0
        metrics[position] = replace(metrics[position], sign=sign)
    return RoundWatch(
        model,
        sets,
        metrics,
        stop,
        deciding_set=deciding,
        deciding_metric=position,
        min_delta=min_delta,
    )


def _read_min_delta(model: Any) -> float:
    value = vars(model).get("early_stopping_min_delta") or 0.0
    if not _MIN_DELTA.allows(value):
        raise bad_parameter(model, "early_stopping_min_delta", _MIN_DELTA.describe(), value)
    return float(value)


def _make_rule(model: Any, deciding: str | None, min_delta: float) -> Patience | None:
    patience = model.early_stopping_rounds
    if patience is None:
        return None
    if deciding is None:
        warn_caller(
            f"early_stopping_rounds={patience} has no effect, because the only evaluation set "
            "is the training set, which improves with every round; give other rows in "
            "eval_set, or leave it out, so that rows are held out."
        )
        return None
    return Patience(patience, min_delta)


def _find_set(training: Rows, sets: Mapping[str, Rows], request: StopRequest) -> str | None:
    if request.set_name is None:
        return find_deciding_set(training, sets)
    return list(sets)[_position("data_name", request.set_name, list(sets))]


def _find_metric(model: Any, metrics: Sequence[EvalMetric], request: StopRequest) -> int:
    if request.metric_name is None:
        return 0 if vars(model).get("first_metric_only") else -1
    return _position("metric_name", request.metric_name, [metric.name for metric in metrics])


def _position(argument: str, name: str, names: Sequence[str]) -> int:
    if name in names:
        return list(names).index(name)
    known = ", ".join(map(repr, names)) or "left out, since there is none"
    raise ParameterError(
        f"fit: {argument} of a callback for early stopping must be {known}, but got {show(name)}."
    )
