"""Ensembles without labels: clusterings, embeddings, outlier detectors and ratings, combined."""

__all__: list[str] = []
