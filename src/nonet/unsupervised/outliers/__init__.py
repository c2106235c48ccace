"""Ensembles of outlier detectors."""
