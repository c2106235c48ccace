"""The metric of a run: a loss of predictions, and its standard error.

A metric is log loss, root mean squared error, or any scorer of scikit-learn by its name. Inside
a run it is a loss, where smaller is better; what is shown has the metric's own sign.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer

from nonet._base.aliases import Array, Floats, Task
from nonet._base.params import bad_parameter
from nonet.auto.fold_task import row_losses
from nonet.combine.blend_scores import ReadyClassifier, ReadyRegressor, Scoring

_N_GROUPS = 50  # of the jackknife: its error of the standard error is a tenth
_OWN = {"log_loss": "classification", "rmse": "regression"}
# Scorers that are about one of two classes, and the endings of their names for more classes.
_ENDINGS_OF_MORE_CLASSES = {
    **dict.fromkeys(("f1", "precision", "recall", "jaccard"), ("macro", "micro", "weighted")),
    "roc_auc": ("ovr", "ovo"),
}
_OTHER_NAMES = {"neg_log_loss": "log_loss", "neg_root_mean_squared_error": "rmse"}

Loss = Callable[[Array, Floats, Floats | None], float]


@dataclass(frozen=True)
class Metric:
    """A loss of predictions.

    Attributes
    ----------
    name : str
        The name that is shown.
    sign : float
        What is shown is ``sign * loss``: 1 if the metric itself is a loss, -1 if it is a score.
    scoring : str, callable or None
        The scorer, for metrics of scikit-learn.
    classes : ndarray or None
        The labels of the class codes; None in regression.
    """

    name: str
    sign: float
    scoring: Any = None
    classes: Array | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is log loss or root mean squared error, which boosters minimise."""
        return self.scoring is None

    @property
    def better(self) -> str:
        """Which values are better."""
        return "smaller" if self.sign > 0 else "larger"

    def loss(self, y: Array, predictions: Floats, weight: Floats | None = None) -> float:
        """Return the loss; smaller is better.

        Parameters
        ----------
        y : ndarray of shape (n_rows,)
            Class codes, or values.
        predictions : ndarray of shape (n_rows, n_classes) or (n_rows,)
        weight : ndarray of shape (n_rows,), optional
        """
        if self.is_own:
            mean = float(np.average(row_losses(y, predictions), weights=weight))
            return mean if self.classes is not None else float(np.sqrt(mean))
        known = {} if weight is None else {"sample_weight": weight}
        scorer = get_scorer(self.scoring)
        if self.classes is None:
            return -float(scorer(ReadyRegressor(), predictions[:, np.newaxis], y, **known))
        # Scorers of scikit-learn that are about one class take the one called 1; of two class
        # codes that is the last, which is positive everywhere in nonet. A function of the user may
        # look at the labels.
        classes = np.arange(len(self.classes)) if isinstance(self.scoring, str) else self.classes
        return -float(scorer(ReadyClassifier(classes), predictions, classes[y], **known))

    def shown(self, loss: float) -> float:
        """Return a loss as a value of the metric."""
        return self.sign * loss

    def standard_error(
        self,
        y: Array,
        predictions: Floats,
        weight: Floats | None = None,
        groups: Array | None = None,
        reference: Floats | None = None,
    ) -> float:
        """Return the standard error of the loss, by leaving out one of 50 groups of rows.

        Predictions that are all right do not show how much a wrong one would cost. The error of
        a score of classes is therefore at least what one more row would change that is predicted
        as wrongly as a probability that no row has contradicted allows.

        Parameters
        ----------
        y, predictions, weight
            As in `loss`.
        groups : ndarray of int of shape (n_rows,), optional
            Rows that belong together, and are left out together.
        reference : ndarray, optional
            Other predictions of the same rows: the standard error is then that of the difference.
        """
        part = _jackknife_parts(len(y), groups)
        n_parts = int(part.max()) + 1
        if n_parts < 2:
            return float("nan")
        left = self._losses_without(part, y, predictions, weight)
        if reference is not None:
            left = left - self._losses_without(part, y, reference, weight)
        error = float(np.sqrt((n_parts - 1) * np.var(left)))
        if reference is not None or self.classes is None:
            return error
        return max(error, self._effect_of_a_wrong_row(y, predictions, weight))

    def _effect_of_a_wrong_row(self, y: Array, predictions: Floats, weight: Floats | None) -> float:
        """Return what one more row changes, of the largest class and predicted as another.

        Recall, for example, does not look at rows of some classes; then it is one of another class.
        """
        largest_first = np.argsort(-np.bincount(y, minlength=predictions.shape[1]), kind="stable")
        effects = (
            self._effect_of_a_wrong(code, y, predictions, weight) for code in largest_first.tolist()
        )
        return next((effect for effect in effects if effect > 0), 0.0)

    def _effect_of_a_wrong(
        self, code: int, y: Array, predictions: Floats, weight: Floats | None
    ) -> float:
        n_rows, n_classes = predictions.shape
        wrong = np.full((1, n_classes), 1.0 / (n_classes * (n_rows + 1.0)))
        wrong[0, (code + 1) % n_classes] += n_rows / (n_rows + 1.0)
        longer = None if weight is None else np.append(weight, np.mean(weight))
        more = self.loss(np.append(y, code), np.vstack([predictions, wrong]), longer)
        return abs(more - self.loss(y, predictions, weight))

    def _losses_without(
        self, part: Array, y: Array, predictions: Floats, weight: Floats | None
    ) -> Floats:
        """Return the loss without each part of the rows in turn."""
        if self.is_own:  # sums by part, because there may be millions of rows
            weights = np.ones(len(y)) if weight is None else weight
            sums = np.bincount(part, row_losses(y, predictions) * weights)
            counts = np.bincount(part, weights)
            means = (sums.sum() - sums) / (counts.sum() - counts)
            found: Floats = means if self.classes is not None else np.sqrt(means)
            return found
        return np.array(
            [
                self.loss(y[rows], predictions[rows], None if weight is None else weight[rows])
                for rows in (part != p for p in range(int(part.max()) + 1))
            ]
        )


