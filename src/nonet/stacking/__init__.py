"""Ensembles of given models: voting, and combinations learned on held-out predictions."""

from nonet.stacking.honest.leaks import LeakCheck, leak_check
from nonet.stacking.honest.nested_score import HonestScore, honest_score
from nonet.stacking.learned.blending import BlendingClassifier, BlendingRegressor
from nonet.stacking.learned.guard import MetaGuard
from nonet.stacking.learned.selection import SelectionClassifier, SelectionRegressor
from nonet.stacking.learned.stacking_classifier import StackingClassifier
from nonet.stacking.learned.stacking_regressor import StackingRegressor
from nonet.stacking.ledger_maker import make_ledger
from nonet.stacking.routed.arbiter import ArbiterClassifier
from nonet.stacking.routed.cascade import CascadeClassifier
from nonet.stacking.routed.class_tree import ClassTreeClassifier
from nonet.stacking.routed.gating import GatedClassifier, GatedRegressor
from nonet.stacking.routed.routed_models import RoutedClassifier, RoutedRegressor
from nonet.stacking.views import ViewsClassifier, ViewsRegressor
from nonet.stacking.voting import VotingClassifier, VotingRegressor

__all__ = [
    "ArbiterClassifier",
    "BlendingClassifier",
    "BlendingRegressor",
    "CascadeClassifier",
    "ClassTreeClassifier",
    "GatedClassifier",
    "GatedRegressor",
    "HonestScore",
    "LeakCheck",
    "MetaGuard",
    "RoutedClassifier",
    "RoutedRegressor",
    "SelectionClassifier",
    "SelectionRegressor",
    "StackingClassifier",
    "StackingRegressor",
    "ViewsClassifier",
    "ViewsRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "honest_score",
    "leak_check",
    "make_ledger",
]
