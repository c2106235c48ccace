"""Rounds with learning rates of their own, from the callbacks of LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonet._base.params import bad_parameter
from nonet._native.tree import Tree
from nonet.boosting.gradient.boosted_trees.auto_settings import Settings
from nonet.boosting.gradient.newton_stage import NewtonStage
from nonet.losses import Loss

LearningRates = Callable[[int, float], float]
"""learning_rates(round, rate), with rounds counted from 0 and the rate of the estimator."""


class ScheduledStage:
    """Grows rounds whose learning rate is a function of the round.

    Parameters
    ----------
    stage : NewtonStage
        Grows the trees.
    rate : float
        Its learning rate.
    learning_rates : callable
        The learning rate of each round.
    first : int
        Number of the first round of this fit, which the function gets as 0.
    """

    def __init__(
        self, stage: NewtonStage, rate: float, learning_rates: LearningRates, first: int
    ) -> None:
        self._stage, self._rate = stage, rate
        self._learning_rates, self._first = learning_rates, first

    @property
    def loss(self) -> Loss:
        """The loss of the stage."""
        return self._stage.loss

    def add_round(self, number: int, factor: float = 1.0) -> list[Tree]:
        """Grow the trees of a round, scaled to its learning rate.

        Parameters
        ----------
        number : int
            The number of the round.
        factor : float
            Scale of the new trees, besides the learning rate.

        Returns
        -------
        list of Tree
        """
        rate = self._learning_rates(number - self._first, self._rate)
        return self._stage.add_round(number, factor * (rate / self._rate))


def check_schedule(model: Any, learning_rates: LearningRates | None, settings: Settings) -> None:
    """Raise if the number of rounds is yet to be chosen, or there are several boosters.

    Parameters
    ----------
    model : estimator
        Boosted trees in their fit.
    learning_rates : callable or None
        What callbacks request.
    settings : Settings
        What was chosen for this fit.
    """
    if learning_rates is not None and (settings.is_bag or settings.stops):
        name = "n_estimators" if model.n_estimators == "auto" else "n_bags"
        allowed = "a number" if name == "n_estimators" else "1"
        wanted = f"{allowed} with a callback that changes learning_rate"
        raise bad_parameter(model, name, wanted, getattr(model, name))