def as_metric_reads(support: Floats) -> Floats:
    """Return values as a vector, probabilities as they are."""
    return support[:, 0] if support.shape[1] == 1 else support


def check_metric(metric: Metric, y: Array, n_classes: int) -> None:
    """Raise if a metric cannot score these targets, before time is spent on members.

    Parameters
    ----------
    metric : Metric
    y : ndarray of shape (n_rows,)
        Class codes, or values.
    n_classes : int
        0 in regression.
    """
    if metric.scoring in _ENDINGS_OF_MORE_CLASSES and n_classes > 2:
        endings = _ENDINGS_OF_MORE_CLASSES[metric.scoring]
        *most, last = (f"{metric.name}_{ending}" for ending in endings)
        raise ValueError(
            f"metric {metric.name!r} is about one of two classes, but this target has "
            f"{n_classes}; choose {', '.join(most)} or {last}."
        )
    uniform = np.full((len(y), max(n_classes, 1)), 1.0 / max(n_classes, 1))
    guess = uniform if n_classes else np.full(len(y), y.mean())
    try:
        with warnings.catch_warnings():
            # Precision, for example, is not defined where no row is predicted as positive.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            loss = metric.loss(y, guess)
    except AttributeError as why:  # from a scorer that predicts probabilities
        raise ValueError(
            f"metric {metric.name!r} is about classes, but this target holds numbers; choose rmse, "
            "r2 or another metric of a regression."
        ) from why
    except (TypeError, ValueError) as why:
        raise ValueError(
            f"metric {metric.name!r} cannot score this target: {' '.join(str(why).split())}"
        ) from why
    if not np.isfinite(loss):
        raise ValueError(
            f"metric {metric.name!r} gives {loss} for constant predictions of this target; choose "
            "another metric."
        )


def _jackknife_parts(n_rows: int, groups: Array | None) -> Array:
    units = np.arange(n_rows) if groups is None else np.unique(groups, return_inverse=True)[1]
    n_units = int(units.max()) + 1
    part_of_unit = np.random.default_rng(0).permutation(n_units) % min(_N_GROUPS, n_units)
    parts: Array = part_of_unit[units]
    return parts


def resolve_metric(metric: Any, task: Task, classes: Array | None) -> Metric:
    """Return the metric for a name, a scorer, or None.

    Parameters
    ----------
    metric : str, callable or None
        'log_loss', 'rmse', a scorer of scikit-learn or its name; None is log loss in
        classification and root mean squared error in regression.
    task : {'regression', 'classification'}
    classes : ndarray or None

    Returns
    -------
    metric : Metric

    Examples
    --------
    >>> metric = resolve_metric("accuracy", "classification", np.array(["no", "yes"]))
    >>> metric.shown(metric.loss(np.array([0, 1]), np.array([[0.9, 0.1], [0.8, 0.2]])))
    0.5
    """
    if metric is None:
        metric = "log_loss" if task == "classification" else "rmse"
    name = _OTHER_NAMES.get(metric, metric) if isinstance(metric, str) else metric
    if isinstance(name, str) and _OWN.get(name) == task:
        return Metric(name, 1.0, None, classes)
    if (isinstance(name, str) and name in _OWN) or not Scoring().allows(name):
        own = "'log_loss'" if task == "classification" else "'rmse'"
        allowed = f"None, {own}, or {Scoring().describe()} (the task is {task})"
        raise bad_parameter("AutoEnsemble", "metric", allowed, metric)
    if not isinstance(name, str):
        return Metric(getattr(name, "__name__", type(name).__name__), -1.0, name, classes)
    # Scores that are losses with a minus are shown as the losses that they are.
    is_negated = name.startswith("neg_")
    return Metric(name.removeprefix("neg_"), 1.0 if is_negated else -1.0, name, classes)
