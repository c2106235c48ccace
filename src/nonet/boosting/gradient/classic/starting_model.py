"""The starting model of boosting, whose predictions become the initial scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logit
from sklearn.base import clone

from nonet._base.aliases import Array, Floats
from nonet.members.label_codes import fit_on_labels

# Probabilities keep this distance from 0 and 1, as in scikit-learn.
_CLIP = np.finfo(np.float64).eps


def fit_starting_model(init: Any, X: Any, y: Array, weights: Floats | None) -> Any:
    """Fit a copy of the model that boosting starts from.

    Parameters
    ----------
    init : estimator
        The model.
    X : array or sparse matrix of shape (n_rows, n_columns)
        Rows.
    y : array of shape (n_rows,)
        Their labels or numeric targets.
    weights : array of shape (n_rows,) or None
        Their weights.

    Returns
    -------
    estimator
    """
    model = clone(init)
    if weights is None:
        return fit_on_labels(model, X, y, {})
    try:
        return fit_on_labels(model, X, y, {"sample_weight": weights})
    except (TypeError, ValueError) as why:
        if "sample_weight" not in str(why):
            raise
        raise ValueError(
            f"init must accept sample_weight if fit gets it, but {type(init).__name__} does not; "
            "fit without sample_weight, or start from another model."
        ) from why


def class_scores(probabilities: Floats, is_exponential: bool) -> Floats:
    """Turn probabilities into scores: log-odds, half of them, or centred logarithms.

    Parameters
    ----------
    probabilities : array of shape (n_rows, n_classes)
        Probabilities of the classes.
    is_exponential : bool
        Whether the loss is AdaBoost's, whose score is half the log-odds.

    Returns
    -------
    array of shape (n_scores, n_rows)
        One score for two classes, one per class for more.

    Examples
    --------
    >>> class_scores(np.array([[0.25, 0.75]]), is_exponential=False).round(6)  # log(3)
    array([[1.098612]])
    """
    clipped = np.clip(np.asarray(probabilities, dtype=np.float64), _CLIP, 1 - _CLIP)
    if clipped.shape[1] == 2:
        scores: Floats = logit(clipped[:, 1])[np.newaxis]
        return 0.5 * scores if is_exponential else scores
    logs = np.log(clipped).T
    return np.ascontiguousarray(logs - logs.mean(axis=0))
