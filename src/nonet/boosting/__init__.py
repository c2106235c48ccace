"""Boosting: members one after another, each on what the ones before it left to learn."""

from nonet.boosting.adaboost import AdaBoostClassifier
from nonet.boosting.adaboost_r2 import AdaBoostRegressor
from nonet.boosting.boost_cv_result import BoostCV
from nonet.boosting.boosted_trees_classifier import BoostedTreesClassifier
from nonet.boosting.boosted_trees_regressor import BoostedTreesRegressor
from nonet.boosting.boosting_methods import BOOSTING_METHODS
from nonet.boosting.confidence import Confidence, SammeR
from nonet.boosting.cross_validated_rounds import boost_cv
from nonet.boosting.gradient_boosting_classifier import GradientBoostingClassifier
from nonet.boosting.gradient_boosting_regressor import GradientBoostingRegressor
from nonet.boosting.hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)
from nonet.boosting.lp_boost import LpBoost
from nonet.boosting.margin_boosting import AdaBoostRho, AdaBoostStar, ArcGv, MarginMethod
from nonet.boosting.marginal import MarginSearch, search_margin
from nonet.boosting.method import BoostingMethod
from nonet.boosting.numbers import Gentle, Logit, NumberMethod
from nonet.boosting.pairs import M2, Mh
from nonet.boosting.recorded_rounds import EvalCurves, eval_curves
from nonet.boosting.regression_log import RegressionLog
from nonet.boosting.round_log import RoundLog
from nonet.boosting.stopping import (
    STOP_RULES,
    ErrorLimit,
    Fitted,
    Plateau,
    StopRule,
    TimeLimit,
)
from nonet.boosting.three_learner import ThreeLearnerClassifier
from nonet.boosting.virtual_members import VirtualEnsemble, virtual_ensemble
from nonet.boosting.votes import Discrete, Mada, Samme, VoteMethod, log_odds

__all__ = [
    "BOOSTING_METHODS",
    "M2",
    "STOP_RULES",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "AdaBoostRho",
    "AdaBoostStar",
    "ArcGv",
    "BoostCV",
    "BoostedTreesClassifier",
    "BoostedTreesRegressor",
    "BoostingMethod",
    "Confidence",
    "Discrete",
    "ErrorLimit",
    "EvalCurves",
    "Fitted",
    "Gentle",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "Logit",
    "LpBoost",
    "Mada",
    "MarginMethod",
    "MarginSearch",
    "Mh",
    "NumberMethod",
    "Plateau",
    "RegressionLog",
    "RoundLog",
    "Samme",
    "SammeR",
    "StopRule",
    "ThreeLearnerClassifier",
    "TimeLimit",
    "VirtualEnsemble",
    "VoteMethod",
    "boost_cv",
    "eval_curves",
    "log_odds",
    "search_margin",
    "virtual_ensemble",
]
