"""Detectors of outliers that are neither forests nor neighbors."""

from __future__ import annotations

from sklearn.covariance import EllipticEnvelope

from nonet.persist.codecs.instances import PLAIN

RULES = {EllipticEnvelope: PLAIN}
