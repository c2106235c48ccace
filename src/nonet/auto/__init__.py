"""The auto-ensembler: from a table to the best ensemble under a time limit."""

from nonet.auto.auto_ensemble import AutoEnsembleClassifier, AutoEnsembleRegressor
from nonet.auto.auto_score import AutoScore
from nonet.auto.leaderboard import Leaderboard, LeaderboardRow

__all__ = [
    "AutoEnsembleClassifier",
    "AutoEnsembleRegressor",
    "AutoScore",
    "Leaderboard",
    "LeaderboardRow",
]
