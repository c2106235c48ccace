"""Native trees of a model, many in one part: those of equal columns and outputs are a group.

Trees that are read together must agree on which columns hold categories. The trees of one list do;
those of two members need not, as of a booster and a forest that reads the codes as numbers. The
columns that a list splits by categories are therefore part of what makes a group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from nonet._native.runtime import get_num_threads
from nonet._native.tree import Tree, trees_from_parts, trees_to_bytes

if TYPE_CHECKING:
    from nonet._base.archive import ArchiveReader


_NODES_PER_PART = 1 << 15  # a quarter of a megabyte, or one where nodes carry statistics


class TreeGroups:
    """The trees to be written, in groups."""

    def __init__(self) -> None:
        self._groups: dict[tuple[int, int, frozenset[int]], list[Tree]] = {}
        self._known: dict[int, tuple[int, int]] = {}

    def locate(self, trees: Sequence[Tree]) -> list[tuple[int, int]]:
        """Return the group and the position of trees of one model; new ones are added."""
        new = [tree for tree in trees if id(tree) not in self._known]
        by_category = frozenset(chain.from_iterable(map(_category_columns, new)))
        for tree in new:
            key = tree.n_columns, tree.n_outputs, by_category
            group = self._groups.setdefault(key, [])
            self._known[id(tree)] = list(self._groups).index(key), len(group)
            group.append(tree)
        return [self._known[id(tree)] for tree in trees]

    def parts(self) -> dict[str, bytes]:
        """Return the parts of all groups: several of each, which threads can read at once."""
        return {
            part_name(number, position): trees_to_bytes(some)
            for number, group in enumerate(self._groups.values())
            for position, some in enumerate(_in_parts(group))
        }


def _category_columns(tree: Tree) -> list[int]:
    """Return the columns that a tree splits by categories."""
    try:
        tree.category_set(0)
    except ValueError:  # it has none, as most trees; the arrays would take longer
        return []
    nodes = tree.arrays()
    columns: list[int] = nodes["column"][nodes["category_set"] >= 0].tolist()
    return columns


def _in_parts(trees: list[Tree]) -> Iterator[list[Tree]]:
    some: list[Tree] = []
    n_nodes = 0
    for tree in trees:
        some.append(tree)
        n_nodes += tree.n_nodes
        if n_nodes >= _NODES_PER_PART:
            yield some
            some, n_nodes = [], 0
    if some:
        yield some


class LoadedTrees:
    """The trees of a file, read when the first of their group is needed."""

    def __init__(self, archive: ArchiveReader) -> None:
        self._archive = archive
        self._groups: dict[int, list[Tree]] = {}

    def take(self, group: Any, start: Any, count: int) -> list[Tree]:
        """Return trees that lie side by side in a group."""
        if type(group) is not int or type(start) is not int or start < 0 or count < 0:
            raise self._archive.damaged("a record names trees by something else than numbers")
        trees = self._group(group)
        if start + count > len(trees):
            raise self._archive.damaged("a record names trees that are not there")
        return trees[start : start + count]

    def _group(self, group: int) -> list[Tree]:
        if group not in self._groups:
            self._groups[group] = self._read(group)
        return self._groups[group]

    def _read(self, group: int) -> list[Tree]:
        names = [part_name(group, 0)]
        while part_name(group, len(names)) in self._archive.manifest["parts"]:
            names.append(part_name(group, len(names)))

        def read_trees(parts: list[bytes], n_threads: int) -> list[Tree]:
            try:
                return trees_from_parts(parts, n_threads)
            except (ValueError, MemoryError) as why:
                raise self._archive.damaged(
                    f"parts {names[0]!r} and following hold no trees ({str(why).rstrip('.')})"
                ) from why

        return self._archive.make_from(names, read_trees, get_num_threads())


def part_name(group: int, position: int) -> str:
    """Return the name of a part of a group."""
    return f"trees/{group}_{position}.trees"
