"""Projections to fewer columns: products of arrays, which NumPy and SciPy check themselves."""

from __future__ import annotations

from sklearn.decomposition import PCA, FastICA, IncrementalPCA, TruncatedSVD
from sklearn.feature_selection import (
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    VarianceThreshold,
)
from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection

from nonet.persist.codecs.instances import PLAIN

RULES = {
    FastICA: PLAIN,
    GaussianRandomProjection: PLAIN,
    IncrementalPCA: PLAIN,
    PCA: PLAIN,
    SelectFromModel: PLAIN,
    SelectKBest: PLAIN,
    SelectPercentile: PLAIN,
    SparseRandomProjection: PLAIN,
    TruncatedSVD: PLAIN,
    VarianceThreshold: PLAIN,
}
