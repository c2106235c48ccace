"""Losses of single rows, which error estimates average.

A metric that is not a mean over rows (an area under a curve, a correlation) cannot be pooled over
folds or bags; scikit-learn's ``cross_val_score`` averages such scores over folds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from nonet._base.aliases import ABSTAINED, Array, Floats
from nonet._base.arrays import as_numbers, encode_labels
from nonet._base.names import look_up
from nonet._base.params import bad_parameter

# Probabilities of 0 cost this many nats, as in scikit-learn's log_loss for float64.
_MIN_PROBABILITY = np.finfo(np.float64).eps


@dataclass(frozen=True)
class Predictions:
    """Predictions of a fitted model on some rows.

    Attributes
    ----------
    values : ndarray of shape (n,) or (n, n_classes)
        Predictions or probabilities.
    classes : ndarray of shape (n_classes,) or None
        What the columns of probabilities stand for.
    """

    values: Array
    classes: Array | None = None


@dataclass(frozen=True)
class RowLoss:
    """A loss and the predictions it is computed from."""

    name: str
    method: str
    function: Callable[[Array, Predictions], Any]

    def predict(self, model: Any, X: Any) -> Predictions:
        """Return the predictions of the model on X."""
        if not hasattr(model, self.method):
            raise TypeError(
                f"loss {self.name!r} is computed from {self.method}, which {type(model).__name__} "
                "does not have; use another loss, or a calibrated model."
            )
        values = np.asarray(getattr(model, self.method)(X))
        return Predictions(values, model.classes_ if self.method == "predict_proba" else None)

    def of(self, y: Array, predictions: Predictions) -> Floats:
        """Return the loss of each row."""
        losses = as_numbers(self.function(y, predictions), f"the values of loss {self.name!r}")
        if losses.shape != (len(y),):
            raise ValueError(
                f"loss {self.name!r} must give one number for each of the {len(y)} rows, but gave "
                f"shape {losses.shape}."
            )
        if not np.isfinite(losses).all():
            row = int(np.argmin(np.isfinite(losses)))
            raise ValueError(
                f"loss {self.name!r} is {losses[row]} for a prediction of "
                f"{predictions.values[row]!r} where the truth is {y[row]!r}: it must be finite."
            )
        return losses


def _squared_error(y: Array, predictions: Predictions) -> Any:
    return (y - predictions.values) ** 2


def _absolute_error(y: Array, predictions: Predictions) -> Any:
    return np.abs(y - predictions.values)


def _zero_one(y: Array, predictions: Predictions) -> Any:
    return y != predictions.values


def _probability_of_truth(y: Array, predictions: Predictions) -> Floats:
    """Return the probability given to the true class; 0 for one the model has not seen."""
    assert predictions.classes is not None
    codes = encode_labels(y, predictions.classes, unknown="silent")
    return np.where(codes == ABSTAINED, 0.0, predictions.values[np.arange(len(y)), codes])


def _log_loss(y: Array, predictions: Predictions) -> Any:
    return -np.log(np.maximum(_probability_of_truth(y, predictions), _MIN_PROBABILITY))


def _brier(y: Array, predictions: Predictions) -> Any:
    return np.sum(predictions.values**2, axis=1) - 2 * _probability_of_truth(y, predictions) + 1


ROW_LOSSES: dict[str, RowLoss] = {
    "squared_error": RowLoss("squared_error", "predict", _squared_error),
    "absolute_error": RowLoss("absolute_error", "predict", _absolute_error),
    "zero_one": RowLoss("zero_one", "predict", _zero_one),
    "log_loss": RowLoss("log_loss", "predict_proba", _log_loss),
    "brier": RowLoss("brier", "predict_proba", _brier),
}


def resolve_loss(loss: Any, estimator: Any) -> RowLoss:
    """Return the loss that a name means; None is that of the estimator's kind."""
    if loss is None:
        return ROW_LOSSES["zero_one" if is_classifier(estimator) else "squared_error"]
    if isinstance(loss, str):
        return look_up(ROW_LOSSES, loss, "loss")
    if callable(loss):
        name = str(getattr(loss, "__name__", "loss"))
        return RowLoss(name, "predict", lambda y, predictions: loss(y, predictions.values))
    raise bad_parameter("error estimate", "loss", "None, a name or a callable", loss)
