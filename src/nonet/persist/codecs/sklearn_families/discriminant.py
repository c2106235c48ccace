"""Discriminant analysis, and mixtures of normal distributions."""

from __future__ import annotations

from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.mixture import GaussianMixture

from nonet.persist.codecs.instances import PLAIN

RULES = {
    GaussianMixture: PLAIN,
    LinearDiscriminantAnalysis: PLAIN,
    QuadraticDiscriminantAnalysis: PLAIN,
}
