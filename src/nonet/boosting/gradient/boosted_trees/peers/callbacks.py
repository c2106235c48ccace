"""Callbacks of LightGBM and XGBoost, recognized by their classes, since neither is imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nonet._base.errors import ParameterError, show
from nonet._base.params import Real

_REFUSED: Mapping[str, str] = {
    "TrainingCheckPoint": "use on_interrupt='keep' to keep the rounds of an interrupted fit",
}
_OTHERS = "use set_callbacks for callbacks of scikit-learn"
_RATE = Real(0, open_low=True)


@dataclass(frozen=True)
class StopRequest:
    """Which value decides about early stopping, where a callback names one.

    Parameters
    ----------
    set_name : str, optional
        Name of an evaluation set; by default the last one that is not the training set.
    metric_name : str, optional
        Name of a metric; by default the last one, or the first one if that is requested.
    is_larger_better : bool, optional
        The direction of the metric; by default its own.
    """

    set_name: str | None = None
    metric_name: str | None = None
    is_larger_better: bool | None = None


@dataclass
class CallbackRequests:
    """What callbacks request of a fit.

    Parameters
    ----------
    params : dict, default={}
        Parameters for this fit alone, under our names.
    stop : StopRequest
        Which value decides about early stopping.
    log_period : int, optional
        Print a line for every so many rounds.
    learning_rates : callable, optional
        learning_rates(round, rate) is the learning rate of a round of this fit, counted from 0;
        rate is the parameter of the estimator.
    records : list of dict, default=[]
        Dictionaries that get the values of evaluation sets.
    """

    params: dict[str, Any] = field(default_factory=dict)
    stop: StopRequest = StopRequest()
    log_period: int | None = None
    learning_rates: Callable[[int, float], float] | None = None
    records: list[dict[str, Any]] = field(default_factory=list)

    def print_every(self, n_rounds: int) -> None:
        """Print a line for every so many rounds, and for the last one; none for 0."""
        self.params["verbose"] = 2 if n_rounds == 1 else min(n_rounds, 1)
        self.log_period = n_rounds or None

    def add(self, callback: Any) -> None:
        """Add what one callback requests; raise if it is not available."""
        kind = type(callback).__name__
        read = _READERS.get(kind)
        if read is None:
            raise ParameterError(
                "fit: callbacks can be LightGBM's or XGBoost's for early stopping, printing, "
                "recording and learning rates, but got "
                f"{show(callback)}; {_REFUSED.get(kind, _OTHERS)}."
            )
        read(self, callback)


# ---- Early stopping ------------------------------------------------------------------------------


def _stop_as_lightgbm(requests: CallbackRequests, callback: Any) -> None:
    deltas = getattr(callback, "min_delta", 0.0)
    distinct = set(deltas) if isinstance(deltas, list) else {deltas}
    if len(distinct) > 1:
        raise ParameterError(
            "fit: min_delta of early_stopping must be one number, because one metric decides, but "
            f"got {show(deltas)}."
        )
    _wait(requests, callback.stopping_rounds, distinct.pop() if distinct else 0.0)
    if callback.first_metric_only:
        requests.params["first_metric_only"] = True


def _stop_as_xgboost(requests: CallbackRequests, callback: Any) -> None:
    requests.stop = StopRequest(callback.data, callback.metric_name, callback.maximize)
    _wait(requests, callback.rounds, getattr(callback, "_min_delta", 0.0))


def _wait(requests: CallbackRequests, n_rounds: int, min_delta: float) -> None:
    requests.params["early_stopping_rounds"] = n_rounds
    if min_delta:
        requests.params["early_stopping_min_delta"] = min_delta


# ---- Printing and recording ----------------------------------------------------------------------


def _print(requests: CallbackRequests, callback: Any) -> None:
    if "verbose" not in requests.params:  # the argument of fit comes first
        requests.print_every(max(0, int(callback.period)))


def _record(requests: CallbackRequests, callback: Any) -> None:
    requests.records.append(callback.eval_result)


# ---- Learning rates ------------------------------------------------------------------------------


def _schedule_as_lightgbm(requests: CallbackRequests, callback: Any) -> None:
    others = [name for name in callback.kwargs if name not in ("learning_rate", "eta")]
    if others:
        raise ParameterError(
            f"fit: reset_parameter can change learning_rate alone, but got {others[0]}; fit some "
            "rounds, and give the model as init_model to a fit with other parameters."
        )
    for rates in callback.kwargs.values():
        at = rates if callable(rates) else rates.__getitem__
        requests.learning_rates = lambda number, rate, at=at: _checked(at, number)


def _schedule_as_xgboost(requests: CallbackRequests, callback: Any) -> None:
    """Set the rate after each round, so that the first one has that of the estimator."""
    at = callback.learning_rates
    requests.learning_rates = lambda number, rate: _checked(at, number - 1) if number else rate


def _checked(rates: Callable[[int], Any], number: int) -> float:
    try:
        rate = rates(number)
    except IndexError:
        raise ParameterError(
            f"fit: a callback must have a learning rate for each round, but has none for round "
            f"{number}; give a function of the round, or a longer list."
        ) from None
    if not _RATE.allows(rate):
        raise ParameterError(
            f"fit: the learning rate of a callback must be {_RATE.describe()} in each round, but "
            f"is {show(rate)} in round {number}."
        )
    return float(rate)


_READERS: Mapping[str, Callable[[CallbackRequests, Any], None]] = {
    "_EarlyStoppingCallback": _stop_as_lightgbm,
    "EarlyStopping": _stop_as_xgboost,
    "_LogEvaluationCallback": _print,
    "EvaluationMonitor": _print,
    "_RecordEvaluationCallback": _record,
    "_ResetParameterCallback": _schedule_as_lightgbm,
    "LearningRateScheduler": _schedule_as_xgboost,
}
