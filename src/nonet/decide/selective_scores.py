"""Scores of predictions that include abstentions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats
from nonet._base.arrays import check_sample_weight
from nonet._base.params import Choice, Real
from nonet.decide.support import check_argument

_SILENCE = Choice("wrong", "skip") | Real(0, 1)


def coverage(
    y_pred: ArrayLike, *, abstain_label: Any, sample_weight: ArrayLike | None = None
) -> float:
    """Return the fraction of rows with a prediction.

    Parameters
    ----------
    y_pred : array-like of shape (n,)
        Predicted labels, including the abstain label.
    abstain_label : object
        The abstain label.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.

    Returns
    -------
    coverage : float
        Between 0 and 1.

    Examples
    --------
    >>> from nonet.decide import coverage
    >>> coverage([1, 0, -1, 0], abstain_label=0)
    0.5
    """
    predictions = _check_labels(y_pred, "y_pred")
    weight = check_sample_weight(sample_weight, len(predictions))
    return _mean((predictions != abstain_label).astype(float), weight)


def selective_accuracy(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    abstain_label: Any,
    silence: str | float = "wrong",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the accuracy of predictions that include abstentions.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true labels.
    y_pred : array-like of shape (n,)
        Predicted labels, including the abstain label.
    abstain_label : object
        The abstain label; it must not be a true label.
    silence : {'wrong', 'skip'} or float, default='wrong'
        How an abstention counts: 'wrong' counts it as an error, 'skip' leaves it out, and a
        number from 0 to 1 is the credit it gets.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows.

    Returns
    -------
    accuracy : float
        Between 0 and 1.

    Examples
    --------
    >>> from nonet.decide import selective_accuracy
    >>> y_true, y_pred = [1, 1, -1, -1], [1, 0, -1, 1]
    >>> selective_accuracy(y_true, y_pred, abstain_label=0)
    0.5
    >>> selective_accuracy(y_true, y_pred, abstain_label=0, silence=0.5)
    0.625
    >>> round(selective_accuracy(y_true, y_pred, abstain_label=0, silence="skip"), 3)
    0.667
    """
    check_argument("selective_accuracy", "silence", _SILENCE, silence)
    truth, predictions = _check_labels(y_true, "y_true"), _check_labels(y_pred, "y_pred")
    _check_pair(truth, predictions, abstain_label)
    weight = check_sample_weight(sample_weight, len(predictions))
    abstained, right = predictions == abstain_label, (predictions == truth).astype(float)
    if silence == "skip":
        return _mean_where(~abstained, right, weight)
    right[abstained] = 0.0 if silence == "wrong" else silence
    return _mean(right, weight)


def _check_labels(labels: ArrayLike, what: str) -> Array:
    checked = np.asarray(labels)
    if checked.ndim != 1 or checked.size == 0:
        raise ValueError(f"{what} must hold one label for each row, but has shape {checked.shape}.")
    return checked


def _check_pair(truth: Array, predictions: Array, abstain_label: Any) -> None:
    if len(truth) != len(predictions):
        raise ValueError(
            "y_true and y_pred must be of one length, "
            f"but have {len(truth)} and {len(predictions)} rows."
        )
    if np.any(truth == abstain_label):
        raise ValueError(f"abstain_label {abstain_label!r} is one of the true labels.")


def _mean(values: Floats, weight: Floats | None) -> float:
    return float(np.average(values, weights=weight))


def _mean_where(kept: Array, values: Floats, weight: Floats | None) -> float:
    kept = kept if weight is None else kept & (weight > 0)
    if not kept.any():
        raise ValueError(
            "every row is an abstention, so the accuracy of the others is undefined: "
            "use silence='wrong' or a credit."
        )
    return _mean(values[kept], None if weight is None else weight[kept])
