"""Columns of categories of other libraries: what their codes stand for, in the order of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet.persist.imported.imported_tree import ImportedTree


def order_levels(
    levels: Mapping[int, Sequence[Any]], trees: Sequence[ImportedTree]
) -> tuple[dict[int, Array], dict[int, Array]]:
    """Return the levels of each column as `CategoryCodes` needs them, and their foreign codes.

    Parameters
    ----------
    levels : mapping of int to sequence
        For columns whose codes stand for something, what they stand for, code by code.
    trees : sequence of ImportedTree
        Columns of categories without levels hold whole numbers, which are the codes.

    Returns
    -------
    known : dict of int to ndarray
        Numbers in ascending order.
    codes : dict of int to ndarray
        The code of each level in the other library.
    """
    known, codes = {}, {}
    for column, found in sorted({**_codes_in_splits(trees), **levels}.items()):
        own = _as_array(found)
        order = np.argsort(own, kind="stable") if own.dtype != object else np.arange(len(own))
        known[column] = own[order]
        codes[column] = order if column in levels else own[order]
    return known, codes


def _codes_in_splits(trees: Sequence[ImportedTree]) -> dict[int, list[int]]:
    found: dict[int, set[int]] = {}
    for tree in trees:
        for node, codes in tree.left_categories.items():
            found.setdefault(int(tree.column[node]), set()).update(codes.tolist())
    return {column: sorted(codes) for column, codes in found.items()}


def _as_array(levels: Sequence[Any]) -> Array:
    """Return levels as an array of numbers, or of objects."""
    are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in levels)
    array = np.empty(len(levels), dtype=object)
    array[:] = list(levels)
    return np.asarray(levels) if are_numbers and len(levels) else array
