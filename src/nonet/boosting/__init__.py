"""Boosting: members one after another, each on what the ones before it left to learn."""

from nonet.boosting.adaboost.adaboost import AdaBoostClassifier
from nonet.boosting.adaboost.adaboost_r2 import AdaBoostRegressor
from nonet.boosting.adaboost.marginal import MarginSearch, search_margin
from nonet.boosting.adaboost.methods.boosting_methods import BOOSTING_METHODS
from nonet.boosting.adaboost.methods.confidence import Confidence, SammeR
from nonet.boosting.adaboost.methods.lp_boost import LpBoost
from nonet.boosting.adaboost.methods.margin_boosting import (
    AdaBoostRho,
    AdaBoostStar,
    ArcGv,
    MarginMethod,
)
from nonet.boosting.adaboost.methods.method import BoostingMethod
from nonet.boosting.adaboost.methods.numbers import Gentle, Logit, NumberMethod
from nonet.boosting.adaboost.methods.pairs import M2, Mh
from nonet.boosting.adaboost.methods.votes import Discrete, Mada, Samme, VoteMethod, log_odds
from nonet.boosting.adaboost.regression_log import RegressionLog
from nonet.boosting.adaboost.round_log import RoundLog
from nonet.boosting.adaboost.stopping import (
    STOP_RULES,
    ErrorLimit,
    Fitted,
    Plateau,
    StopRule,
    TimeLimit,
)
from nonet.boosting.adaboost.three_learner import ThreeLearnerClassifier
from nonet.boosting.gradient.analysis.boost_cv_result import BoostCV
from nonet.boosting.gradient.analysis.cross_validated_rounds import boost_cv
from nonet.boosting.gradient.analysis.recorded_rounds import EvalCurves, eval_curves
from nonet.boosting.gradient.analysis.virtual_members import VirtualEnsemble, virtual_ensemble
from nonet.boosting.gradient.boosted_trees.boosted_trees_classifier import BoostedTreesClassifier
from nonet.boosting.gradient.boosted_trees.boosted_trees_regressor import BoostedTreesRegressor
from nonet.boosting.gradient.classic.gradient_boosting_classifier import GradientBoostingClassifier
from nonet.boosting.gradient.classic.gradient_boosting_regressor import GradientBoostingRegressor
from nonet.boosting.gradient.histogram.hist_gradient_boosting import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

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
