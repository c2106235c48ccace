"""Native trees of a model, many in one part: those of equal columns and outputs are a group.

Trees that are read together must agree on which columns hold categories. The trees of one list do;
those of two members need not, as of a booster and a forest that reads the codes as numbers. The
columns that a list splits by categories are therefore part of what makes a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING, Any, TypeVar

from nonet._native.runtime import get_num_threads
from nonet._native.tree import Tree, check_agreement, trees_from_bytes, trees_to_bytes

if TYPE_CHECKING:
    from nonet._base.archive import ArchiveReader


A = TypeVar("A")
T = TypeVar("T")

_FOLDER = "trees/"
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
    """The trees of a file, which threads may read while the first records are made.

    Parameters
    ----------
    archive : ArchiveReader
        The open file.
    """

    def __init__(self, archive: ArchiveReader) -> None:
        self._archive = archive
        self._names = [name for name in archive.manifest["parts"] if name.startswith(_FOLDER)]
        self._work = archive.begin(self._names, self._read, get_num_threads())
        self._parts: dict[str, list[Tree]] | None = None
        self._groups: dict[int, list[Tree]] = {}

    def take(self, group: Any, start: Any, n_trees: int) -> list[Tree]:
        """Return trees that lie side by side in a group."""
        if type(group) is not int or type(start) is not int or start < 0 or n_trees < 0:
            raise self._archive.damaged("a record names trees by something else than numbers")
        if group not in self._groups:
            self._groups[group] = self._join(group)
        trees = self._groups[group]
        if start + n_trees > len(trees):
            raise self._archive.damaged("a record names trees that are not there")
        return trees[start : start + n_trees]

    def finish(self) -> dict[str, list[Tree]]:
        """Return the trees of all parts, or raise what is wrong with one of them."""
        if self._parts is None:
            self._parts = dict(zip(self._names, self._work.finish(), strict=True))
        return self._parts

    def _join(self, group: int) -> list[Tree]:
        """Return the trees of all parts of a group."""
        parts = self.finish()
        name = part_name(group, 0)
        if name not in parts:
            raise self._archive.damaged(f"it has no part {name!r}")
        if part_name(group, 1) not in parts:
            return parts[name]
        trees: list[Tree] = []
        for position in count():
            further = parts.get(part_name(group, position))
            if further is None:
                break
            trees += further
        self._make_sense_of(name, check_agreement, trees)
        return trees

    def _read(self, name: str, content: bytes) -> list[Tree]:
        return self._make_sense_of(name, trees_from_bytes, content)

    def _make_sense_of(self, name: str, function: Callable[[A], T], argument: A) -> T:
        try:
            return function(argument)
        except (ValueError, MemoryError) as why:
            reason = str(why).rstrip(".")
            raise self._archive.damaged(f"part {name!r} holds no trees ({reason})") from why


def part_name(group: int, position: int) -> str:
    """Return the name of a part of a group."""
    return f"{_FOLDER}{group}_{position}.trees"
