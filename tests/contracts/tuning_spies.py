"""Spies at the calls where something is tuned on predictions: which predictions, which truth.

They serve ensembles whose members are no Python objects. On labels of pure noise a deep model
predicts the rows it was fitted on perfectly and all others at chance, so that the skill of what
arrives at a spy shows whether the rows were seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from nonet.bagging.bagging.out_of_bag_scoring import _OutOfBagScored
from nonet.boosting.adaboost.round_log import RoundLogBuilder
from nonet.boosting.gradient.early_stopping.round_watch import RoundWatch
from nonet.boosting.gradient.rows import Rows
from nonet.combine.weights import WeightFinder
from nonet.decide import Calibration, Threshold


@dataclass(frozen=True)
class Sight:
    """Predictions that something was tuned on, and the truth about the same rows."""

    position: str
    predictions: Any
    truth: Any

    @property
    def skill(self) -> float:
        """0 at chance, 1 if the predictions know the truth."""
        predictions, truth = np.asarray(self.predictions, float), np.asarray(self.truth)
        if predictions.ndim > 1:
            predictions = predictions.reshape(len(truth), -1)[:, -1]
        if not np.ptp(predictions):
            return 0.0
        if len(np.unique(truth)) == 2:
            return float(2 * roc_auc_score(truth, predictions) - 1)
        return float(np.corrcoef(predictions, truth)[0, 1])


def put_spies(monkeypatch: Any) -> list[Sight]:
    """Put a spy at every call; return the list that fills while models are fitted."""
    seen: list[Sight] = []

    def spy(owner: type, method: str, look: Callable[..., Any]) -> None:
        plain = getattr(owner, method)
        position = f"{owner.__name__}.{method}"

        def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
            prediction = plain(self, *args, **kwargs)
            for predictions, truth in look(self, *args):
                seen.append(Sight(position, np.array(predictions), np.array(truth)))
            return prediction

        monkeypatch.setattr(owner, method, watched)

    def tuned(rule: Any, support: Any, codes: Any, *rest: Any) -> Any:
        return [(support, codes)] if rule.needs_held_out else []

    def weighed(finder: Any, outputs: Any, target: Any, *rest: Any) -> Any:
        return [(outputs[:, member], target) for member in range(np.shape(outputs)[1])]

    def looked_at(watch: Any, booster: Any) -> Any:
        # Training rows are looked at too, and decide nothing where others are held out.
        held_out = [rows for rows in watch.sets.values() if isinstance(rows, Rows)]
        return [(rows.scores[-1], rows.target) for rows in held_out]

    def scored(ensemble: Any, out_of_bag: Any, target: Any) -> Any:
        return [(support, target[out_of_bag.rows]) for support in out_of_bag.covered()]

    spy(Threshold, "tune", tuned)
    spy(WeightFinder, "find", weighed)
    spy(Calibration, "learn", lambda calibration, support, target, *rest: [(support, target)])
    spy(
        RoundLogBuilder,
        "_held_out_error",
        lambda log, *_: [(log._held_support, log.held_out.codes)],
    )
    spy(RoundWatch, "look", looked_at)
    spy(_OutOfBagScored, "_keep_score", scored)
    return seen
