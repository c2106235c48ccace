"""Ensembles without labels: clusterings, embeddings, outlier detectors and ratings, combined."""

from nonet.unsupervised.clustering.consensus import ConsensusPartition, combine_partitions
from nonet.unsupervised.clustering.consensus_clustering import ConsensusClustering
from nonet.unsupervised.clustering.stability import ClusteringStability, clustering_stability
from nonet.unsupervised.embedding.ensemble_embedding import EnsembleEmbedding
from nonet.unsupervised.embedding.forest_proximity import (
    forest_distance,
    forest_proximity,
    forest_proximity_blocks,
)
from nonet.unsupervised.outliers.outlier_ensemble import OutlierEnsemble
from nonet.unsupervised.ratings.bias_model import BiasModel
from nonet.unsupervised.ratings.factorization import ALSFactorization, ImplicitFactorization
from nonet.unsupervised.ratings.neighbors import ItemNeighbors, UserNeighbors
from nonet.unsupervised.ratings.ranking import RankingScores, ranking_scores
from nonet.unsupervised.ratings.rating_counts import RatingCounts
from nonet.unsupervised.ratings.rating_ensemble import RatingEnsemble
from nonet.unsupervised.ratings.sgd_factorization import SGDFactorization
from nonet.unsupervised.ratings.simulation import SimulatedRatings, make_ratings
from nonet.unsupervised.ratings.splits import TimeSplit, UserSplit

__all__ = [
    "ALSFactorization",
    "BiasModel",
    "ClusteringStability",
    "ConsensusClustering",
    "ConsensusPartition",
    "EnsembleEmbedding",
    "ImplicitFactorization",
    "ItemNeighbors",
    "OutlierEnsemble",
    "RankingScores",
    "RatingCounts",
    "RatingEnsemble",
    "SGDFactorization",
    "SimulatedRatings",
    "TimeSplit",
    "UserNeighbors",
    "UserSplit",
    "clustering_stability",
    "combine_partitions",
    "forest_distance",
    "forest_proximity",
    "forest_proximity_blocks",
    "make_ratings",
    "ranking_scores",
]
