"""Ensembles of given models: voting, and the learned combinations that follow."""

from nonet.stacking.arbiter import ArbiterClassifier
from nonet.stacking.blending import BlendingClassifier, BlendingRegressor
from nonet.stacking.cascade import CascadeClassifier
from nonet.stacking.cascade_class_tree import ClassTreeClassifier
from nonet.stacking.cascade_routing import RoutedClassifier, RoutedRegressor
from nonet.stacking.gating import GatedClassifier, GatedRegressor
from nonet.stacking.guard import MetaGuard
from nonet.stacking.leaks import LeakCheck, leak_check
from nonet.stacking.ledger_maker import make_ledger
from nonet.stacking.nested_score import HonestScore, honest_score
from nonet.stacking.selection import SelectionClassifier, SelectionRegressor
from nonet.stacking.stacking_classifier import StackingClassifier
from nonet.stacking.stacking_regressor import StackingRegressor
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
