"""The bytes of many trees: every bit comes back, in a fraction of the memory."""

from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification, make_friedman1

from nonet import _core
from nonet._native.bags import ForestBags
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, grow_forest
from nonet._native.tree import Tree, TreeSum, check_agreement, tree_from_arrays
from trees.random_trees import random_tree

X, Y = make_classification(400, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)
NUMBERS = make_friedman1(400, 6, noise=1.0, random_state=0)[1]


def forest(criterion, target, *, n_draws=400, n_classes=3, weights=None, categories=(), **params):
    table = X.copy()
    for column in categories:
        table[:, column] = np.digitize(X[:, column], [-1, 0, 1])
    return grow_forest(
        BinnedDataset(table, categories=list(categories)),
        target,
        GrowParams(columns_per_split=3, **params),
        ForestBags(400, n_draws, seed=1),
        range(4),
        criterion=criterion,
        n_classes=n_classes,
        weights=weights,
    )


def there_and_back(trees):
    return _core.trees_from_bytes(_core.trees_to_bytes(trees))


WEIGHTS = np.random.default_rng(0).uniform(size=400)
FORESTS = {
    "gini": lambda: forest("gini", Y),
    "two classes": lambda: forest("gini", Y == 1, n_classes=2),
    "two classes by entropy": lambda: forest("entropy", Y == 1, n_classes=2, max_depth=4),
    "entropy": lambda: forest("entropy", Y),
    "shallow": lambda: forest("gini", Y, max_depth=3),
    "weighted": lambda: forest("gini", Y, weights=WEIGHTS),
    "numbers": lambda: forest("squared_error", NUMBERS),
    "shallow numbers": lambda: forest("squared_error", NUMBERS, max_depth=3),
    "weighted numbers": lambda: forest("squared_error", NUMBERS, weights=WEIGHTS),
    "poisson": lambda: forest("poisson", np.abs(NUMBERS)),
    "several numbers": lambda: forest("squared_error", np.column_stack([NUMBERS, -NUMBERS])),
    "categories": lambda: forest("gini", Y, categories=[0, 2]),
    "monotone": lambda: forest("squared_error", NUMBERS, monotone=[1, -1, 0, 0, 0, 0]),
    "one leaf": lambda: forest("gini", Y, max_depth=0),
}


@pytest.mark.parametrize("name", FORESTS)
def test_trees_come_back_bit_for_bit(name):
    trees = FORESTS[name]()
    back = there_and_back(trees)
    assert [tree.to_bytes() for tree in back] == [tree.to_bytes() for tree in trees]


@given(
    seed=st.integers(0, 1000),
    n_outputs=st.integers(1, 3),
    n_splits=st.integers(0, 30),
    categories=st.booleans(),
)
def test_any_tree_comes_back_bit_for_bit(seed, n_outputs, n_splits, categories):
    tree = random_tree(seed, n_outputs=n_outputs, n_splits=n_splits, categories=categories)
    assert there_and_back([tree])[0].to_bytes() == tree.to_bytes()


@pytest.mark.parametrize(("name", "bytes_per_node"), [("gini", 7), ("entropy", 7), ("numbers", 11)])
def test_full_trees_take_few_bytes_per_node(name, bytes_per_node):
    trees = FORESTS[name]()
    n_nodes = sum(tree.n_nodes for tree in trees)
    assert len(_core.trees_to_bytes(trees)) < bytes_per_node * n_nodes


