"""Encoders of categories and labels: the indices of their sparse output are checked here."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import (
    LabelBinarizer,
    LabelEncoder,
    OneHotEncoder,
    OrdinalEncoder,
    TargetEncoder,
)

from nonet.persist.codecs.instances import PLAIN, STABLE, ClassRule, need


def _check_one_hot(encoder: Any) -> None:
    if "categories_" not in vars(encoder):
        return
    categories = encoder.categories_
    need(type(categories) is list and len(categories) == encoder.n_features_in_, "no categories")
    need(all(type(known) is np.ndarray and known.ndim == 1 for known in categories), "no arrays")
    sizes = [len(known) for known in categories]
    if encoder._infrequent_enabled:
        sizes = _sizes_after_joining(encoder, sizes)
    dropped = encoder._drop_idx_after_grouping
    if dropped is not None:
        need(len(dropped) == len(sizes), "columns without a dropped category")
        for position, size in zip(dropped, sizes, strict=True):
            need(position is None or 0 <= position < size, "an unknown category is dropped")
    # Made again, so that no index of the output lies beyond the last column.
    encoder._n_features_outs = encoder._compute_n_features_outs()


def _sizes_after_joining(encoder: Any, sizes: list[int]) -> list[int]:
    mappings, rare = encoder._default_to_infrequent_mappings, encoder._infrequent_indices
    need(len(mappings) == len(rare) == len(sizes), "columns without rare categories")
    joined = []
    for size, mapping, indices in zip(sizes, mappings, rare, strict=True):
        need((mapping is None) == (indices is None), "rare categories without codes")
        if mapping is None:
            joined.append(size)
            continue
        need(np.all((indices >= 0) & (indices < size)), "an unknown category is rare")
        joined.append(size - len(np.unique(indices)) + 1)
        need(len(indices) == len(np.unique(indices)), "a category is rare twice")
        need(mapping.dtype.kind in "iu" and len(mapping) == size, "categories without codes")
        need(np.all((mapping >= 0) & (mapping < joined[-1])), "a category has an unknown code")
    return joined


RULES = {
    LabelBinarizer: STABLE,
    LabelEncoder: STABLE,
    OneHotEncoder: ClassRule(restore=_check_one_hot),
    OrdinalEncoder: PLAIN,
    TargetEncoder: PLAIN,
}
