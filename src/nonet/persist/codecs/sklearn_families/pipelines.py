"""Pipelines, unions, columns with steps of their own, and what scikit-learn routes to steps."""

from __future__ import annotations

from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils._metadata_requests import MetadataRequest, MethodMetadataRequest

from nonet.persist.codecs.instances import PLAIN

RULES = {
    ColumnTransformer: PLAIN,
    FeatureUnion: PLAIN,
    MetadataRequest: PLAIN,
    MethodMetadataRequest: PLAIN,
    Pipeline: PLAIN,
    TransformedTargetRegressor: PLAIN,
    make_column_selector: PLAIN,
}
