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

__all__ = [
    "ClusteringStability",
    "ConsensusClustering",
    "ConsensusPartition",
    "EnsembleEmbedding",
    "clustering_stability",
    "combine_partitions",
    "forest_distance",
    "forest_proximity",
    "forest_proximity_blocks",
]
