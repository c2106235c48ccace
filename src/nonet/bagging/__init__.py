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
from nonet.bagging.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from nonet.bagging.flat_curve import FlatCurve
from nonet.bagging.isolation_forest import IsolationForest
from nonet.bagging.out_of_bag import OutOfBagCurve
from nonet.bagging.permutation import OutOfBagImportance, oob_permutation_importance
from nonet.bagging.pocket import PocketPerceptron
from nonet.bagging.random_forest import RandomForestClassifier, RandomForestRegressor
from nonet.bagging.random_subspace import RandomSubspaceClassifier, RandomSubspaceRegressor
from nonet.bagging.random_trees_embedding import RandomTreesEmbedding

__all__ = [
    "DRAW_RULES",
    "BaggingClassifier",
    "BaggingRegressor",
    "BalancedDraw",
    "BlockDraw",
    "DrawRule",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FlatCurve",
    "GroupDraw",
    "IsolationForest",
    "OutOfBagCurve",
    "OutOfBagImportance",
    "PartitionDraw",
    "PocketPerceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RandomTreesEmbedding",
    "RowDraw",
    "StratifiedDraw",
    "oob_permutation_importance",
]
