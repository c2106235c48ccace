"""Ensembles without labels: clusterings, embeddings, outlier detectors and ratings, combined."""

from nonet.unsupervised.outliers.outlier_ensemble import OutlierEnsemble

__all__ = [
    "OutlierEnsemble",
]
