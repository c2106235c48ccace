"""Bagging: fit the same learner on many random samples of the rows, the columns, or both."""

from nonet.bagging.bagging.bagging import BaggingClassifier, BaggingRegressor
from nonet.bagging.bagging.draw_rule import DrawRule
from nonet.bagging.bagging.draws import (
    DRAW_RULES,
    BalancedDraw,
    BlockDraw,
    GroupDraw,
    PartitionDraw,
    RowDraw,
    StratifiedDraw,
)
from nonet.bagging.bagging.one_sided import OneSidedClassifier
from nonet.bagging.bagging.out_of_bag import OutOfBagCurve
from nonet.bagging.bagging.perceptron import PocketPerceptron, RandomPerceptron
from nonet.bagging.bagging.random_subspace import RandomSubspaceClassifier, RandomSubspaceRegressor
from nonet.bagging.forest.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from nonet.bagging.forest.forest_size import FlatCurve
from nonet.bagging.forest.isolation_forest import IsolationForest
from nonet.bagging.forest.permutation_importance import (
    OutOfBagImportance,
    oob_permutation_importance,
)
from nonet.bagging.forest.random_forest import RandomForestClassifier, RandomForestRegressor
from nonet.bagging.forest.random_trees_embedding import RandomTreesEmbedding

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
    "OneSidedClassifier",
    "OutOfBagCurve",
    "OutOfBagImportance",
    "PartitionDraw",
    "PocketPerceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomPerceptron",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RandomTreesEmbedding",
    "RowDraw",
    "StratifiedDraw",
    "oob_permutation_importance",
]
