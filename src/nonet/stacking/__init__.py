"""Ensembles of given models: voting, and the learned combinations that follow."""

from nonet.stacking.ledger_maker import make_ledger
from nonet.stacking.stacking import StackingClassifier, StackingRegressor
from nonet.stacking.voting import VotingClassifier, VotingRegressor

__all__ = [
    "StackingClassifier",
    "StackingRegressor",
    "VotingClassifier",
    "VotingRegressor",
    "make_ledger",
]
