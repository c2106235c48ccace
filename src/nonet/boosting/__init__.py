"""Boosting: members one after another, each on what the ones before it left to learn."""

from nonet.boosting.adaboost import AdaBoostClassifier
from nonet.boosting.adaboost_r2 import AdaBoostRegressor
from nonet.boosting.boosting_methods import BOOSTING_METHODS
from nonet.boosting.confidence import Confidence, SammeR
from nonet.boosting.hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from nonet.boosting.margin_boosting import AdaBoostRho, AdaBoostStar, ArcGv, MarginMethod
from nonet.boosting.method import BoostingMethod
from nonet.boosting.round_log import RoundLog
from nonet.boosting.stopping import (
    STOP_RULES,
    ErrorLimit,
    Fitted,
    Plateau,
    StopRule,
    TimeLimit,
)
from nonet.boosting.votes import Discrete, Mada, Samme, VoteMethod, log_odds

__all__ = [
    "BOOSTING_METHODS",
    "STOP_RULES",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "AdaBoostRho",
    "AdaBoostStar",
    "ArcGv",
    "BoostingMethod",
    "Confidence",
    "Discrete",
    "ErrorLimit",
    "Fitted",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "Mada",
    "MarginMethod",
    "Plateau",
    "RoundLog",
    "Samme",
    "SammeR",
    "StopRule",
    "TimeLimit",
    "VoteMethod",
    "log_odds",
]
