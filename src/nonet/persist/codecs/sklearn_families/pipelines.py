"""Pipelines, unions, columns with steps of their own, and what scikit-learn routes to steps."""

from __future__ import annotations

from sklearn.compose import ColumnTransformer, TransformedTargetRegressor, make_column_selector
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils._metadata_requests import MetadataRequest, MethodMetadataRequest

from nonet.persist.codecs.instances import PLAIN, ClassRule

# Its owner refers to it: the owner is set when that is made.
_WITHOUT_OWNER = ClassRule(left_out=("owner",))

RULES = {
    ColumnTransformer: PLAIN,
    FeatureUnion: PLAIN,
    MetadataRequest: _WITHOUT_OWNER,
    MethodMetadataRequest: _WITHOUT_OWNER,
    Pipeline: PLAIN,
    TransformedTargetRegressor: PLAIN,
    make_column_selector: PLAIN,
}
