"""Regression losses by name.

These are the objectives of nonet's own boosters; the drop-in classes take scikit-learn's names.
"""

from __future__ import annotations

from collections.abc import Mapping

from nonet.losses.classes import LogisticLoss
from nonet.losses.log_mean import GammaLoss, PoissonLoss
from nonet.losses.loss import Loss
from nonet.losses.robust import AbsoluteLoss
from nonet.losses.squared import SquaredLoss

REGRESSION_LOSSES: Mapping[str, type[Loss]] = {
    "squared_error": SquaredLoss,
    "absolute_error": AbsoluteLoss,
    "poisson": PoissonLoss,
    "gamma": GammaLoss,
    "cross_entropy": LogisticLoss,
}
