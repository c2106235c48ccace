"""What a tree owes to its columns: by gain, by count, and for a single row by Shapley values.

References
----------
S. Lundberg, G. Erion, S. Lee, "Consistent individualized feature attribution for tree ensembles",
arXiv:1802.03888, 2018.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nonet._base.aliases import Floats
from nonet._base.params import Choice, bad_parameter
from nonet._base.results import Result
from nonet._native_tree import shap_values as native_shap_values
from nonet.trees.columns import ask_in_blocks
from nonet.trees.export import check_one_target

_KINDS = Choice("gain", "count")


def column_importances(decision_tree: Any, kind: str = "gain") -> Floats:
    """Return the importance of each column in a fitted tree, as shares.

    Parameters
    ----------
    decision_tree : estimator
        A fitted tree.
    kind : {'gain', 'count'}, default='gain'
        By the decrease of impurity, or by the number of splits.

    Returns
    -------
    importances : ndarray of shape (n_features,)
        Shares that sum to 1; all 0 for a tree of one leaf.

    Examples
    --------
    >>> from nonet import DecisionTreeClassifier
    >>> from nonet.trees import column_importances
    >>> tree = DecisionTreeClassifier().fit([[0, 7], [1, 7], [2, 7], [3, 7]], [0, 0, 1, 1])
    >>> column_importances(tree, kind="count")
    array([1., 0.])
    """
    check_is_fitted(decision_tree)
    if not _KINDS.allows(kind):
        raise bad_parameter("column_importances", "kind", _KINDS.describe(), kind)
    view = decision_tree.tree_
    if kind == "gain":
        gains: Floats = view.compute_feature_importances()
        return gains
    counts: Floats = view._native.split_counts()
    shares: Floats = counts / max(counts.sum(), 1.0)
    return shares


@dataclass(frozen=True)
class ShapValues(Result):
    """Predictions shared among columns.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features, n_classes)
        Share of each column; without the last axis for a regressor.
    base : ndarray of shape (n_classes,)
        Mean prediction in training, to which the shares of a row are added; a number for a
        regressor.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.trees import ShapValues
    >>> shares = ShapValues(values=np.array([[1.0, -0.5]]), base=np.array(2.0))
    >>> shares.base + shares.values.sum(axis=1)
    array([2.5])
    """

    values: Floats
    base: Floats

    _shown: ClassVar[tuple[str, ...]] = ("values", "base")


def shap_values(decision_tree: Any, X: Any) -> ShapValues:
    """Share the predictions of a fitted tree among its columns, exactly.

    The worth of a set of columns is the mean prediction when rows follow the splits on these
    columns and go both ways, in proportion to the weights in training, at all others.

    Parameters
    ----------
    decision_tree : estimator
        A fitted tree.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows to explain.

    Returns
    -------
    result : ShapValues
        Base and shares; they sum to ``predict_proba`` of a classifier and to ``predict`` of a
        regressor, which has no last axis.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor
    >>> from nonet.trees import shap_values
    >>> tree = DecisionTreeRegressor().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 2, 4, 6])
    >>> result = shap_values(tree, [[1, 0]])
    >>> float(result.base), result.values.tolist()
    (3.0, [[1.0, -2.0]])
    """
    check_one_target(decision_tree, "shap_values")
    rows = decision_tree._check_rows(X, check_input=True)
    tree = decision_tree.tree_._native
    values = np.concatenate(ask_in_blocks(lambda block: native_shap_values(tree, block), rows))
    base = tree.mean_leaf_values()
    if hasattr(decision_tree, "classes_"):
        return ShapValues(values=values, base=base)
    return ShapValues(values=values[:, :, 0], base=base[0])
