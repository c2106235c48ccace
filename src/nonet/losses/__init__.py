"""Loss functions for boosting: value, gradient, hessian, link and starting score.

A loss L(y, f) is a function of a target y and a score f; the prediction is the inverse link of f.
"""

from nonet.losses.classes import (
    CrossEntropyLoss,
    ExponentialLoss,
    LogisticLoss,
    MultinomialLoss,
)
from nonet.losses.joint import JointLoss, QuantilesLoss
from nonet.losses.log_mean import GammaLoss, PoissonLoss, TweedieLoss
from nonet.losses.loss import Loss
from nonet.losses.robust import AbsoluteLoss, HuberLoss, QuantileLoss
from nonet.losses.smooth_robust import FairLoss, PseudoHuberLoss
from nonet.losses.squared import SquaredLoss

__all__ = [
    "AbsoluteLoss",
    "CrossEntropyLoss",
    "ExponentialLoss",
    "FairLoss",
    "GammaLoss",
    "HuberLoss",
    "JointLoss",
    "LogisticLoss",
    "Loss",
    "MultinomialLoss",
    "PoissonLoss",
    "PseudoHuberLoss",
    "QuantileLoss",
    "QuantilesLoss",
    "SquaredLoss",
    "TweedieLoss",
]
