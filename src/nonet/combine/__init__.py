"""Combination rules F: combine the outputs of many members into one support.

Most rules are functions on arrays; a rule with parameters is a class. Wherever an ensemble takes
``combine=``, a short name from ``COMBINATION_RULES`` works too.
"""

from nonet._base.arrays import encode_labels
from nonet.combine.gated import gated_mean
from nonet.combine.labels import (
    And,
    AtLeastOne,
    KOfN,
    Or,
    WeightedKOfN,
    k_of_n,
    majority,
    plurality,
    weighted_k_of_n,
)
from nonet.combine.log_loss import LogLoss, SafePool
from nonet.combine.probabilities import log_pool, maximum_pool, median_pool, minimum_pool, product
from nonet.combine.ranks import Borda, borda
from nonet.combine.rule import Combination, CombinationRule
from nonet.combine.scores import ScoreSum, score_sum
from nonet.combine.signed_sum import LeastSquares, SignedSum
from nonet.combine.table import COMBINATION_RULES
from nonet.combine.values import (
    TrimmedMean,
    geometric_mean,
    maximum,
    mean,
    median,
    minimum,
    total,
    trimmed_mean,
)
from nonet.combine.weights import (
    WEIGHT_FINDERS,
    Accuracy,
    BestMember,
    GreedySelection,
    LogOdds,
    NonNegative,
    RidgeToUniform,
    Simplex,
    Uniform,
    WeightFinder,
)

__all__ = [
    "COMBINATION_RULES",
    "WEIGHT_FINDERS",
    "Accuracy",
    "And",
    "AtLeastOne",
    "BestMember",
    "Borda",
    "Combination",
    "CombinationRule",
    "GreedySelection",
    "KOfN",
    "LeastSquares",
    "LogLoss",
    "LogOdds",
    "NonNegative",
    "Or",
    "RidgeToUniform",
    "SafePool",
    "ScoreSum",
    "SignedSum",
    "Simplex",
    "TrimmedMean",
    "Uniform",
    "WeightFinder",
    "WeightedKOfN",
    "borda",
    "encode_labels",
    "gated_mean",
    "geometric_mean",
    "k_of_n",
    "log_pool",
    "majority",
    "maximum",
    "maximum_pool",
    "mean",
    "median",
    "median_pool",
    "minimum",
    "minimum_pool",
    "plurality",
    "product",
    "score_sum",
    "total",
    "trimmed_mean",
    "weighted_k_of_n",
]
