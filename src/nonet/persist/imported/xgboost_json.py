"""XGBoost's JSON format: a document with one object of arrays per tree.

Inner nodes send ``float32(x) < condition`` left, and the categories of their set right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import ModelFileError
from nonet.persist.imported.imported_tree import ImportedTree
from nonet.persist.imported.single_precision import thresholds_without_rounding

_LEAF = -1
_NEWEST = 3  # version whose documents have been read


@dataclass(frozen=True)
class XGBoostModel:
    """What a document of XGBoost holds.

    Attributes
    ----------
    objective : str
    options : dict of str to str
        The options of the objective.
    base_score : ndarray of float32
        Before the first round, on the scale of predictions.
    n_classes, n_targets, n_columns : int
    names : list of str
        Empty if the columns have none.
    rounds : list of lists of ImportedTree
        One tree per score.
    best_iteration : int or None
    levels : dict of int to list
        For columns of categories, what their codes stand for.
    """

    objective: str
    options: dict[str, str]
    base_score: Floats
    n_classes: int
    n_targets: int
    n_columns: int
    names: list[str]
    rounds: list[list[ImportedTree]]
    best_iteration: int | None
    levels: dict[int, list[Any]]


def read_xgboost_json(text: str | bytes | bytearray) -> XGBoostModel:
    """Read a model document of XGBoost.

    Parameters
    ----------
    text : str or bytes
        What ``Booster.save_model("model.json")`` writes.

    Returns
    -------
    model : XGBoostModel

    Raises
    ------
    ModelFileError
        If it is no such document, or holds something that nonet's trees cannot do.
    """
    try:
        document = json.loads(text)
        learner = document["learner"]
        booster = learner["gradient_booster"]
    except (ValueError, KeyError, TypeError, RecursionError) as why:
        raise ModelFileError(
            "this is no JSON document of XGBoost; give what Booster.save_model('model.json') has "
            "written (a .ubj file is another format)."
        ) from why
    try:
        _check_version(document.get("version", [_NEWEST]))
        return _read_learner(learner, booster)
    except (ValueError, KeyError, IndexError, TypeError, OverflowError) as why:
        if isinstance(why, ModelFileError):
            raise
        raise ModelFileError(f"the model document of XGBoost is damaged ({why!r}).") from why


def _check_version(version: list[int]) -> None:
    if version[0] > _NEWEST:
        raise ModelFileError(
            f"the model document is of XGBoost {'.'.join(map(str, version))}, but only those up to "
            f"version {_NEWEST} can be read; save it with XGBoost {_NEWEST}, or update nonet."
        )


def _read_learner(learner: Mapping[str, Any], booster: Mapping[str, Any]) -> XGBoostModel:
    facts, objective = learner["learner_model_param"], learner["objective"]
    model, factors = _trees_of(booster)
    n_columns = int(facts["num_feature"])
    trees = [_read_tree(tree, n_columns) for tree in model["trees"]]
    if factors is not None:
        trees = [tree.scaled(float(f)) for tree, f in zip(trees, factors, strict=True)]
    n_classes, n_targets = int(facts.get("num_class", 0)), int(facts.get("num_target", 1))
    n_scores = max(n_classes, n_targets, 1)
    options = {
        name: value
        for part in objective.values()
        if isinstance(part, Mapping)
        for name, value in part.items()
    }
    levels = _read_levels(model.get("cats", {}))
    best = learner.get("attributes", {}).get("best_iteration")
    n_parallel = int(model["gbtree_model_param"].get("num_parallel_tree", 1))
    return XGBoostModel(
        objective=objective["name"],
        options=options,
        base_score=_read_base_score(facts.get("base_score", "0.5"), n_scores),
        n_classes=n_classes,
        n_targets=n_targets,
        n_columns=n_columns,
        names=list(learner.get("feature_names", [])),
        rounds=_in_rounds(_turned_round(trees, levels), model["tree_info"], n_scores),
        best_iteration=None if best is None else (int(best) + 1) * n_parallel,
        levels=levels,
    )


def _trees_of(booster: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[float] | None]:
    """Return the part with the trees, and the factors of DART."""
    if booster["name"] == "gbtree":
        return booster["model"], None
    if booster["name"] == "dart":
        return booster["gbtree"]["model"], booster["weight_drop"]
    raise ModelFileError(
        f"the booster of the model is {booster['name']!r}, but only trees can be read: 'gbtree' "
        "and 'dart'."
    )


def _read_base_score(given: Any, n_scores: int) -> Floats:
    """Return one number per score; newer documents hold a list of numbers."""
    with np.errstate(over="ignore"):  # to infinity, which is refused with the link
        scores = np.atleast_1d(np.array(json.loads(str(given)))).astype(np.float32)
    return np.broadcast_to(scores, (n_scores,)).astype(np.float32)


def _turned_round(trees: list[ImportedTree], levels: Mapping[int, list[Any]]) -> list[ImportedTree]:
    """Return trees with the codes that go left, all those of a column that do not go right."""
    n_codes = {column: len(of_column) for column, of_column in levels.items()}
    for tree in trees:
        for node, codes in tree.left_categories.items():
            column = int(tree.column[node])
            n_codes[column] = max(n_codes.get(column, 0), int(codes.max(initial=-1)) + 1)
    return [
        replace(
            tree,
            left_categories={
                node: np.setdiff1d(np.arange(n_codes[int(tree.column[node])]), codes)
                for node, codes in tree.left_categories.items()
            },
        )
        for tree in trees
    ]


def _in_rounds(
    trees: list[ImportedTree], score_of_tree: list[int], n_scores: int
) -> list[list[ImportedTree]]:
    """Return rounds of one tree per score; parallel trees of a round make several rounds."""
    by_score: list[list[ImportedTree]] = [[] for _ in range(n_scores)]
    for tree, score in zip(trees, score_of_tree, strict=True):
        by_score[score].append(tree)
    return [list(row) for row in zip(*by_score, strict=True)]


def _read_levels(cats: Mapping[str, Any]) -> dict[int, list[Any]]:
    """Return what codes stand for, of columns that were categories of a frame."""
    found: dict[int, list[Any]] = {}
    for column, part in enumerate(cats.get("enc", [])):
        values, offsets = part.get("values", []), part.get("offsets")
        if offsets is None:
            found[column] = list(values)
        elif len(offsets) > 1:
            text = bytes(int(one) & 0xFF for one in values)
            ends = pairwise(offsets)
            found[column] = [text[first:end].decode() for first, end in ends]
    return {column: levels for column, levels in found.items() if levels}


# ---- Trees -------------------------------------------------------------------------------------


def _read_tree(tree: Mapping[str, Any], n_columns: int) -> ImportedTree:
    if int(tree["tree_param"].get("size_leaf_vector", "1") or 1) > 1:
        raise ModelFileError(
            "the leaves of the model hold several outputs, which cannot be read; fit it with "
            "multi_strategy='one_output_per_tree'."
        )
    left = np.array(tree["left_children"], dtype=np.int64)
    is_leaf = left == _LEAF
    conditions = np.array(tree["split_conditions"], dtype=np.float32)
    hessians = np.array(tree["sum_hessian"], dtype=np.float64)
    return ImportedTree(
        left,
        np.array(tree["right_children"], dtype=np.int64),
        np.array(tree["split_indices"], dtype=np.int64),
        thresholds_without_rounding(np.where(is_leaf, 0, conditions), is_strict=True),
        np.array(tree["default_left"], dtype=bool),
        np.where(is_leaf, conditions, 0).astype(np.float64),
        np.array(tree["loss_changes"], dtype=np.float64),
        hessians,
        np.rint(hessians).astype(np.int64),
        _category_sets(tree),
    )


def _category_sets(tree: Mapping[str, Any]) -> dict[int, Array]:
    """Return the codes that go right; `_turned_round` makes those of the left of them."""
    codes = np.array(tree.get("categories", []), dtype=np.int64)
    starts, sizes = tree.get("categories_segments", []), tree.get("categories_sizes", [])
    nodes = tree.get("categories_nodes", [])
    return {
        int(node): codes[first : first + size]
        for node, first, size in zip(nodes, starts, sizes, strict=True)
    }
