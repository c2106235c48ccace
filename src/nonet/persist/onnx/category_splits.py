"""A split of categories as comparisons of their codes.

Codes are sorted, so that a set of them is some runs of consecutive codes; which run a code lies in
is found by bisection. Membership nodes of ONNX are no way: onnxruntime 1.31 gives wrong results for
sets of 40 members, and chains of equalities, one for each member, are longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nonet._base.aliases import Array

MISSING_CODE = -1.0  # of a category that is missing, or that fit did not see


@dataclass(frozen=True)
class Comparison:
    """One node: ``code <= threshold`` goes to ``true``.

    Attributes
    ----------
    number : int
        The number of the node in its tree.
    threshold : float
    true, false : int
        Numbers of nodes.
    """

    number: int
    threshold: float
    true: int
    false: int


@dataclass(frozen=True)
class CategorySplit:
    """The nodes that replace a split of categories.

    Attributes
    ----------
    comparisons : list of Comparison
        The first one has the number of the node that is replaced.
    dead_ends : list of int
        Numbers of leaves that no row reaches.
    """

    comparisons: list[Comparison]
    dead_ends: list[int]


def bisect_codes(
    goes_left: Array, missing_left: bool, node: int, children: tuple[int, int], free: Iterator[int]
) -> CategorySplit:
    """Return the comparisons for a split of categories.

    onnxruntime lets several nodes have the same child, but each 'false' must lead to a node that
    was not met before. Where it does not, it leads to a node in between, at which all codes are
    'true'.

    Parameters
    ----------
    goes_left : ndarray of bool
        For each code, whether it goes left.
    missing_left : bool
        Whether missing and unknown categories go left; their code is below all others.
    node : int
        The number of the node that is replaced.
    children : tuple of int
        The numbers of its left and its right child.
    free : iterator of int
        Numbers that no node has.
    """
    sides = np.append(missing_left, goes_left).astype(bool)
    ends = np.append(np.flatnonzero(sides[1:] != sides[:-1]), len(sides) - 1)
    targets = [children[0] if sides[end] else children[1] for end in ends]
    split = CategorySplit([], [])
    if len(ends) == 1:  # all go to the same side
        targets, ends = [targets[0], children[int(sides[0])]], np.array([ends[0], ends[0]])
    _bisect(split, ends + MISSING_CODE, targets, node, free, is_only=len(ends) == 2)
    return split


def _bisect(
    split: CategorySplit,
    ends: Array,
    targets: Sequence[int],
    node: int,
    free: Iterator[int],
    *,
    is_only: bool,
) -> None:
    """Add the node that halves some runs, and those below it."""
    half = len(targets) // 2
    position = len(split.comparisons)
    split.comparisons.append(Comparison(node, 0.0, 0, 0))  # its children come next
    true = targets[0] if half == 1 else next(free)
    if half > 1:
        _bisect(split, ends[:half], targets[:half], true, free, is_only=False)
    if len(targets) - half > 1:
        false = next(free)
        _bisect(split, ends[half:], targets[half:], false, free, is_only=False)
    else:
        false = targets[-1] if is_only else _in_between(split, targets[-1], free)
    split.comparisons[position] = Comparison(node, float(ends[half - 1]) + 0.5, true, false)


def _in_between(split: CategorySplit, target: int, free: Iterator[int]) -> int:
    """Add a node at which every code goes to the target."""
    node, dead_end = next(free), next(free)
    split.comparisons.append(Comparison(node, np.inf, target, dead_end))
    split.dead_ends.append(dead_end)
    return node
