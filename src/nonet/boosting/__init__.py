"""Boosting: members that mend what those before them got wrong."""

from nonet.boosting.hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

__all__ = ["HistGradientBoostingClassifier", "HistGradientBoostingRegressor"]
