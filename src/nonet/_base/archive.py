"""Zip archives of named parts with a manifest, written once and checked before they are read.

The manifest, a JSON part, holds the size and the SHA-256 of every other part. A reader compares
names, sizes and compression of all parts with fixed limits before it unpacks one of them, and the
CRC-32 of a part before it returns it. No exception of `zipfile` leaves this module.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from io import FileIO
from typing import Any, BinaryIO, TypeVar

from nonet._base.background import SharedWork
from nonet._base.errors import ModelFileError, one_sentence
from nonet._base.random_access import RandomAccess
from nonet._base.zip_directory import (
    BYTES_OF_LOCAL_HEADER,
    MAX_RATIO,
    STORED,
    Entry,
    is_suspicious,
    read_directory,
)

T = TypeVar("T")

MANIFEST = "manifest.json"
MAX_BYTES = 1 << 33
MAX_MANIFEST_BYTES = 1 << 24
# Python objects take up to so many times the bytes of their JSON.
JSON_WEIGHT = 32

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # zip knows no earlier time; equal models give equal files
_SIZES_IN_LOCAL_HEADER = struct.Struct("<26x2H")
_BYTES_PER_THREAD = 1 << 22  # some milliseconds of work, which new threads are worth
_BYTES_WORTH_WAKING = 1 << 18  # a tenth of one, which a thread that waits already is worth


# ---- Writing -----------------------------------------------------------------------------------


def write_archive(
    file: BinaryIO, manifest: Mapping[str, Any], parts: Mapping[str, bytes], compression: int = 0
) -> None:
    """Write parts and their manifest.

    Parameters
    ----------
    file : binary file
        Open for writing.
    manifest : mapping
        JSON; sizes and checksums of the parts are added to it.
    parts : mapping of str to bytes
        Names such as ``'arrays/3.npy'`` and contents.
    compression : int, default=0
        Level of deflate, from 0 (none) to 9, for parts that are not JSON; JSON is always deflated.
    """
    described = {
        name: {"bytes": len(part), "sha256": sha256(part).hexdigest()}
        for name, part in parts.items()
    }
    text = json.dumps({**manifest, "parts": described}, indent=1, allow_nan=False).encode()
    with zipfile.ZipFile(file, "w") as archive:
        _write_part(archive, MANIFEST, text, compression)
        for name, part in parts.items():
            _write_part(archive, name, part, compression)


def _write_part(archive: zipfile.ZipFile, name: str, part: bytes, compression: int) -> None:
    level = max(compression, 6) if name.endswith(".json") else compression
    info = zipfile.ZipInfo(name, _EARLIEST)
    info.external_attr = 0o644 << 16
    info.create_system = 3  # the same bytes whatever system writes them
    is_worth_it = level > 0 and _shrinks(part, level)
    info.compress_type = zipfile.ZIP_DEFLATED if is_worth_it else zipfile.ZIP_STORED
    archive.writestr(info, part, compresslevel=level)


def _shrinks(part: bytes, level: int) -> bool:
    """Return whether deflate makes a part smaller, but not suspiciously small."""
    quick = len(zlib.compress(part, 1))
    if quick * MAX_RATIO > 10 * len(part):  # far from the limit, whatever the level
        return quick < len(part)
    return not is_suspicious(len(part), len(zlib.compress(part, level)) - 6)


# ---- Reading -----------------------------------------------------------------------------------


class ArchiveReader:
    """The parts of an archive, checked one by one when they are read.

    Parameters
    ----------
    file : binary file
        Open for reading; it must be able to seek.
    label : str
        The file in quotes, for messages.
    max_bytes : int, optional
        Limit of the bytes of all parts together.

    Attributes
    ----------
    label : str
        The file in quotes, for messages.
    manifest : dict
        The manifest; its ``parts`` are the names of the parts.
    sizes : dict of str to int
        Bytes of each part in the file, after compression.
    """

    def __init__(self, file: BinaryIO | FileIO, label: str, max_bytes: int | None = None) -> None:
        self.label = label
        try:
            self._file = RandomAccess(file)
            entries = read_directory(self._file)
        except Exception as why:  # zipfile raises a dozen kinds of exceptions
            raise self._unreadable(why) from why
        self.sizes = {entry.name: entry.n_packed for entry in entries}
        self._entries = {entry.name: entry for entry in entries}
        self._begun: list[SharedWork[str, Any]] = []
        _check_total(entries, label, MAX_BYTES if max_bytes is None else max_bytes)
        self.manifest = self._read_manifest()

    def close(self) -> None:
        """Wait until no thread reads any more."""
        for work in self._begun:
            work.stop()

    def read(self, name: str) -> bytes:
        """Return a part whose size and CRC-32 are right.

        Damage changes the CRC-32 as surely as the SHA-256, which takes longer than reading the
        trees; whoever writes damage on purpose writes both. `verify` compares the SHA-256.

        Parameters
        ----------
        name : str
            The name of the part.

        Returns
        -------
        bytes
        """
        described = self.manifest["parts"].get(name)
        if described is None:
            raise self.damaged(f"it has no part {name[:80]!r}")
        entry = self._entries[name]
        part = self._unpack(entry)
        if len(part) != described["bytes"] or zlib.crc32(part) != entry.crc:
            raise self.damaged(f"the checksum of its part {name!r} does not match")
        return part

    def verify(self) -> None:
        """Compare the SHA-256 of every part with that of the manifest, or raise."""
        for name, described in self.manifest["parts"].items():
            if sha256(self.read(name)).hexdigest() != described["sha256"]:
                raise self.damaged(f"the SHA-256 of its part {name!r} is not that of its manifest")

    def begin(
        self, names: Sequence[str], make: Callable[[str, bytes], T], n_threads: int = 1
    ) -> SharedWork[str, T]:
        """Begin to read several parts, and to make something of each whose checksum is right.

        Threads read other parts, if there is more than little to read; `close` waits for them.

        Parameters
        ----------
        names : sequence of str
            The names of the parts.
        make : callable
            Takes the name of a part and its bytes.
        n_threads : int, default=1
            Threads at most, the calling one included.

        Returns
        -------
        SharedWork
            Its `finish` returns what `make` has returned for all parts, in their order.
        """
        n_bytes = sum(self.sizes.get(name, 0) for name in names)
        n_helpers = n_bytes // _BYTES_PER_THREAD or int(n_bytes >= _BYTES_WORTH_WAKING)
        n_helpers = max(0, min(n_helpers, n_threads - 1, len(names) - 1))
        work = SharedWork(lambda name: make(name, self.read(name)), names, n_helpers)
        self._begun.append(work)
        return work

    def read_json(self, name: str) -> Any:
        """Return what a JSON part holds."""
        return self._parse(self.read(name), name)

    def damaged(self, why: str) -> ModelFileError:
        """Return the error for a file whose content contradicts itself."""
        return ModelFileError(
            f"{self.label} is damaged: {why}; write it again, or copy it again from where it "
            "was written."
        )

    def _read_manifest(self) -> dict[str, Any]:
        entry = self._entries.get(MANIFEST)
        if entry is None or entry.n_bytes > MAX_MANIFEST_BYTES:
            raise ModelFileError(
                f"{self.label} is not a file of nonet: it is a zip archive without a manifest."
            )
        text = self._unpack(entry)
        if zlib.crc32(text) != entry.crc:  # it has no other checksum
            raise self._unreadable(ValueError(f"bad CRC-32 of part {MANIFEST!r}"))
        manifest = self._parse(text, MANIFEST)
        parts = manifest.get("parts") if isinstance(manifest, dict) else None
        if not isinstance(parts, dict) or parts.keys() != self._entries.keys() - {MANIFEST}:
            raise self.damaged("its manifest does not list its parts")
        for name, part in parts.items():
            if not _describes(part, self._entries[name].n_bytes):
                raise self.damaged(f"its manifest gives no size and checksum of {name!r}")
        return dict(manifest)

    def _unpack(self, entry: Entry) -> bytes:
        try:
            packed = self._read_packed(entry)
            if entry.method == STORED:
                part = packed
            else:
                # One byte more than declared: a longer part ends in an error, not in memory.
                unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
                part = unpacker.decompress(packed, entry.n_bytes + 1)
        except Exception as why:  # those of the system, of zlib and our own
            raise self._unreadable(why) from why
        if len(part) != entry.n_bytes:
            raise self.damaged(f"its part {entry.name!r} is not as long as declared")
        return part

    def _read_packed(self, entry: Entry) -> bytes:
        """Return a part as it is in the file."""
        n_expected = BYTES_OF_LOCAL_HEADER + len(entry.name)
        header = self._file.read(entry.start, n_expected)
        if header[:4] != b"PK\x03\x04" or len(header) < n_expected:
            raise ValueError(f"part {entry.name!r} has no header")
        n_name, n_extra = _SIZES_IN_LOCAL_HEADER.unpack_from(header)
        if n_name != len(entry.name) or header[BYTES_OF_LOCAL_HEADER:] != entry.name.encode():
            raise ValueError(f"part {entry.name!r} has two names")
        return self._file.read(entry.start + n_expected + n_extra, entry.n_packed)

    def _parse(self, part: bytes, name: str) -> Any:
        try:
            return _JSON.decode(part.decode())
        except (ValueError, RecursionError) as why:
            raise self.damaged(f"its part {name!r} is not JSON") from why

    def _unreadable(self, why: Exception) -> ModelFileError:
        reason = one_sentence(str(why) or type(why).__name__)[:-1]
        return self.damaged(f"its zip archive cannot be read ({reason})")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_JSON = json.JSONDecoder(parse_constant=_refuse_constant)


def _describes(part: Any, n_bytes: int) -> bool:
    return (
        isinstance(part, dict)
        and part.get("bytes") == n_bytes
        and isinstance(part.get("sha256"), str)
    )


def _check_total(entries: list[Entry], label: str, max_bytes: int) -> None:
    total = sum(
        entry.n_bytes * (JSON_WEIGHT if entry.name.endswith(".json") else 1) for entry in entries
    )
    if total > max_bytes:
        raise ModelFileError(
            f"{label} may need {total} bytes of memory, more than the limit of {max_bytes}; if you "
            "expect a model of that size, give a larger max_bytes."
        )
