"""Ensembles without labels: clusterings, embeddings, outlier detectors and ratings, combined."""

from nonet.unsupervised.clustering.consensus import ConsensusPartition, combine_partitions
from nonet.unsupervised.clustering.consensus_clustering import ConsensusClustering
from nonet.unsupervised.clustering.stability import ClusteringStability, clustering_stability

__all__ = [
    "ClusteringStability",
    "ConsensusClustering",
    "ConsensusPartition",
    "clustering_stability",
    "combine_partitions",
]
