"""Sets of rows that are scored after every round, by one metric or several.

The results have the form that users of XGBoost and LightGBM know: for each set, for each metric,
the values after every round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer, get_scorer_names

from nonet._base.params import bad_parameter
from nonet._native.tree import Tree
from nonet.boosting.gradient.booster import Booster, add_round
from nonet.boosting.gradient.score_watch import Rows, ask_scorer

# Names of metrics that the peers use, as scikit-learn's scorers and the sign that undoes theirs.
_PEERS_METRICS: Mapping[str, tuple[str, float]] = {
    "auc": ("roc_auc", 1.0),
    "logloss": ("neg_log_loss", -1.0),
    "mae": ("neg_mean_absolute_error", -1.0),
    "rmse": ("neg_root_mean_squared_error", -1.0),
}


@dataclass(frozen=True)
class EvalMetric:
    """A number that is taken of every set after each round.

    Parameters
    ----------
    name : str
        Its name in the results.
    scorer : callable or None
        scorer(estimator, X, y); None is the mean loss.
    sign : {1, -1}
        What the scorer's answer is multiplied by; with -1 less is better.
    """

    name: str
    scorer: Any
    sign: float

    def value(self, estimator: Any, booster: Booster, rows: Rows) -> float:
        """Take the number of rows at their scores so far."""
        if self.scorer is None:
            return rows.mean_loss(booster.loss)
        return self.sign * ask_scorer(self.scorer, estimator, rows)


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
        return EvalMetric("loss", None, -1.0)
    if callable(metric) and not isinstance(metric, type):
        return EvalMetric(getattr(metric, "__name__", type(metric).__name__), metric, 1.0)
    if is_name and metric in _PEERS_METRICS:
        name, sign = _PEERS_METRICS[metric]
        return EvalMetric(metric, get_scorer(name), sign)
    if is_name and metric in get_scorer_names():
        return EvalMetric(metric, get_scorer(metric), 1.0)
    allowed = "'loss', " + ", ".join(map(repr, _PEERS_METRICS)) + ", the name of a scorer, or one"
    raise bad_parameter(owner, "eval_metric", allowed, metric)


class EvalLog:
    """Values of metrics on sets of rows after every round.

    The last metric on the last set decides which round is best, as in XGBoost.

    Parameters
    ----------
    estimator : object
        The booster's estimator, which answers for scorers.
    sets : dict of str to Rows
        The sets by name.
    metrics : list of EvalMetric
        What is taken of each.
    """

    def __init__(
        self, estimator: Any, sets: Mapping[str, Rows], metrics: Sequence[EvalMetric]
    ) -> None:
        self.estimator, self.sets, self.metrics = estimator, sets, metrics
        self.results: dict[str, dict[str, list[float]]] = {
            name: {metric.name: [] for metric in metrics} for name in sets
        }

    def follow(self, trees: Sequence[Tree]) -> None:
        """Bring the scores of all sets up to the round just grown."""
        for rows in self.sets.values():
            add_round(rows.scores, trees, rows.X)

    def look(self, booster: Booster) -> None:
        """Add the values of the booster as it is now."""
        for name, rows in self.sets.items():
            for metric in self.metrics:
                value = metric.value(self.estimator, booster, rows)
                self.results[name][metric.name].append(value)

    def cut(self, n_rounds: int) -> None:
        """Drop the values after so many rounds."""
        for by_metric in self.results.values():
            for values in by_metric.values():
                del values[n_rounds:]

    def last(self) -> dict[str, float]:
        """Give the values after the last round, by set and metric."""
        return {
            f"{name} {metric}": values[-1]
            for name, by_metric in self.results.items()
            for metric, values in by_metric.items()
        }

    def best(self) -> tuple[int, float] | None:
        """Give the number of rounds after which the deciding value was best, and that value."""
        if not self.sets:
            return None
        values = self.results[list(self.sets)[-1]][self.metrics[-1].name]
        place = int(np.argmax(self.metrics[-1].sign * np.array(values)))
        return place + 1, values[place]

    def is_enough(self, patience: int | None, n_rounds: int) -> bool:
        """Tell whether the deciding value has not been bettered for so many rounds."""
        best = None if patience is None else self.best()
        return best is not None and patience is not None and n_rounds - best[0] >= patience
