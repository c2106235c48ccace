"""Imputers of missing values."""

from __future__ import annotations

from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer

from nonet.persist.codecs.instances import PLAIN

RULES = {KNNImputer: PLAIN, MissingIndicator: PLAIN, SimpleImputer: PLAIN}
