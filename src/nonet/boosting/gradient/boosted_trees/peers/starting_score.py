"""The starting score that a user gives: XGBoost's ``base_score``, LightGBM's from no average."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.params import bad_parameter
from nonet.losses import JointLoss, LogisticLoss, Loss, MultinomialLoss
from nonet.losses.log_mean import LogMeanLoss
from nonet.losses.loss import clipped_logit


def starting_score(model: Any, loss: Loss, found: Floats) -> Floats:
    """Return the score that boosting starts from, in place of the one found from the targets.

    Parameters
    ----------
    model : estimator
        May have a ``base_score``, a prediction to start from, or ``boost_from_average``.
    loss : Loss
        Its link turns the prediction into a score.
    found : array of shape (n_scores,)
        The best constant.
    """
    given = vars(model)
    base = given.get("base_score")
    if base is None:
        return found if given.get("boost_from_average", True) else np.zeros_like(found)
    try:
        predictions = np.broadcast_to(np.asarray(base, dtype=np.float64), found.shape)
    except (TypeError, ValueError):
        predictions = np.full(found.shape, np.nan)
    with np.errstate(all="ignore"):
        scores = _link(loss, predictions)
    if not np.isfinite(scores).all():
        allowed = "a prediction within the range of the objective, or one per score"
        raise bad_parameter(model, "base_score", allowed, base)
    return scores


def _link(loss: Loss, predictions: Floats) -> Floats:
    if isinstance(loss, JointLoss):
        loss = loss.losses[0]
    if isinstance(loss, LogisticLoss):
        is_inside = (predictions > 0) & (predictions < 1)
        return np.where(is_inside, np.asarray(clipped_logit(predictions)), np.nan)
    if isinstance(loss, MultinomialLoss):
        return np.asarray(predictions - predictions.mean())
    scores: Floats = np.log(predictions) if isinstance(loss, LogMeanLoss) else predictions
    return scores
