"""Importance of the columns in a tree model, by gain or by the number of splits."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.params import Choice, bad_parameter
from nonet.trees.score_trees import check_has_trees

_KINDS = Choice("gain", "count")


def column_importances(model: Any, kind: str = "gain") -> Floats:
    """Return the importance of each column in a tree model, as fractions.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster.
    kind : {'gain', 'count'}, default='gain'
        By the gain of the splits (``feature_importances_``), or by their number.

    Returns
    -------
    importances : ndarray of shape (n_features,)
        Fractions that sum to 1; all 0 if there is no split.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> from nonet.trees import column_importances
    >>> tree = DecisionTreeClassifier().fit([[0, 7], [1, 7], [2, 7], [3, 7]], [0, 0, 1, 1])
    >>> column_importances(tree, kind="count")
    array([1., 0.])
    """
    check_has_trees(model, "column_importances")
    check_is_fitted(model)
    if not _KINDS.allows(kind):
        raise bad_parameter("column_importances", "kind", _KINDS.describe(), kind)
    if kind == "gain":
        gains: Floats = model.feature_importances_
        return gains
    trees = model._score_trees().trees
    counts = sum((tree.split_counts() for tree in trees), np.zeros(model.n_features_in_))
    fractions: Floats = counts / max(counts.sum(), 1.0)
    return fractions
