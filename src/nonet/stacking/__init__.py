"""Ensembles of given models: voting, and the learned combinations that follow."""

from nonet.stacking.ledger_maker import make_ledger
from nonet.stacking.voting import VotingClassifier, VotingRegressor

__all__ = ["VotingClassifier", "VotingRegressor", "make_ledger"]
