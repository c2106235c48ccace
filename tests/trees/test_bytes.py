"""The bytes of a tree: what comes back, and what is turned away."""

from __future__ import annotations

import pickle
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nonet._native.tree import Tree, predict_values, tree_from_arrays
from trees.random_trees import random_rows, random_tree

HEADER = 56


def checksum(content):
    value = 0xCBF29CE484222325
    for byte in content:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return struct.pack("<Q", value)


def sealed(content):
    """Content with the checksum it should have, so that damage gets past it."""
    return bytes(content) + checksum(content)


@given(
    seed=st.integers(0, 10_000),
    n_outputs=st.integers(1, 3),
    n_splits=st.integers(0, 30),
    categories=st.booleans(),
)
def test_tree_comes_back_as_it_was(seed, n_outputs, n_splits, categories):
    tree = random_tree(seed, n_outputs=n_outputs, n_splits=n_splits, categories=categories)
    back = Tree.from_bytes(tree.to_bytes())
    X = random_rows(seed, 50)
    np.testing.assert_array_equal(predict_values([back], X), predict_values([tree], X))
    ours, theirs = back.arrays(), tree.arrays()
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_of_a_tree_is_its_class_and_its_bytes(protocol):
    """Issue 18, item A.18: protocols 0 and 1 failed, and with them what reads `__reduce__`."""
    tree = random_tree(0, categories=True)
    assert tree.__reduce__() == (Tree, (tree.to_bytes(),))
    assert pickle.loads(pickle.dumps(tree, protocol)).to_bytes() == tree.to_bytes()


def test_state_of_older_pickles_is_still_read():
    tree, fresh = random_tree(0, categories=True), Tree.__new__(Tree)
    fresh.__setstate__(tree.to_bytes())
    assert fresh.to_bytes() == tree.to_bytes()


def test_a_node_takes_at_most_16_bytes_to_predict_and_20_to_explain():
    small, large = (random_tree(0, n_splits=n) for n in (1000, 2000))
    grown = len(large.to_bytes()) - len(small.to_bytes())
    assert grown == (large.n_nodes - small.n_nodes) * (16 + 20 + 8)


@given(seed=st.integers(0, 100), data=st.data())
def test_from_bytes_rejects_every_truncation(seed, data):
    whole = random_tree(seed, categories=True).to_bytes()
    length = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ValueError, match="bytes of a tree"):
        Tree.from_bytes(whole[:length])


@given(seed=st.integers(0, 100), categories=st.booleans(), data=st.data())
def test_from_bytes_rejects_every_flipped_bit(seed, categories, data):
    whole = bytearray(random_tree(seed, n_outputs=2, categories=categories).to_bytes())
    bit = data.draw(st.integers(0, 8 * len(whole) - 1))
    whole[bit // 8] ^= 1 << bit % 8
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(bytes(whole))


@given(seed=st.integers(0, 50), data=st.data())
def test_damage_behind_a_right_checksum_is_rejected_or_still_a_tree(seed, data):
    content = bytearray(random_tree(seed, n_outputs=2, categories=True).to_bytes()[:-8])
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(8, len(content) - 1))
        content[position] = data.draw(st.integers(0, 255))
    try:
        tree = Tree.from_bytes(sealed(content))
    except ValueError:
        return
    X = random_rows(seed, 20, tree.n_columns) if tree.n_columns < 1000 else None
    if X is not None:
        assert not np.isnan(predict_values([tree], X)).any()


@given(content=st.binary(max_size=300))
def test_from_bytes_rejects_noise(content):
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(content)
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(sealed(content))


@pytest.mark.parametrize("field", range(5))
@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**62, 2**64 - 1])
def test_from_bytes_rejects_absurd_sizes(field, size):
    content = bytearray(random_tree(0, n_outputs=2, categories=True).to_bytes()[:-8])
    struct.pack_into("<Q", content, 16 + 8 * field, size)
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(sealed(content))


def node_field(node, offset):
    return HEADER + 16 * node + offset


@pytest.mark.parametrize("left", [0, -5, 2**31 - 1, 2])
def test_from_bytes_rejects_children_out_of_order(left):
    content = bytearray(random_tree(0, n_splits=3).to_bytes()[:-8])
    struct.pack_into("<i", content, node_field(0, 12), left)
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(sealed(content))


def test_from_bytes_rejects_a_circle():
    content = bytearray(random_tree(0, n_splits=3).to_bytes()[:-8])
    inner = [
        node
        for node in range(1, 7)
        if struct.unpack_from("<i", content, node_field(node, 12))[0] > 0
    ]
    struct.pack_into("<i", content, node_field(inner[0], 12), inner[0])
    with pytest.raises(ValueError, match="before its two children"):
        Tree.from_bytes(sealed(content))


@pytest.mark.parametrize("number", [-1.0, 0.5, 1.0, 1e300, float("nan"), float("inf")])
def test_from_bytes_rejects_a_category_set_that_is_not_there(number):
    tree = tree_from_arrays(
        1,
        [1, -1, -1],
        [2, -1, -1],
        [0, -2, -2],
        [0, 0, 0],
        [[0], [1], [2]],
        category_set=[0, -1, -1],
        category_sets=[[True, False, True]],
    )
    content = bytearray(tree.to_bytes()[:-8])
    assert Tree.from_bytes(sealed(content)).n_leaves == 2
    struct.pack_into("<d", content, node_field(0, 0), number)
    with pytest.raises(ValueError, match="tree"):
        Tree.from_bytes(sealed(content))


def test_from_bytes_rejects_a_leaf_with_a_column():
    content = bytearray(random_tree(0, n_splits=0).to_bytes()[:-8])
    struct.pack_into("<I", content, node_field(0, 8), 2**29)
    with pytest.raises(ValueError, match="must name column 0"):
        Tree.from_bytes(sealed(content))


def test_from_bytes_rejects_a_later_version():
    content = bytearray(random_tree(0).to_bytes()[:-8])
    struct.pack_into("<I", content, 8, 2)
    with pytest.raises(ValueError, match="of version 2, but this release reads version 1"):
        Tree.from_bytes(sealed(content))


def test_from_bytes_rejects_bytes_after_the_end():
    with pytest.raises(ValueError, match="go on after its end"):
        Tree.from_bytes(sealed(random_tree(0).to_bytes()[:-8] + bytes(8)))


@pytest.mark.parametrize("position", range(16, HEADER, 8))
@pytest.mark.parametrize("size", [0, 3, 2**20, 2**31 - 1, 2**31, 2**64 - 1])
def test_sizes_beyond_the_bytes_are_rejected_without_memory(position, size):
    """Issue 17, item 9 (e): 64 bytes with no nodes and many outputs requested 8 GB."""
    for others in ((1, 1, 1, 0, 0), (1, 2**31 - 1, 0, 0, 0)):
        header = bytearray(random_tree(0).to_bytes()[:HEADER])
        struct.pack_into("<5Q", header, 16, *others)
        struct.pack_into("<Q", header, position, size)
        with pytest.raises(ValueError, match="tree"):
            Tree.from_bytes(sealed(header))
