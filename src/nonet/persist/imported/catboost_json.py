"""CatBoost's JSON format: a document with the features, and one object per tree.

A row goes right where ``float32(x) > border``, or where a category has the hash of the split.
Symmetric trees list one split per level; bit i of the position of a leaf is the side of split i.
Other trees are nested objects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import ModelFileError, show
from nonet.persist.imported.imported_tree import ImportedTree
from nonet.persist.imported.single_precision import thresholds_without_rounding

_LEAF = -1
_MAX_DEPTH = 24  # CatBoost's own limit is 16
_MISSING_GOES_RIGHT = {"AsFalse": False, "AsIs": False, "AsTrue": True}


@dataclass(frozen=True)
class CatBoostTree:
    """One tree, and the hashes of the categories that go right.

    Attributes
    ----------
    tree : ImportedTree
        Without sets of categories.
    hashes : dict of int to int
        For nodes that split by a category, its hash of 32 bits.
    """

    tree: ImportedTree
    hashes: dict[int, int]


@dataclass(frozen=True)
class CatBoostModel:
    """What a document of CatBoost holds.

    Attributes
    ----------
    loss : str
        The loss function.
    options : dict of str to str
        Its options.
    class_names : list
        The labels; empty without classes.
    bias : ndarray of shape (n_scores,)
        What the sums of trees are added to.
    n_columns : int
    names : list of str
        Empty if the columns have none.
    hashes : dict of int to set of int
        For each column of categories, the hashes of those that splits name.
    trees : list of CatBoostTree
    params : dict
        The parameters of the training.
    """

    loss: str
    options: dict[str, str]
    class_names: list[Any]
    bias: Floats
    n_columns: int
    names: list[str]
    hashes: dict[int, set[int]]
    trees: list[CatBoostTree]
    params: dict[str, Any]


def read_catboost_json(text: str | bytes) -> CatBoostModel:
    """Read a model document of CatBoost.

    Parameters
    ----------
    text : str or bytes
        What ``save_model("model.json", format="json")`` writes.

    Returns
    -------
    model : CatBoostModel

    Raises
    ------
    ModelFileError
        If it is no such document, or holds something that nonet's trees cannot do.
    """
    try:
        document = json.loads(text)
        features, bias = document["features_info"], document["scale_and_bias"]
    except (ValueError, KeyError, TypeError, RecursionError) as why:
        raise ModelFileError(
            "this is no JSON document of CatBoost; give what save_model('model.json', "
            "format='json') has written (a .cbm file is another format)."
        ) from why
    try:
        return _read_document(document, features, bias)
    except (
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        OverflowError,
        MemoryError,
    ) as why:
        if isinstance(why, ModelFileError):
            raise
        raise ModelFileError(f"the model document of CatBoost is damaged ({show(why)}).") from why


def _read_document(
    document: Mapping[str, Any], features: Mapping[str, Any], scale_and_bias: Sequence[Any]
) -> CatBoostModel:
    _check_features(document, features)
    columns = _read_columns(features)
    bias = np.atleast_1d(np.array(scale_and_bias[1], dtype=np.float64))
    scale = float(scale_and_bias[0])
    if not np.isfinite([scale, *bias]).all() or bias.ndim != 1:
        raise ModelFileError("the model document of CatBoost is damaged: its bias is no number.")
    trees = [_read_tree(tree, columns, scale, len(bias)) for tree in _trees_of(document)]
    info = document.get("model_info", {})
    loss = info.get("params", {}).get("loss_function", {})
    return CatBoostModel(
        loss=str(loss.get("type", "")),
        options={name: str(value) for name, value in loss.get("params", {}).items()},
        class_names=list(info.get("class_params", {}).get("class_names", [])),
        bias=bias,
        n_columns=columns.count,
        names=columns.names,
        hashes={column: set() for column in columns.categories.values()} | _hashes_by_column(trees),
        trees=trees,
        params=info.get("params", {}),
    )


def _check_features(document: Mapping[str, Any], features: Mapping[str, Any]) -> None:
    """Raise if the model reads more than numbers and single categories."""
    if features.get("ctrs") or document.get("ctr_data"):
        raise ModelFileError(
            "the model turns categories into statistics of the target (CTR), which nonet's trees "
            "cannot do; fit it with a one_hot_max_size above the number of categories."
        )
    for kind in ("text_features", "embedding_features"):
        if features.get(kind):
            raise ModelFileError(
                f"the model has {kind.replace('_', ' ')}, which nonet's trees do not have; fit it "
                "on numbers."
            )


def _trees_of(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    trees = document["oblivious_trees"] if "oblivious_trees" in document else document["trees"]
    if not isinstance(trees, list):
        raise ModelFileError("the model document of CatBoost is damaged: it has no list of trees.")
    return trees


def _hashes_by_column(trees: Sequence[CatBoostTree]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for each in trees:
        for node, one in each.hashes.items():
            found.setdefault(int(each.tree.column[node]), set()).add(one)
    return found


# ---- Columns -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Columns:
    """Positions of columns among all, by their number among those of their kind."""

    count: int
    names: list[str]
    numbers: dict[int, int]
    missing_right: dict[int, bool]
    categories: dict[int, int]


def _read_columns(features: Mapping[str, Any]) -> _Columns:
    numbers, categories = (
        features.get(kind, []) for kind in ("float_features", "categorical_features")
    )
    by_position = {int(one["flat_feature_index"]): one for one in [*numbers, *categories]}
    count = len(numbers) + len(categories)
    if sorted(by_position) != list(range(count)):
        raise ModelFileError(
            "the model document of CatBoost is damaged: its columns are not numbered from 0."
        )
    names = [str(by_position[column].get("feature_id", "")) for column in range(count)]
    made_up = all(name in ("", str(column)) for column, name in enumerate(names))
    return _Columns(
        count,
        [] if made_up else names,
        _positions(numbers),
        {int(f["feature_index"]): _goes_right(f) for f in numbers},
        _positions(categories),
    )


def _positions(features: Sequence[Mapping[str, Any]]) -> dict[int, int]:
    return {int(one["feature_index"]): int(one["flat_feature_index"]) for one in features}


def _goes_right(feature: Mapping[str, Any]) -> bool:
    return _MISSING_GOES_RIGHT[feature.get("nan_value_treatment", "AsIs")]


# ---- Trees -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    column: int
    border: float
    missing_left: bool
    hash: int | None = None


def _read_split(split: Mapping[str, Any], columns: _Columns) -> _Split:
    kind = split["split_type"]
    if kind == "FloatFeature":
        feature = int(split["float_feature_index"])
        border = float(split["border"])
        return _Split(columns.numbers[feature], border, not columns.missing_right[feature])
    if kind == "OneHotFeature":
        column = columns.categories[int(split["cat_feature_index"])]
        return _Split(column, 0.0, True, int(split["value"]) & 0xFFFFFFFF)
    raise ModelFileError(
        f"the model has splits of the type {show(kind)}, which nonet's trees do not have."
    )


def _read_tree(
    tree: Mapping[str, Any], columns: _Columns, scale: float, n_scores: int
) -> CatBoostTree:
    if "leaf_values" in tree:
        left, right, splits, values, weights = _read_symmetric(tree, columns, n_scores)
    else:
        left, right, splits, values, weights = _read_nested(tree, columns, n_scores)
    if not np.isfinite(values).all() or not np.isfinite(weights).all() or (weights < 0).any():
        raise ModelFileError(
            "the model document of CatBoost is damaged: a leaf has no value or no weight."
        )
    inner = np.flatnonzero(left != _LEAF)
    column, border = np.zeros(len(left), dtype=np.int64), np.zeros(len(left))
    missing_left = np.zeros(len(left), dtype=bool)
    for node in inner.tolist():
        split = splits[node]
        column[node], border[node] = split.column, split.border
        missing_left[node] = split.missing_left
    values = values * scale
    weights, gains = _add_up(left, right, values, weights)
    read = ImportedTree(
        left,
        right,
        column,
        thresholds_without_rounding(border.astype(np.float32)),
        missing_left,
        values[:, 0] if n_scores == 1 else values,
        gains,
        weights,
        np.rint(weights).astype(np.int64),
        {},
    )
    hashes = {node: splits[node].hash for node in inner.tolist()}
    return CatBoostTree(read, {node: one for node, one in hashes.items() if one is not None})


_Arrays = tuple[Array, Array, Sequence[Any], Floats, Floats]


def _read_symmetric(tree: Mapping[str, Any], columns: _Columns, n_scores: int) -> _Arrays:
    """Return children, splits, values and weights; the children of node i are 2i + 1 and 2i + 2.

    The last split is that of the root, so that leaves are in the order of the document.
    """
    levels = [_read_split(split, columns) for split in reversed(tree.get("splits") or [])]
    if len(levels) > _MAX_DEPTH:
        raise ModelFileError(f"a tree of the model has {len(levels)} levels.")
    n_leaves = 1 << len(levels)
    values = np.array(tree["leaf_values"], dtype=np.float64)
    weights = np.array(tree.get("leaf_weights") or np.zeros(n_leaves), dtype=np.float64)
    if values.shape != (n_leaves * n_scores,) or weights.shape != (n_leaves,):
        raise ModelFileError(
            f"the model document of CatBoost is damaged: a tree of {len(levels)} levels has "
            f"{values.size} values of leaves."
        )
    n_inner = n_leaves - 1
    children, ends = np.arange(n_inner) * 2, np.full(n_leaves, _LEAF)
    return (
        np.append(children + 1, ends),
        np.append(children + 2, ends),
        [split for level, split in enumerate(levels) for _ in range(1 << level)],
        np.vstack([np.zeros((n_inner, n_scores)), values.reshape(n_leaves, n_scores)]),
        np.append(np.zeros(n_inner), weights),
    )


def _read_nested(tree: Mapping[str, Any], columns: _Columns, n_scores: int) -> _Arrays:
    nodes, splits = [tree], []
    left, right = [], []
    values: list[Floats] = []
    for node in nodes:  # grows while it is read
        is_inner = "split" in node
        left.append(len(nodes) if is_inner else _LEAF)
        right.append(len(nodes) + 1 if is_inner else _LEAF)
        splits.append(_read_split(node["split"], columns) if is_inner else None)
        given = np.zeros(n_scores) if is_inner else np.atleast_1d(node["value"])
        values.append(np.asarray(given, dtype=np.float64).reshape(n_scores))
        if is_inner:
            nodes += [node["left"], node["right"]]
    weights = [0.0 if "split" in node else float(node.get("weight", 0.0)) for node in nodes]
    return np.array(left), np.array(right), splits, np.array(values), np.array(weights)


def _add_up(left: Array, right: Array, values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the weights of all nodes, and what splits explain of the variance of leaves' values.

    Documents hold no gains; these are what CatBoost counts for its own importances.
    """
    means, weights, gains = values.copy(), weights.copy(), np.zeros(len(left))
    for node in np.flatnonzero(left != _LEAF)[::-1].tolist():
        one, other = left[node], right[node]
        total = weights[one] + weights[other]
        fraction = weights[one] / total if total > 0 else 0.5
        step = means[one] - means[other]
        means[node], weights[node] = means[other] + fraction * step, total
        gains[node] = total * fraction * (1 - fraction) * (step @ step)
    return weights, gains
