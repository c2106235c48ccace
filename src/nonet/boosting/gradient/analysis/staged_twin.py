"""A booster as it was after some of its rounds, for those who ask through its own methods."""

from __future__ import annotations

import copy
from typing import Any

from sklearn.base import is_classifier

from nonet._base.aliases import Floats


def check_has_stages(model: Any, asking: str) -> None:
    """Raise unless the first rounds of a model are the model of fewer rounds."""
    if not hasattr(model, "_staged_scores"):
        raise TypeError(
            f"{asking} takes nonet's gradient boosting, but got {type(model).__name__}."
        )
    if getattr(model, "drop_rate", 0) > 0:
        raise ValueError(
            f"{asking} looks at the first rounds of a booster, but drop_rate={model.drop_rate} "
            "changes these later; set it to 0."
        )


def with_scores(model: Any, scores: Floats) -> Any:
    """Return a twin of a fitted booster that has these scores, whatever rows it is asked about."""
    twin = copy.copy(model)
    twin._scores = lambda *_, **__: scores
    return twin


def answer_at(model: Any, X: Any, scores: Floats) -> Floats:
    """Turn scores of rows into answers: probabilities if the model classifies, else values."""
    twin = with_scores(model, scores)
    answers: Floats = twin.predict_proba(X) if is_classifier(model) else twin.predict(X)
    return answers
