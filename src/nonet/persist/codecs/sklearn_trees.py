"""The trees of scikit-learn: arrays with one entry per node, checked before they are rebuilt.

scikit-learn walks down a tree without bounds checks. A tree is made here only if every child comes
after its parent and has no other, every split is on a column that exists, and every value is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree._tree import Tree

from nonet._base.aliases import Array
from nonet.persist.codecs.codec import Codec, Record
from nonet.persist.codecs.sklearn_objects import check_may_read

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_LEAF = -1
_MAX_COLUMNS = (1 << 31) - 1
_NODE_FIELDS = Tree(1, np.array([1]), 1).__getstate__()["nodes"].dtype
_BITSET_WORDS = 8


def is_tree(left: Array, right: Array, is_leaf: Array) -> bool:
    """Return whether children come after their parents, and every node but the root has one.

    Parameters
    ----------
    left, right : array of int of shape (n_nodes,)
        Children of each node; those of leaves are not read.
    is_leaf : array of bool of shape (n_nodes,)
        Which nodes are leaves.

    Examples
    --------
    >>> is_leaf = np.array([False, True, True])
    >>> is_tree(np.array([1, 0, 0]), np.array([2, 0, 0]), is_leaf)
    True
    >>> is_tree(np.array([1, 0, 0]), np.array([0, 0, 0]), is_leaf)
    False
    """
    inner = np.flatnonzero(~is_leaf)
    children = np.concatenate([left[inner], right[inner]]).astype(np.int64)
    parents = np.concatenate([inner, inner])
    if not np.all(children > parents) or not np.all(children < len(left)):
        return False
    return bool(np.array_equal(np.sort(children), np.arange(1, len(left))))


def _depth(left: Array, right: Array, is_leaf: Array) -> int:
    """Return the number of splits above the deepest leaf."""
    level, depth = np.array([0]), 0
    while True:
        inner = level[~is_leaf[level]]
        if not inner.size:
            return depth
        level, depth = np.concatenate([left[inner], right[inner]]), depth + 1


# ---- Trees and forests -------------------------------------------------------------------------


def _encode_tree(tree: Tree, out: Encoder) -> Record:
    out.uses_sklearn = True
    state = tree.__getstate__()
    nodes = state["nodes"]
    return {
        "n_features": int(tree.n_features),
        "n_classes": [int(n) for n in np.atleast_1d(tree.n_classes)],
        "nodes": _encode_fields(nodes, out),
        "values": out.value(state["values"]),
    }


def _encode_fields(nodes: Array, out: Encoder) -> dict[str, Any]:
    names = nodes.dtype.names or ()
    return {name: out.value(np.ascontiguousarray(nodes[name])) for name in names}


def _decode_tree(record: Record, source: Decoder) -> Tree:
    check_may_read(source)
    n_features = source.number(record.get("n_features"), 1, _MAX_COLUMNS)
    sizes = source.sequence(record.get("n_classes"))
    n_classes = np.array([source.number(n, 1, 1 << 31) for n in sizes], dtype=np.intp)
    nodes = _decode_fields(record, _NODE_FIELDS, source)
    values = source.field(record, "values")
    is_leaf = nodes["left_child"] == _LEAF
    if not len(n_classes) or not is_tree(nodes["left_child"], nodes["right_child"], is_leaf):
        raise source.damaged("the nodes of a tree in it do not form a tree")
    if np.any(nodes["right_child"][is_leaf] != _LEAF):
        raise source.damaged("a leaf of a tree in it has a child")
    columns = nodes["feature"][~is_leaf]
    if np.any(columns < 0) or np.any(columns >= n_features):
        raise source.damaged("a tree in it splits a column that does not exist")
    shape = (len(nodes), len(n_classes), int(n_classes.max()))
    if type(values) is not np.ndarray or values.dtype != np.float64 or values.shape != shape:
        raise source.damaged("the values of a tree in it do not fit its nodes")
    tree = Tree(n_features, n_classes, len(n_classes))
    tree.__setstate__(
        {
            # Computed, not read: decision_path takes its memory by this number.
            "max_depth": _depth(nodes["left_child"], nodes["right_child"], is_leaf),
            "node_count": len(nodes),
            "nodes": nodes,
            "values": np.ascontiguousarray(values),
        }
    )
    return tree


def _decode_fields(record: Record, dtype: np.dtype, source: Decoder) -> Array:
    """Return the nodes of a tree, if there is an array of the right dtype for each field."""
    given = source.mapping(record.get("nodes"))
    names = dtype.names or ()
    if set(given) != set(names):
        raise source.damaged("the nodes of a tree in it have other fields than known")
    fields = {name: source.value(given[name]) for name in names}
    if not all(type(field) is np.ndarray and field.ndim == 1 for field in fields.values()):
        raise source.damaged("the fields of a tree in it are not arrays")
    n_nodes = len(fields[names[0]])
    for name, field in fields.items():
        if len(field) != n_nodes or n_nodes < 1 or field.dtype != dtype[name]:
            raise source.damaged("the fields of a tree in it do not fit each other")
    nodes = np.zeros(n_nodes, dtype=dtype)
    for name, field in fields.items():
        nodes[name] = field
    return nodes


# ---- Histogram gradient boosting ---------------------------------------------------------------


def _encode_predictor(predictor: TreePredictor, out: Encoder) -> Record:
    out.uses_sklearn = True
    return {
        "nodes": _encode_fields(predictor.nodes, out),
        "binned": out.value(predictor.binned_left_cat_bitsets),
        "raw": out.value(predictor.raw_left_cat_bitsets),
    }


def _decode_predictor(record: Record, source: Decoder) -> TreePredictor:
    check_may_read(source)
    nodes = _decode_fields(record, PREDICTOR_RECORD_DTYPE, source)
    is_leaf = nodes["is_leaf"] != 0
    if not is_tree(nodes["left"], nodes["right"], is_leaf):
        raise source.damaged("the nodes of a tree in it do not form a tree")
    if np.any(nodes["feature_idx"][~is_leaf] < 0):
        raise source.damaged("a tree in it splits a column that does not exist")
    bitsets = [source.field(record, name) for name in ("binned", "raw")]
    is_category = ~is_leaf & (nodes["is_categorical"] != 0)
    n_sets = int(nodes["bitset_idx"][is_category].max(initial=0)) + bool(is_category.any())
    if not all(_are_bitsets(bits, n_sets) for bits in bitsets):
        raise source.damaged("a tree in it names a category set that is not there")
    return TreePredictor(nodes, *bitsets)


def _are_bitsets(bits: Any, n_sets: int) -> bool:
    is_array = type(bits) is np.ndarray and bits.dtype == np.uint32 and bits.ndim == 2
    return bool(is_array and bits.shape[1] == _BITSET_WORDS and len(bits) >= n_sets)


CODECS = (
    Codec("sklearn_tree", (Tree,), _encode_tree, _decode_tree),
    Codec("sklearn_predictor", (TreePredictor,), _encode_predictor, _decode_predictor),
)
