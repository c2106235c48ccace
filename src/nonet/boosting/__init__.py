"""Boosting: fit members in sequence, each on the errors of the members before it."""

from nonet.boosting.adaboost.adaboost import AdaBoostClassifier
from nonet.boosting.adaboost.adaboost_r2 import AdaBoostRegressor
from nonet.boosting.adaboost.marginal_adaboost import MarginSearch, search_margin
from nonet.boosting.adaboost.methods.boosting_methods import BOOSTING_METHODS
from nonet.boosting.adaboost.methods.confidence_rated import Confidence, SammeR
from nonet.boosting.adaboost.methods.label_methods import (
    Discrete,
    LabelMethod,
    Mada,
    Samme,
    log_odds,
)
from nonet.boosting.adaboost.methods.lp_boost import LpBoost
from nonet.boosting.adaboost.methods.margin_methods import (
    AdaBoostRho,
    AdaBoostStar,
    ArcGv,
    MarginMethod,
)
from nonet.boosting.adaboost.methods.method import BoostingMethod
from nonet.boosting.adaboost.methods.multiclass_methods import M2, Mh
from nonet.boosting.adaboost.methods.regression_methods import Gentle, Logit, RegressionMethod
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
from nonet.boosting.gradient.analysis.virtual_ensemble import VirtualEnsemble, virtual_ensemble
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
    "LabelMethod",
    "Logit",
    "LpBoost",
    "Mada",
    "MarginMethod",
    "MarginSearch",
    "Mh",
    "Plateau",
    "RegressionLog",
    "RegressionMethod",
    "RoundLog",
    "Samme",
    "SammeR",
    "StopRule",
    "ThreeLearnerClassifier",
    "TimeLimit",
    "VirtualEnsemble",
    "boost_cv",
    "eval_curves",
    "log_odds",
    "search_margin",
    "virtual_ensemble",
]
