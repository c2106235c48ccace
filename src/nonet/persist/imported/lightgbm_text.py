"""LightGBM's text format: blocks of ``name=value`` lines, one per tree.

Inner nodes and leaves are numbered apart; a child below 0 is leaf ``~child``. The bits of a
decision type: 1 for a split of categories, 2 missing values go left, 4 and 8 what is missing
(nothing, zeros, NaN).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet._base.errors import ModelFileError, show
from nonet.persist.imported.imported_tree import ImportedTree

_CATEGORY, _DEFAULT_LEFT = 1, 2
_NOTHING, _ZEROS = 0, 1  # what is missing
_MAX_NODES = 1 << 24
_VERSIONS = ("v2", "v3", "v4")  # of LightGBM 2 to 4


@dataclass(frozen=True)
class LightGBMModel:
    """What a text of LightGBM holds.

    Attributes
    ----------
    objective : str
        Its name; empty for an objective of the user.
    options : dict of str to str
        The options behind the name.
    n_classes, n_columns, trees_per_round : int
    names : list of str
        The names of the columns.
    averages : bool
        Whether predictions are the mean of rounds (random forests), not their sum.
    trees : list of ImportedTree
    categories : list of list
        The categories of pandas columns, in the order of the columns of categories.
    parameters : dict of str to str
        The parameters of the training.
    """

    objective: str
    options: dict[str, str]
    n_classes: int
    n_columns: int
    trees_per_round: int
    names: list[str]
    averages: bool
    trees: list[ImportedTree]
    categories: list[list[Any]]
    parameters: dict[str, str] = field(default_factory=dict)


def read_lightgbm_text(text: str) -> LightGBMModel:
    """Read a model text of LightGBM.

    Parameters
    ----------
    text : str
        What ``Booster.save_model`` writes and ``Booster.model_to_string`` returns.

    Returns
    -------
    model : LightGBMModel

    Raises
    ------
    ModelFileError
        If it is no such text, or holds something that nonet's trees cannot do.
    """
    head, *blocks = text.partition("\nend of trees")[0].split("\nTree=")
    facts = _read_lines(head)
    if not head.startswith("tree") or "max_feature_idx" not in facts:
        raise ModelFileError(
            "this is no model text of LightGBM; give what Booster.save_model has written."
        )
    if facts.get("version", _VERSIONS[0]) not in _VERSIONS:
        raise ModelFileError(
            f"the model text of LightGBM has the version {show(facts['version'])}, but only "
            f"{' and '.join(_VERSIONS)} can be read; save it with LightGBM 4, or update nonet."
        )
    try:
        return _read_model(text, facts, blocks)
    except (ValueError, KeyError, IndexError, OverflowError) as why:
        if isinstance(why, ModelFileError):
            raise
        raise ModelFileError(f"the model text of LightGBM is damaged ({why!r}).") from why


def _read_model(text: str, facts: Mapping[str, str], blocks: list[str]) -> LightGBMModel:
    objective, *options = facts.get("objective", "").split(" ")
    named = dict(option.partition(":")[::2] for option in options)
    _, _, behind = text.partition("\npandas_categorical:")
    return LightGBMModel(
        objective=objective,
        options=named,
        n_classes=int(facts["num_class"]),
        n_columns=int(facts["max_feature_idx"]) + 1,
        trees_per_round=int(facts["num_tree_per_iteration"]),
        names=facts.get("feature_names", "").split(" "),
        averages="average_output" in head_lines(text),
        trees=[_read_tree(_read_lines(block)) for block in blocks],
        categories=json.loads(behind.strip() or "null") or [],
        parameters=_read_parameters(text),
    )


def head_lines(text: str) -> list[str]:
    """Return the lines before the first tree."""
    return text.partition("\nTree=")[0].splitlines()


def _read_lines(block: str) -> dict[str, str]:
    return dict(line.partition("=")[::2] for line in block.splitlines() if "=" in line)


def _read_parameters(text: str) -> dict[str, str]:
    _, _, behind = text.partition("\nparameters:")
    lines = behind.partition("\nend of parameters")[0].splitlines()
    pairs = (line.strip("[]").partition(": ")[::2] for line in lines if line.startswith("["))
    return {name.rstrip(":"): value for name, value in pairs}


# ---- Trees -------------------------------------------------------------------------------------


def _numbers(facts: Mapping[str, str], name: str, kind: type, n: int) -> Array:
    numbers: Array = np.array(facts.get(name, "").split(), dtype=kind)
    if len(numbers) != n:
        raise ModelFileError(
            f"the model text of LightGBM is damaged: {name} has {len(numbers)} numbers, not {n}."
        )
    return numbers


def _read_tree(facts: Mapping[str, str]) -> ImportedTree:
    n_leaves = int(facts["num_leaves"])
    if not 1 <= n_leaves <= _MAX_NODES:
        raise ModelFileError(f"a tree of the model has {n_leaves} leaves.")
    if facts.get("is_linear", "0").strip() != "0":
        raise ModelFileError(
            "the model has linear models in its leaves, which nonet's trees do not have; fit it "
            "with linear_tree=False."
        )
    leaf_values = _numbers(facts, "leaf_value", float, n_leaves)
    if n_leaves == 1:
        return _single_leaf(leaf_values, facts)
    n_inner = n_leaves - 1
    kinds = _numbers(facts, "decision_type", int, n_inner)
    thresholds = _numbers(facts, "threshold", float, n_inner)
    children = [_numbers(facts, name, int, n_inner) for name in ("left_child", "right_child")]
    ends = np.full(n_leaves, -1)
    left, right = (np.append(np.where(c < 0, n_inner + ~c, c), ends) for c in children)
    columns = np.append(_numbers(facts, "split_feature", int, n_inner), np.zeros(n_leaves, int))
    is_category = (kinds & _CATEGORY) != 0
    rows = _joined(facts, "internal_count", "leaf_count", n_inner, n_leaves)
    return ImportedTree(
        left,
        right,
        columns,
        np.append(np.where(is_category, 0.0, thresholds), np.zeros(n_leaves)),
        np.append(_missing_left(kinds, thresholds), np.zeros(n_leaves, bool)),
        np.append(np.zeros(n_inner), leaf_values),
        np.append(_numbers(facts, "split_gain", float, n_inner), np.zeros(n_leaves)),
        _joined(facts, "internal_weight", "leaf_weight", n_inner, n_leaves),
        rows.astype(np.int64),
        _category_sets(facts, is_category, thresholds),
    )


def _single_leaf(values: Floats, facts: Mapping[str, str]) -> ImportedTree:
    none, nothing = np.array([-1]), np.zeros(1)
    rows = np.array([float(word) for word in facts.get("leaf_count", "0").split()[:1] or ["0"]])
    return ImportedTree(
        none, none, none * 0, nothing, nothing > 0, values, nothing, rows, rows.astype(int), {}
    )


def _joined(
    facts: Mapping[str, str], inner: str, leaves: str, n_inner: int, n_leaves: int
) -> Floats:
    """Return numbers of inner nodes and of leaves; 0 where an old text has none."""
    parts = [
        _numbers(facts, name, float, n) if facts.get(name) else np.zeros(n)
        for name, n in ((inner, n_inner), (leaves, n_leaves))
    ]
    return np.concatenate(parts)


def _missing_left(kinds: Array, thresholds: Floats) -> Array:
    """Return where NaN goes: with 0 where nothing was missing in the training."""
    what = (kinds >> 2) & 3
    is_category = (kinds & _CATEGORY) != 0
    by_default = (kinds & _DEFAULT_LEFT) != 0
    zero_goes_left = thresholds >= 0
    if ((what == _ZEROS) & ~is_category & (by_default != zero_goes_left)).any():
        raise ModelFileError(
            "the model takes zeros for missing values, which nonet's trees do not; fit it with "
            "zero_as_missing=False."
        )
    found: Array = np.where(what == _NOTHING, zero_goes_left, by_default) & ~is_category
    return found


def _category_sets(
    facts: Mapping[str, str], is_category: Array, thresholds: Floats
) -> dict[int, Array]:
    if not is_category.any():
        return {}
    ends = np.array(facts["cat_boundaries"].split(), dtype=np.int64)
    words = np.array(facts["cat_threshold"].split(), dtype=np.uint32)
    if (np.diff(ends) < 0).any() or ends[0] != 0 or ends[-1] != len(words):
        raise ModelFileError("the model text of LightGBM is damaged: sets of categories overlap.")
    found = {}
    for node in np.flatnonzero(is_category).tolist():
        position = int(thresholds[node])
        if not 0 <= position < len(ends) - 1:
            raise ModelFileError("the model text of LightGBM is damaged: a set is missing.")
        found[node] = codes_of_bits(words[ends[position] : ends[position + 1]])
    return found


def codes_of_bits(words: Array) -> Array:
    """Return the positions of the bits that are set in words of 32 bits.

    Examples
    --------
    >>> codes_of_bits(np.array([5, 1], dtype=np.uint32))
    array([ 0,  2, 32])
    """
    bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
    return np.flatnonzero(bits)
