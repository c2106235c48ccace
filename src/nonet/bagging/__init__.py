"""Bagging: the same learner on many draws of rows, of columns, or of both."""

from nonet.bagging.bagging import BaggingClassifier, BaggingRegressor
from nonet.bagging.draws import (
    DRAW_RULES,
    BalancedDraw,
    BlockDraw,
    DrawRule,
    GroupDraw,
    PartitionDraw,
    RowDraw,
    StratifiedDraw,
)
from nonet.bagging.pocket import PocketPerceptron
from nonet.bagging.random_subspace import RandomSubspaceClassifier, RandomSubspaceRegressor

__all__ = [
    "DRAW_RULES",
    "BaggingClassifier",
    "BaggingRegressor",
    "BalancedDraw",
    "BlockDraw",
    "DrawRule",
    "GroupDraw",
    "PartitionDraw",
    "PocketPerceptron",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RowDraw",
    "StratifiedDraw",
]
