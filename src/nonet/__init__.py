"""Ensemble learning: many models, one answer.

One formula runs through the library: ``a(x) = C(F(b_1(x), ..., b_k(x)))``, with members b,
a combination rule F (``nonet.combine``) and a decision rule C (``nonet.decide``).
"""

from nonet import (
    bagging,
    boosting,
    combine,
    decide,
    diagnostics,
    losses,
    multiclass,
    resampling,
    theory,
    trees,
)
from nonet._base.versions import show_versions
from nonet._native import get_num_threads, limit_threads
from nonet.bagging import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    IsolationForest,
    PocketPerceptron,
    RandomForestClassifier,
    RandomForestRegressor,
    RandomSubspaceClassifier,
    RandomSubspaceRegressor,
    RandomTreesEmbedding,
)
from nonet.boosting import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    ThreeLearnerClassifier,
)
from nonet.decide import coverage, risk_coverage_curve, selective_accuracy
from nonet.diagnostics.ambiguity import ambiguity
from nonet.diagnostics.bias_variance import bias_variance
from nonet.diagnostics.correctness import correctness
from nonet.diagnostics.diversity import diversity
from nonet.diagnostics.gains import can_it_still_gain
from nonet.diagnostics.margins import margins
from nonet.diagnostics.strength import strength_correlation
from nonet.members.ledger import Ledger
from nonet.multiclass import (
    OneVsOneClassifier,
    OneVsRestClassifier,
    OutputCodeClassifier,
)
from nonet.resampling import bootstrap_error, cv_curve, cv_error, loocv_error, selection_leak
from nonet.resampling.bootstrap import bootstrap
from nonet.resampling.jackknife import jackknife
from nonet.stacking import (
    ArbiterClassifier,
    BlendingClassifier,
    BlendingRegressor,
    CascadeClassifier,
    ClassTreeClassifier,
    GatedClassifier,
    GatedRegressor,
    HonestScore,
    LeakCheck,
    MetaGuard,
    RoutedClassifier,
    RoutedRegressor,
    SelectionClassifier,
    SelectionRegressor,
    StackingClassifier,
    StackingRegressor,
    ViewsClassifier,
    ViewsRegressor,
    VotingClassifier,
    VotingRegressor,
    honest_score,
    leak_check,
    make_ledger,
)
from nonet.trees import (
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "ArbiterClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "BlendingClassifier",
    "BlendingRegressor",
    "CascadeClassifier",
    "ClassTreeClassifier",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "GatedClassifier",
    "GatedRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "HonestScore",
    "IsolationForest",
    "LeakCheck",
    "Ledger",
    "MetaGuard",
    "OneVsOneClassifier",
    "OneVsRestClassifier",
    "OutputCodeClassifier",
    "PocketPerceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RandomTreesEmbedding",
    "RoutedClassifier",
    "RoutedRegressor",
    "SelectionClassifier",
    "SelectionRegressor",
    "StackingClassifier",
    "StackingRegressor",
    "ThreeLearnerClassifier",
    "ViewsClassifier",
    "ViewsRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "ambiguity",
    "bagging",
    "bias_variance",
    "boosting",
    "bootstrap",
    "bootstrap_error",
    "can_it_still_gain",
    "combine",
    "correctness",
    "coverage",
    "cv_curve",
    "cv_error",
    "decide",
    "diagnostics",
    "diversity",
    "get_num_threads",
    "honest_score",
    "jackknife",
    "leak_check",
    "limit_threads",
    "loocv_error",
    "losses",
    "make_ledger",
    "margins",
    "multiclass",
    "resampling",
    "risk_coverage_curve",
    "selection_leak",
    "selective_accuracy",
    "show_versions",
    "strength_correlation",
    "theory",
    "trees",
]
