"""Native trees of a model, many in one part: those of equal columns and outputs lie together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nonet._native.tree import Tree, trees_from_bytes, trees_to_bytes

if TYPE_CHECKING:
    from nonet._base.archive import ArchiveReader


class TreeGroups:
    """The trees to be written, in groups that become one part each."""

    def __init__(self) -> None:
        self._groups: dict[tuple[int, int], list[Tree]] = {}
        self._known: dict[int, tuple[int, int]] = {}

    def locate(self, tree: Tree) -> tuple[int, int]:
        """Return the group and the position of a tree, which is added if it is new."""
        if id(tree) not in self._known:
            key = tree.n_columns, tree.n_outputs
            group = self._groups.setdefault(key, [])
            self._known[id(tree)] = list(self._groups).index(key), len(group)
            group.append(tree)
        return self._known[id(tree)]

    def parts(self) -> dict[str, bytes]:
        """Return the parts of all groups."""
        return {
            part_name(number): trees_to_bytes(group)
            for number, group in enumerate(self._groups.values())
        }


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
            part = self._archive.read(part_name(group))
            try:
                self._groups[group] = trees_from_bytes(part)
            except (ValueError, MemoryError) as why:
                raise self._archive.damaged(
                    f"part {part_name(group)!r} holds no trees ({str(why).rstrip('.')})"
                ) from why
        return self._groups[group]


def part_name(group: int) -> str:
    """Return the name of the part of a group."""
    return f"trees/{group}.trees"
