"""Ensemble learning: many models, one answer.

One formula runs through the library: ``a(x) = C(F(b_1(x), ..., b_k(x)))``, with members b,
a combination rule F (``nonet.combine``) and a decision rule C (``nonet.decide``).
"""

from nonet import bagging, combine, decide, resampling, theory, trees
from nonet._base.versions import show_versions
from nonet._native import get_num_threads, limit_threads
from nonet.bagging import (
    BaggingClassifier,
    BaggingRegressor,
    PocketPerceptron,
    RandomSubspaceClassifier,
    RandomSubspaceRegressor,
)
from nonet.decide import coverage, risk_coverage_curve, selective_accuracy
from nonet.members.ledger import Ledger
from nonet.resampling import bootstrap_error, cv_curve, cv_error, loocv_error, selection_leak
from nonet.resampling.bootstrap import bootstrap
from nonet.resampling.jackknife import jackknife
from nonet.stacking import VotingClassifier, VotingRegressor, make_ledger
from nonet.trees import (
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

__version__ = "0.1.0.dev0"

__all__ = [
    "BaggingClassifier",
    "BaggingRegressor",
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreeClassifier",
    "ExtraTreeRegressor",
    "Ledger",
    "PocketPerceptron",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "bagging",
    "bootstrap",
    "bootstrap_error",
    "combine",
    "coverage",
    "cv_curve",
    "cv_error",
    "decide",
    "get_num_threads",
    "jackknife",
    "limit_threads",
    "loocv_error",
    "make_ledger",
    "resampling",
    "risk_coverage_curve",
    "selection_leak",
    "selective_accuracy",
    "show_versions",
    "theory",
    "trees",
]
