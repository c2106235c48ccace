"""Predictions of a booster after its first rounds."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier

from nonet._base.aliases import Floats
from nonet.boosting.gradient.early_stopping.scored_model import at_scores


def check_has_stages(model: Any, caller: str) -> None:
    """Raise unless the first rounds of a model equal a model of fewer rounds."""
    if not hasattr(model, "_staged_scores"):
        raise TypeError(
            f"{caller} takes nonet's gradient boosting, but got {type(model).__name__}."
        )
    if getattr(model, "drop_rate", 0) > 0:
        raise ValueError(
            f"{caller} reads the first rounds of a booster, but drop_rate={model.drop_rate} "
            "changes these later; set it to 0."
        )


def predict_at(model: Any, X: Any, scores: Floats) -> Floats:
    """Turn scores of rows into probabilities for a classifier, else into values."""
    scored: Any = at_scores(model, scores)
    predictions: Floats = scored.predict_proba(X) if is_classifier(model) else scored.predict(X)
    return predictions
