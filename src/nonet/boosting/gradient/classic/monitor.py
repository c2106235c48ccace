"""A user's callback after every round, as in scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.rounds import Watcher
from nonet.boosting.gradient.rows import Rows
from nonet.boosting.gradient.stage import Stage


class Monitor(Watcher):
    """Calls a function after every round; a true value stops boosting.

    Parameters
    ----------
    function : callable
        Called with the index of the round (from 0), the model, and a dict of the round's local
        variables, under the names of scikit-learn.
    model : estimator
        The booster's estimator.
    stage : Stage
        The stage that grows its rounds.
    held_out : Rows or None
        Rows used for early stopping.
    """

    def __init__(
        self, function: Callable[..., Any], model: Any, stage: Stage, held_out: Rows | None
    ) -> None:
        self._function, self._model, self._stage = function, model, stage
        self._held_out = held_out
        self._is_enough = False

    def look(self, booster: Booster) -> None:
        """Call the function."""
        number = len(booster.rounds) - 1
        self._is_enough = bool(self._function(number, self._model, self._seen()))

    def is_enough(self) -> bool:
        """Return whether the function returned a true value."""
        return self._is_enough

    def _seen(self) -> dict[str, Any]:
        rows, counts, held_out = self._stage.rows, self._stage.bag.counts, self._held_out
        everyone = np.ones(len(rows.target), dtype=bool)
        return {
            "X": rows.X,
            "y": rows.target,
            "sample_weight": rows.weights,
            "raw_predictions": rows.scores.T,
            "sample_mask": everyone if counts is None else counts > 0,
            "X_val": None if held_out is None else held_out.X,
            "y_val": None if held_out is None else held_out.target,
            "sample_weight_val": None if held_out is None else held_out.weights,
        }
