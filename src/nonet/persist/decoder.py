"""The reading side: records and parts as objects, each of them checked before it is used."""

from __future__ import annotations

from typing import Any

from nonet._base.archive import ArchiveReader
from nonet._base.errors import ModelFileError
from nonet.persist.codecs.codec import Record
from nonet.persist.codecs.tree_groups import LoadedTrees
from nonet.persist.registry import registry

# Objects counted as often as they are referred to: nested references could otherwise describe
# objects that take for ever to be looked through, such as lists of two equal lists of two ...
MAX_UNFOLDED = 10**8


class Decoder:
    """Objects made from the records of a file.

    Parameters
    ----------
    archive : ArchiveReader
        The open file.
    trust : {None, 'pickle'}
        Whether pickled parts are read.

    Attributes
    ----------
    trees : LoadedTrees
        The native trees of the file.
    reads_sklearn : bool
        Whether objects of scikit-learn may be made: the file names a range of versions that
        includes the installed one.
    """

    def __init__(
        self, archive: ArchiveReader, *, trust: str | None = None, reads_sklearn: bool = False
    ) -> None:
        self.archive = archive
        self.trees = LoadedTrees(archive)
        self.trust = trust
        self.reads_sklearn = reads_sklearn
        self._made: list[Any] = []
        self._unfolded: list[int] = []
        self._count = 0

    def make(self, records: Any, root: Any) -> Any:
        """Return the object of the root, after making those of all records in their order."""
        for record in self.sequence(records):
            codec = registry().by_kind.get(self.text(self.mapping(record).get("kind")))
            if codec is None:
                raise self.damaged(f"it has a record of the unknown kind {record['kind'][:80]!r}")
            self._count = 1
            made = codec.decode(record, self)
            if self._count > MAX_UNFOLDED:
                raise self.damaged("its records refer to each other too often")
            self._made.append(made)
            self._unfolded.append(self._count)
        return self.value(root)

    # ---- What codecs read with -------------------------------------------------------------------

    def value(self, value: Any) -> Any:
        """Return the thing that a value stands for."""
        if not isinstance(value, dict):
            if isinstance(value, list):
                raise self.damaged("a list stands where a value is expected")
            return value
        position = value.get("@")
        if len(value) != 1 or type(position) is not int or not 0 <= position < len(self._made):
            raise self.damaged("a record refers to one that does not come before it")
        self._count += self._unfolded[position]
        return self._made[position]

    def field(self, record: Record, name: str) -> Any:
        """Return the thing that a field of a record stands for."""
        if name not in record:
            raise self.damaged(f"a record of kind {record.get('kind')!r} has no {name!r}")
        return self.value(record[name])

    def values(self, values: Any) -> list[Any]:
        """Return the things of a list of values."""
        return [self.value(value) for value in self.sequence(values)]

    def part(self, name: Any) -> bytes:
        """Return the bytes of a part."""
        return self.archive.read(self.text(name))

    def sequence(self, content: Any) -> list[Any]:
        """Return a JSON list, or raise."""
        self._check_type(content, list, "a list")
        return list(content)

    def mapping(self, content: Any) -> dict[str, Any]:
        """Return a JSON object, or raise."""
        self._check_type(content, dict, "an object")
        return dict(content)

    def text(self, content: Any) -> str:
        """Return a string, or raise."""
        self._check_type(content, str, "a string")
        return str(content)

    def number(self, content: Any, low: int, high: int) -> int:
        """Return a whole number in a range that includes both ends, or raise."""
        if type(content) is not int or not low <= content <= high:
            raise self.damaged("a number in it is out of its range")
        return content

    def damaged(self, why: str) -> ModelFileError:
        """Return the error for a record that makes no sense."""
        return self.archive.damaged(why)

    def _check_type(self, content: Any, kind: type, name: str) -> None:
        if type(content) is not kind:
            raise self.damaged(f"a record holds something else where {name} is expected")
