"""Values of metrics after every boosting round, for boosters of several libraries.

XGBoost and LightGBM store them in a dictionary, and so does ``evals_result_`` of `BoostedTrees*`;
scikit-learn's boosters store arrays of scores. All are converted to one result with a plot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.results import PlottableResult

Values = dict[str, dict[str, Floats]]


@dataclass(frozen=True)
class EvalCurves(PlottableResult):
    """Values of metrics on sets of rows after every boosting round.

    Attributes
    ----------
    values : dict of str to dict of str to ndarray of shape (n_rounds,)
        The values by set and by metric, as in ``evals_result_``.
    first_round : int
        The round of the first value: usually 1; 0 if the start of the booster was also scored.

    Examples
    --------
    >>> from nonet.boosting import EvalCurves
    >>> curves = EvalCurves({"validation_0": {"auc": np.array([0.7, 0.8])}}, first_round=1)
    >>> curves.sets, curves.metrics, curves.rounds
    (('validation_0',), ('auc',), array([1, 2]))
    """

    values: Values
    first_round: int

    _shown: ClassVar[tuple[str, ...]] = ("sets", "metrics", "n_rounds")
    _plot: ClassVar[str] = "plot_eval_curves"

    @property
    def sets(self) -> tuple[str, ...]:
        """Names of the sets."""
        return tuple(self.values)

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics; the last one controls early stopping."""
        return tuple(dict.fromkeys(name for own in self.values.values() for name in own))

    @property
    def n_rounds(self) -> int:
        """Number of values per curve."""
        return max(len(curve) for own in self.values.values() for curve in own.values())

    @property
    def rounds(self) -> Any:
        """The round of each value."""
        return np.arange(self.first_round, self.first_round + self.n_rounds)


def eval_curves(model: Any) -> EvalCurves:
    """Collect the values that a booster recorded after every round.

    Parameters
    ----------
    model : fitted estimator or dict
        A fitted gradient booster of this library or scikit-learn's, or a dictionary like
        ``evals_result_``: for each set, for each metric, the values after every round. LightGBM
        and XGBoost give such dictionaries too.

    Returns
    -------
    curves : EvalCurves
        ``curves.plot()`` plots them, for one metric at a time.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from nonet import BoostedTreesRegressor
    >>> from nonet import eval_curves
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BoostedTreesRegressor(n_estimators=20, eval_metric=["mae", "rmse"])
    >>> print(eval_curves(model.fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])])))
    EvalCurves
      sets      ('validation_0',)
      metrics   ('mae', 'rmse')
      n_rounds  20
    """
    if isinstance(model, BaseEstimator):
        check_is_fitted(model)
    recorded, first_round = (model, 1) if isinstance(model, Mapping) else _recorded_by(model)
    values = _read_values(recorded)
    if not any(values.values()):
        raise ValueError(
            f"this {type(model).__name__} holds no values of rounds; pass eval_set to fit, or set "
            "early_stopping if fit has no eval_set."
        )
    return EvalCurves(values, first_round)


def _recorded_by(model: Any) -> tuple[Mapping[str, Any], int]:
    """Return the values of a fitted booster by set and metric, and the round of the first one."""
    if hasattr(model, "evals_result_"):
        return model.evals_result_, 1 + _rounds_before(model)
    if hasattr(model, "validation_score_"):
        scores = {"training": model.train_score_, "validation": model.validation_score_}
        return _by_metric(scores, _scoring_name(model)), 0
    if hasattr(model, "train_score_"):
        losses = {"training": model.train_score_, "out of bag": getattr(model, "oob_scores_", ())}
        return _by_metric(losses, "loss"), 1
    raise TypeError(
        "eval_curves takes a fitted gradient booster or a dictionary like evals_result_, but got "
        f"{type(model).__name__}."
    )


def _rounds_before(model: Any) -> int:
    """Count the rounds of earlier fits: recorded values are those of the last fit alone."""
    lengths = [len(curve) for own in model.evals_result_.values() for curve in own.values()]
    return getattr(model, "n_iter_", max(lengths, default=0)) - max(lengths, default=0)


def _by_metric(scores: Mapping[str, Any], metric: str) -> dict[str, dict[str, Any]]:
    return {name: {metric: values} for name, values in scores.items() if len(values)}


def _scoring_name(model: Any) -> str:
    scoring = model.scoring
    if scoring == "loss":
        return "minus the loss"
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")


def _read_values(recorded: Mapping[str, Any]) -> Values:
    """Copy a dictionary of dictionaries of curves, and check its form."""
    try:
        return {
            str(name): {str(metric): _read_curve(curve) for metric, curve in own.items()}
            for name, own in recorded.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise TypeError(
            "eval_curves takes a dictionary that holds for each set and for each metric the values "
            f"after every round, but got {recorded!r}."
        ) from None


def _read_curve(curve: Any) -> Floats:
    values = np.array(curve, dtype=np.float64)
    if values.ndim != 1 or not values.size:
        raise ValueError("not a curve")
    return values
