"""Stop rules, which end boosting before its last round; each is evaluated after every round."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from nonet._base.aliases import Floats
from nonet._base.names import look_up
from nonet._base.params import Choice, Integer, Real, Rule, bad_parameter, check_params
from nonet.boosting.adaboost.round_log import RoundLogBuilder


class StopRule(BaseEstimator):
    """Parent of the rules that stop boosting early.

    A child implements ``reason``, and ``begin`` if it keeps state.

    Examples
    --------
    A custom rule, which limits the weight of a member:

    >>> from nonet.boosting import StopRule
    >>> class StopAtFaintMember(StopRule):
    ...     def reason(self, log):
    ...         return "the last member hardly counts" if log.columns["alpha"][-1] < 0.1 else ""
    >>> StopAtFaintMember().rounds_kept([0.3, 0.2])
    2
    """

    needs_held_out: ClassVar[bool] = False
    _rules: ClassVar[Mapping[str, Rule]] = {}

    def begin(self) -> None:
        """Prepare for a first round."""
        check_params(self, self._rules)

    def reason(self, log: RoundLogBuilder) -> str:
        """Return why boosting should stop now; an empty string means to go on."""
        raise NotImplementedError

    def rounds_kept(self, held_out_error: Any) -> int:
        """Return the number of rounds that enter the ensemble; for most rules, all of them."""
        return len(held_out_error)


class ErrorLimit(StopRule):
    """Stop after a member whose weighted error reaches a limit.

    Parameters
    ----------
    limit : float, default=0.49
        An error above 0 and at most 1/2.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.boosting import ErrorLimit
    >>> X, y = [[1], [2], [3], [4], [5]], [0, 1, 0, 0, 1]
    >>> model = AdaBoostClassifier(stop_when=ErrorLimit(0.15)).fit(X, y)
    >>> model.round_log_.stopped
    'a weighted error reached 0.15'
    """

    _rules = {"limit": Real(0, 0.5, open_low=True)}

    def __init__(self, limit: float = 0.49) -> None:
        self.limit = limit

    def reason(self, log: RoundLogBuilder) -> str:
        """Return a reason if the error of the last member reaches the limit."""
        return f"a weighted error reached {self.limit}" * (log.columns["error"][-1] >= self.limit)


class Fitted(StopRule):
    """Stop when the training error reaches zero, or some rounds later.

    Margins keep growing after the training error reaches zero, and the test error often keeps
    falling. Stopping at once is therefore optional.

    Parameters
    ----------
    extra_rounds : int, default=0
        Number of rounds added after the first one without a training error.

    Examples
    --------
    >>> from nonet import AdaBoostClassifier
    >>> model = AdaBoostClassifier(stop_when="fitted").fit([[1], [2], [3]], [0, 1, 0])
    >>> len(model.round_log_), model.round_log_.stopped
    (3, 'no training error for 1 round')
    """

    _rules = {"extra_rounds": Integer(0)}

    def __init__(self, extra_rounds: int = 0) -> None:
        self.extra_rounds = extra_rounds

    def reason(self, log: RoundLogBuilder) -> str:
        """Return a reason after that many rounds without a training error."""
        n = self.extra_rounds + 1
        lasting = len(log.columns["error"]) >= n and not any(log.columns["training_error"][-n:])
        return f"no training error for {n} round{'s' * (n > 1)}" if lasting else ""


class Plateau(StopRule):
    """Stop when a measure has not improved for some rounds.

    Parameters
    ----------
    measure : {'held_out_error', 'smallest_margin'}, default='held_out_error'
        The measure that should improve. For 'held_out_error' a fraction of the rows is held out,
        and the members after the best round are dropped.
    patience : int, default=20
        Number of rounds without progress after which boosting stops.
    tolerance : float, default=0.0
        Minimum improvement that counts as progress.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import AdaBoostClassifier
    >>> from nonet.boosting import Plateau
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> rule = Plateau(patience=10)
    >>> model = AdaBoostClassifier(n_estimators=500, stop_when=rule, random_state=0).fit(X, y)
    >>> len(model.estimators_) + 10 == len(model.round_log_)
    True
    """

    _rules = {
        "measure": Choice("held_out_error", "smallest_margin"),
        "patience": Integer(1),
        "tolerance": Real(0),
    }

    def __init__(
        self, measure: str = "held_out_error", patience: int = 20, tolerance: float = 0.0
    ) -> None:
        self.measure = measure
        self.patience = patience
        self.tolerance = tolerance

    @property
    def needs_held_out(self) -> bool:  # type: ignore[override]
        """Whether rows are to be held out."""
        return self.measure == "held_out_error"

    def reason(self, log: RoundLogBuilder) -> str:
        """Return a reason if the best round is more than ``patience`` rounds ago."""
        waited = log.n_rounds - self._best_round(np.array(log.columns[self.measure]))
        progress = f"no better {self.measure} for {self.patience} rounds"
        return progress if waited >= self.patience else ""

    def rounds_kept(self, held_out_error: Any) -> int:
        """Return the number of rounds up to the best one, if rows were held out."""
        if not self.needs_held_out:
            return len(held_out_error)
        return self._best_round(np.asarray(held_out_error))

    def _best_round(self, numbers: Floats) -> int:
        losses = numbers if self.measure == "held_out_error" else -numbers
        best, position = losses[0], 1
        for n, loss in enumerate(losses, start=1):
            if loss < best - self.tolerance:
                best, position = loss, n
        return position


class TimeLimit(StopRule):
    """Stop after the round in which a time limit is exceeded.

    Parameters
    ----------
    seconds : float, default=60.0
        Wall-clock time, from the first round on.

    Examples
    --------
    >>> from nonet.boosting import TimeLimit
    >>> TimeLimit(seconds=2.5)
    TimeLimit(seconds=2.5)
    """

    _rules = {"seconds": Real(0, open_low=True)}

    def __init__(self, seconds: float = 60.0) -> None:
        self.seconds = seconds

    def begin(self) -> None:
        """Start the clock."""
        super().begin()
        self._deadline = time.monotonic() + self.seconds

    def reason(self, log: RoundLogBuilder) -> str:
        """Return a reason if the time is over."""
        return f"{self.seconds} seconds are over" if time.monotonic() >= self._deadline else ""


STOP_RULES: dict[str, StopRule] = {
    "error_limit": ErrorLimit(),
    "fitted": Fitted(),
    "held_out": Plateau(),
    "margin": Plateau("smallest_margin"),
    "time": TimeLimit(),
}


def resolve_stop_rules(owner: Any, stop_when: Any) -> list[StopRule]:
    """Return fresh copies of the rules that a ``stop_when=`` parameter stands for."""
    if stop_when is None:
        return []
    if isinstance(stop_when, list | tuple):
        return [rule for one in stop_when for rule in resolve_stop_rules(owner, one)]
    if isinstance(stop_when, str):
        stop_when = look_up(STOP_RULES, stop_when, "stop rule")
    if not isinstance(stop_when, StopRule):
        allowed = f"None, one of {list(STOP_RULES)}, a StopRule or a list of these"
        raise bad_parameter(owner, "stop_when", allowed, stop_when)
    fresh: StopRule = type(stop_when)(**stop_when.get_params(deep=False))
    fresh.begin()
    return [fresh]
