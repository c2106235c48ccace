"""Shapley values of single predictions, and Shapley interactions of pairs of columns.

Scores are explained before any link: log-odds for a booster of two classes, probabilities for a
tree or a forest.

References
----------
S. Lundberg, G. Erion, S. Lee, "Consistent individualized feature attribution for tree ensembles",
arXiv:1802.03888, 2018.

P. Yu, C. Xu, A. Bifet, J. Read, "Linear TreeShap", *Advances in Neural Information Processing
Systems* 35, 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.results import PlottableResult, Result
from nonet._native.explain import shap_interactions as native_interactions
from nonet._native.explain import shap_values as native_values
from nonet.trees.columns import predict_in_blocks
from nonet.trees.export import resolve_column_names
from nonet.trees.score_trees import score_trees_of


@dataclass(frozen=True)
class ShapValues(PlottableResult):
    """Shapley values: contributions of the columns to each prediction.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features, n_scores)
        Contribution of each column; without the last axis for a regressor, or a booster with one
        score.
    base : ndarray of shape (n_scores,)
        Mean score in training, to which the contributions of a row are added; a number if there is
        no axis of scores.
    names : tuple of str
        Names of the columns.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.trees import ShapValues
    >>> contributions = ShapValues(np.array([[1.0, -0.5]]), base=np.array(2.0), names=("a", "b"))
    >>> contributions.base + contributions.values.sum(axis=1)
    array([2.5])
    """

    values: Floats
    base: Floats
    names: tuple[str, ...]

    _shown: ClassVar[tuple[str, ...]] = ("values", "base")
    _plot: ClassVar[str] = "plot_shap_values"

    @property
    def importances(self) -> Floats:
        """Mean absolute contribution of each column over rows, summed over the scores."""
        sizes = np.abs(self.values).mean(axis=0)
        importances: Floats = sizes if sizes.ndim == 1 else sizes.sum(axis=1)
        return importances


@dataclass(frozen=True)
class ShapInteractions(Result):
    """Shapley interactions: contributions of pairs of columns to each prediction.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features, n_features, n_scores)
        Half of the interaction of a pair in each of its two entries, and on the diagonal the effect
        of a column alone; rows sum to Shapley values. Without the last axis for a regressor, or a
        booster with one score.
    base : ndarray of shape (n_scores,)
        Mean score in training; a number if there is no axis of scores.
    names : tuple of str
        Names of the columns.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, shap_interactions
    >>> X, y = [[0, 0], [1, 0], [0, 1], [1, 1]], [0, 0, 0, 4]
    >>> shap_interactions(DecisionTreeRegressor().fit(X, y), [[1, 1]]).values.round(9).tolist()
    [[[1.0, 0.5], [0.5, 1.0]]]
    """

    values: Floats
    base: Floats
    names: tuple[str, ...]

    _shown: ClassVar[tuple[str, ...]] = ("values", "base")


def shap_values(model: Any, X: Any) -> ShapValues:
    """Return the exact Shapley values of the scores of a tree model.

    The worth of a set of columns is the mean score when rows follow the splits on these columns
    and go both ways, in proportion to the training rows, at all others. The cost of a row is a few
    operations per node.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows to explain.

    Returns
    -------
    result : ShapValues
        Base and contributions. They sum to ``predict_proba`` of a classification tree or forest, to
        ``predict`` of a regression one, and to the scores of a booster: its ``decision_function``,
        or the link of its ``predict``.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor
    >>> from nonet.trees import shap_values
    >>> tree = DecisionTreeRegressor().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 2, 4, 6])
    >>> result = shap_values(tree, [[1, 0]])
    >>> float(result.base), result.values.round(9).tolist()
    (3.0, [[1.0, -2.0]])
    """
    parts = score_trees_of(model, "shap_values")
    blocks = predict_in_blocks(
        lambda rows: parts.sum_up(lambda trees: native_values(trees, rows, parts.cover)),
        model._check_rows(X),
    )
    return ShapValues(
        np.concatenate(blocks), parts.base(), tuple(resolve_column_names(model, None))
    )


def shap_interactions(model: Any, X: Any) -> ShapInteractions:
    """Return the exact Shapley interactions of the scores of a tree model.

    The interaction of a pair is the joint effect of its two columns beyond their single effects:
    half of the Shapley interaction index of M. Grabisch and M. Roubens (1999) in each of its two
    entries.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows to explain; the result has n_features squared numbers for each.

    Returns
    -------
    result : ShapInteractions
        Base and contributions of pairs; for each row and column they sum to the Shapley value.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, shap_interactions
    >>> tree = DecisionTreeRegressor().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 2, 4, 6])
    >>> shap_interactions(tree, [[1, 0]]).values.round(9).tolist()
    [[[1.0, 0.0], [0.0, -2.0]]]
    """
    parts = score_trees_of(model, "shap_interactions")
    blocks = predict_in_blocks(
        lambda rows: parts.sum_up(lambda trees: native_interactions(trees, rows, parts.cover)),
        model._check_rows(X),
    )
    return ShapInteractions(
        np.concatenate(blocks), parts.base(), tuple(resolve_column_names(model, None))
    )
