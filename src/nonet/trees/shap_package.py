"""Models and their Shapley values in the form that the package shap reads.

`to_shap` describes the trees of a model as a dictionary, which ``shap.TreeExplainer`` takes instead
of a model. `to_explanation` needs no explainer: it puts the Shapley values of the compiled core
into a ``shap.Explanation``, which the plots of shap draw.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from nonet._base.aliases import Array, Floats
from nonet._native.tree import Tree
from nonet.losses import LogisticLoss, SquaredLoss
from nonet.trees.export import resolve_column_names
from nonet.trees.score_trees import ScoreTrees, score_trees_of
from nonet.trees.shap import shap_values


def to_shap(model: Any) -> dict[str, Any]:
    """Describe the trees of a model in the form that ``shap.TreeExplainer`` reads.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster, without category columns: shap knows splits
        at thresholds only. `shap_values` and `to_explanation` explain categories, too.

    Returns
    -------
    trees : dict
        To be given to ``shap.TreeExplainer`` instead of a model. Its Shapley values, and those
        of pairs of columns, are those of `shap_values` and `shap_interactions`; with background
        rows it computes interventional ones. ``model_output="probability"`` is possible for
        classification trees, forests and boosters of two classes, and ``model_output="log_loss"``
        for regression and boosters of two classes.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, to_shap
    >>> tree = DecisionTreeRegressor().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 2, 4, 6])
    >>> import shap
    >>> explainer = shap.TreeExplainer(to_shap(tree))
    >>> explainer(np.array([[1.0, 0.0]])).values.round(9).tolist()
    [[1.0, -2.0]]
    """
    parts = score_trees_of(model, "to_shap")
    _refuse_categories(model, parts)
    start = np.asarray(parts.start, dtype=np.float64)
    tree_output, objective = _output_and_objective(parts)
    return {
        "trees": _describe_trees(parts, len(start)),
        "base_offset": start if len(start) > 1 else float(start[0]),
        "tree_output": tree_output,
        "objective": objective,
        "input_dtype": np.float64,
        "internal_dtype": np.float64,
    }


def to_explanation(model: Any, X: Any) -> Any:
    """Return the Shapley values of a model as a ``shap.Explanation``.

    Parameters
    ----------
    model : estimator
        A fitted tree, a forest, or a gradient booster.
    X : array-like or sparse matrix of shape (n_samples, n_features)
        Rows to explain.

    Returns
    -------
    explanation : shap.Explanation
        ``values`` and ``base_values`` as `shap_values` has them, ``data`` with the rows,
        ``feature_names``, and ``output_names`` with the classes if there is a score for each.
        Categories are codes in ``data`` and themselves in ``display_data``, which plots label rows
        with.

    Examples
    --------
    >>> from nonet import DecisionTreeRegressor, to_explanation
    >>> tree = DecisionTreeRegressor().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 2, 4, 6])
    >>> explanation = to_explanation(tree, [[1, 0]])
    >>> explanation.values.round(9).tolist(), explanation.base_values.tolist()
    ([[1.0, -2.0]], [3.0])
    """
    explanation = _import_shap().Explanation
    parts = score_trees_of(model, "to_explanation")
    found = shap_values(model, X)
    rows = model._check_rows(X)
    return explanation(
        found.values,
        base_values=np.broadcast_to(found.base, (len(found.values), *found.base.shape)).copy(),
        data=rows.toarray() if issparse(rows) else np.asarray(rows),
        display_data=np.asarray(X, dtype=object) if parts.categories else None,
        feature_names=list(found.names),
        output_names=None if parts.is_number else [str(label) for label in model.classes_],
    )


def _import_shap() -> Any:
    try:
        import shap
    except ImportError as missing:
        raise ImportError(
            "to_explanation needs the package shap, which is not installed; run `pip install "
            "shap`, or use nonet.shap_values, which has the same numbers."
        ) from missing
    return shap


def _refuse_categories(model: Any, parts: ScoreTrees) -> None:
    if parts.categories:
        names = resolve_column_names(model, None)
        columns = ", ".join(repr(names[j]) for j in sorted(parts.categories))
        raise ValueError(
            "to_shap describes splits at thresholds, but this "
            f"{type(model).__name__} splits the categories of {columns}; use nonet.to_explanation "
            "or nonet.shap_values, which explain categories, or fit on encoded columns."
        )


def _output_and_objective(parts: ScoreTrees) -> tuple[str, str | None]:
    """Return what the leaves hold, and the loss that may be explained, in shap's words."""
    if parts.loss is None:
        return ("raw_value", "squared_error") if parts.is_number else ("probability", None)
    if parts.is_number and isinstance(parts.loss, LogisticLoss):
        return "log_odds", "binary_crossentropy"
    return "raw_value", "squared_error" if isinstance(parts.loss, SquaredLoss) else None


def _describe_trees(parts: ScoreTrees, n_scores: int) -> list[dict[str, Array]]:
    """Describe all trees, with a value for every score: 0 for those of other groups."""
    described, first = [], 0
    for group in parts.groups:
        scores = slice(first, first + group[0].n_outputs)
        described += [_describe_tree(tree, parts, scores, n_scores) for tree in group]
        first = scores.stop
    return described


def _describe_tree(tree: Tree, parts: ScoreTrees, scores: slice, n_scores: int) -> dict[str, Array]:
    nodes = tree.arrays()
    left, right = nodes["left"], nodes["right"]
    values: Floats = np.zeros((tree.n_nodes, n_scores))
    values[:, scores] = parts.scale * nodes["values"].reshape(tree.n_nodes, -1)
    return {
        "children_left": left,
        "children_right": right,
        "children_default": np.where(nodes["missing_left"], left, right),
        "features": nodes["column"],
        "thresholds": nodes["threshold"],
        "values": values,
        "node_sample_weight": nodes[parts.cover].astype(np.float64),
    }