@pytest.mark.parametrize("n_columns", [256, 257, 65_536, 65_537])
def test_columns_of_any_width_come_back(n_columns):
    last = n_columns - 1
    tree = tree_from_arrays(
        n_columns,
        [1, 3, -1, -1, -1],
        [2, 4, -1, -1, -1],
        [last, last // 2, -2, -2, -2],
        [0.5, 0.25, 0, 0, 0],
        [[0], [0], [3], [1], [2]],
    )
    back = there_and_back([tree])[0]
    assert back.to_bytes() == tree.to_bytes()
    np.testing.assert_array_equal(back.arrays()["column"][:2], [last, last // 2])


def bytes_of_leaves(leaves):
    """Write nodes of one output that are leaves or not, whether that makes a tree or not."""
    n_inner = len(leaves) // 2
    bits = np.packbits(leaves, bitorder="little").tobytes()
    none = bytes((n_inner + 7) // 8)
    header = b"nonetfor" + bytes([1, 1, 1, 1, len(leaves)])
    return (
        header
        + bits
        + bytes(n_inner)
        + none
        + none
        + bytes(8 * n_inner)
        + bytes([0, 0])
        + bytes(8 * (n_inner + 1))
    )


def children_by_definition(leaves):
    """Give the left child of every node, siblings first, then the left branch; None if no tree."""
    lefts = [-1] * len(leaves)
    n_placed = 1

    def link(node):
        nonlocal n_placed
        if leaves[node]:
            return
        lefts[node] = n_placed
        n_placed += 2
        if n_placed > len(leaves):
            raise IndexError
        link(lefts[node])
        link(lefts[node] + 1)

    try:
        link(0)
    except IndexError:
        return None
    return lefts if n_placed == len(leaves) else None


@pytest.mark.parametrize("n_nodes", [1, 3, 5, 7, 9, 11])
def test_all_patterns_of_leaves_against_definition(n_nodes):
    n_trees = 0
    for leaves in itertools.product([False, True], repeat=n_nodes):
        lefts = children_by_definition(leaves)
        if lefts is None:
            with pytest.raises(ValueError, match="tree"):
                _core.trees_from_bytes(bytes_of_leaves(leaves))
            continue
        (tree,) = _core.trees_from_bytes(bytes_of_leaves(leaves))
        n_trees += 1
        arrays, preorder = tree.arrays(), tree.preorder()
        expected = [preorder[left] if left >= 0 else -1 for left in lefts]
        assert arrays["left"][preorder].tolist() == expected
    n_inner = n_nodes // 2
    assert n_trees == math.comb(2 * n_inner, n_inner) // (n_inner + 1)  # Catalan


def test_tree_sums_are_pickled_by_these_bytes():
    trees = TreeSum(FORESTS["gini"]())
    back = pickle.loads(pickle.dumps(trees))
    np.testing.assert_array_equal(back.values(X), trees.values(X))
    assert len(pickle.dumps(trees)) < len(pickle.dumps(trees.trees)) / 5


@given(data=st.data())
def test_bytes_reject_every_truncation(data):
    whole = _core.trees_to_bytes([random_tree(0, n_outputs=2, categories=True)])
    with pytest.raises(ValueError, match="trees"):
        _core.trees_from_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])


@given(data=st.data())
def test_damage_is_rejected_or_still_a_tree(data):
    whole = bytearray(_core.trees_to_bytes(FORESTS["shallow"]()[:1]))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(8, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        trees = _core.trees_from_bytes(bytes(whole))
    except ValueError:
        return
    for tree in trees:
        assert isinstance(tree, Tree)
        assert tree.n_nodes % 2 == 1


@given(content=st.binary(max_size=200))
def test_bytes_reject_noise(content):
    with pytest.raises(ValueError, match="trees"):
        _core.trees_from_bytes(content)


# ---- Issue 17, item 9 (c) and (e): trees that do not agree, sizes that are not there -----------


def joined(*forests):
    """The trees of several forests as the bytes of one, as no forest would write them."""
    start = len(b"nonetfor") + 3  # version, number of trees, number of columns: a byte each
    parts = [_core.trees_to_bytes(trees) for trees in forests]
    head = bytearray(parts[0][:start])
    head[len(b"nonetfor") + 1] = sum(map(len, forests))
    return bytes(head) + b"".join(part[start:] for part in parts)


def test_joined_bytes_of_trees_that_agree_are_read():
    one, other = (FORESTS[name]() for name in ("gini", "entropy"))
    back = _core.trees_from_bytes(joined(one, other))
    assert [tree.to_bytes() for tree in back] == [tree.to_bytes() for tree in [*one, *other]]


@pytest.mark.parametrize("other", ["numbers", "categories", "several numbers"])
@pytest.mark.parametrize("swap", [False, True])
def test_bytes_reject_trees_that_do_not_agree(other, swap):
    forests = [FORESTS["gini"](), FORESTS[other]()]
    with pytest.raises(ValueError, match="Trees of a model must"):
        _core.trees_from_bytes(joined(*forests[:: -1 if swap else 1]))
    with pytest.raises(ValueError, match="Trees of a model must"):
        _core.trees_to_bytes([*forests[0], *forests[1]])


def test_trees_of_several_parts_must_agree():
    gini, entropy, numbers = (FORESTS[name]() for name in ("gini", "entropy", "numbers"))
    check_agreement([*gini, *entropy])
    with pytest.raises(ValueError, match="Trees of a model must"):
        check_agreement([*gini, *numbers])


def test_pickled_state_is_checked_as_files_are():
    state = bytearray(TreeSum(FORESTS["gini"]()).__getstate__())
    with pytest.raises(ValueError, match="trees"):
        TreeSum.__new__(TreeSum).__setstate__(bytes(state[:-3]))
    state[8] = 77  # another version
    with pytest.raises(ValueError, match="version"):
        TreeSum.__new__(TreeSum).__setstate__(bytes(state))


@given(data=st.data())
def test_sizes_that_the_bytes_do_not_hold_are_rejected_without_memory(data):
    """A count becomes as large as can be: reading fails with a sentence, not for want of memory."""
    whole = _core.trees_to_bytes([random_tree(0, n_outputs=2, categories=True)])
    position = data.draw(st.integers(9, len(whole) - 1))
    count = b"\xff" * data.draw(st.integers(1, 8)) + b"\x7f"
    try:
        trees = _core.trees_from_bytes(whole[:position] + count + whole[position + 1 :])
    except ValueError:
        return
    assert all(isinstance(tree, Tree) for tree in trees)
