"""Zip archives of named parts with a manifest, written once and checked before they are read.

The manifest, a JSON part, holds the size and the SHA-256 of every other part. A reader compares
names, sizes and compression of all parts with fixed limits before it unpacks one of them, and the
checksum of a part before it returns it. No exception of `zipfile` leaves this module.
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, BinaryIO, TypeVar

from nonet._base.background import run_beside
from nonet._base.errors import ModelFileError, one_sentence

T = TypeVar("T")

MANIFEST = "manifest.json"
MAX_BYTES = 1 << 33
MAX_MANIFEST_BYTES = 1 << 24
MAX_PARTS = 100_000
# Python objects take up to so many times the bytes of their JSON.
JSON_WEIGHT = 32
# A part that shrinks further is stored as it is: so no honest archive looks like a bomb.
MAX_RATIO = 100
_RATIO_FREE_BYTES = 4096

_NAME = re.compile(r"[a-z0-9_]{1,64}(/[a-z0-9_]{1,64}){0,3}\.[a-z]{1,16}")
_IS_ENCRYPTED = 0x1
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # zip knows no earlier time; equal models give equal files
_BYTES_OF_LOCAL_HEADER = 30
_BYTES_PER_THREAD = 1 << 22  # two milliseconds of SHA-256, which new threads are worth
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
    return not _is_suspicious(len(part), len(zlib.compress(part, level)) - 6)


def _is_suspicious(n_bytes: int, n_compressed: int) -> bool:
    return n_bytes > MAX_RATIO * n_compressed + _RATIO_FREE_BYTES


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

    def __init__(self, file: BinaryIO, label: str, max_bytes: int | None = None) -> None:
        self.label = label
        with self._one_sentence():
            self._file = file
            self._archive = zipfile.ZipFile(file)
            infos = self._archive.infolist()
            file.seek(0, 2)
            _check_entries(infos, file.tell())
        self.sizes = {info.filename: info.compress_size for info in infos}
        self._infos = {info.filename: info for info in infos}
        _check_total(infos, label, MAX_BYTES if max_bytes is None else max_bytes)
        self.manifest = self._read_manifest()

    def read(self, name: str) -> bytes:
        """Return a part whose size and checksum are those of the manifest.

        Parameters
        ----------
        name : str
            The name of the part.

        Returns
        -------
        bytes
        """
        return self.read_all([name])[0]

    def read_all(self, names: Sequence[str], n_threads: int = 1) -> list[bytes]:
        """Return several parts, which threads unpack and compare with their checksums.

        Parameters
        ----------
        names : sequence of str
            The names of the parts.
        n_threads : int, default=1
            Threads at most; few bytes are left to one.

        Returns
        -------
        list of bytes
        """
        self._check_listed(names)
        # Threads begin with the first parts while this one reads the others.
        packed = map(self._read_packed, names)
        n_bytes = sum(self.sizes[name] for name in names)
        n_threads = min(n_threads, len(names), 1 + n_bytes // _BYTES_PER_THREAD)
        if n_threads <= 1:
            return list(map(self._unpack_checked, names, packed))
        with ThreadPoolExecutor(n_threads) as threads:
            return list(threads.map(self._unpack_checked, names, packed))

    def make_from(
        self, names: Sequence[str], make: Callable[[list[bytes], int], T], n_threads: int = 1
    ) -> T:
        """Return what is made of several parts, while a thread compares their checksums.

        Nothing is returned before all checksums are found right, and a wrong one is reported
        rather than an exception of `make`.

        Parameters
        ----------
        names : sequence of str
            The names of the parts.
        make : callable
            Takes the parts, which may be wrong when it begins, and the number of its threads.
        n_threads : int, default=1
            Threads at most; with one, checksums are compared first.

        Returns
        -------
        object
            What `make` returns.
        """
        self._check_listed(names)
        n_bytes = sum(self.sizes[name] for name in names)
        if n_threads <= 1 or not _BYTES_WORTH_WAKING <= n_bytes < _BYTES_PER_THREAD:
            return make(self.read_all(names, n_threads), n_threads)
        parts = [self._unpack(name, self._read_packed(name)) for name in names]
        with run_beside(self._check_sum, list(zip(names, parts, strict=True))):
            return make(parts, n_threads - 1)

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
        info = self._infos.get(MANIFEST)
        if info is None or info.file_size > MAX_MANIFEST_BYTES:
            raise ModelFileError(
                f"{self.label} is not a file of nonet: it is a zip archive without a manifest."
            )
        # By way of zip's own checksum: it has no other. One byte more than declared, as below.
        with self._one_sentence(), self._archive.open(info) as stream:
            text = stream.read(info.file_size + 1)
        manifest = self._parse(text, MANIFEST)
        parts = manifest.get("parts") if isinstance(manifest, dict) else None
        if not isinstance(parts, dict) or set(parts) != set(self._infos) - {MANIFEST}:
            raise self.damaged("its manifest does not list its parts")
        for name, part in parts.items():
            if not _describes(part, self._infos[name].file_size):
                raise self.damaged(f"its manifest gives no size and checksum of {name!r}")
        return dict(manifest)

    def _check_listed(self, names: Sequence[str]) -> None:
        for name in names:
            if name not in self.manifest["parts"]:
                raise self.damaged(f"it has no part {name[:80]!r}")

    def _read_packed(self, name: str) -> bytes:
        """Return a part as it is in the file."""
        info = self._infos[name]
        with self._one_sentence():
            self._file.seek(info.header_offset)
            header = self._file.read(_BYTES_OF_LOCAL_HEADER)
            if header[:4] != b"PK\x03\x04":
                raise ValueError(f"part {name!r} has no header")
            n_name, n_extra = struct.unpack("<HH", header[26:30])
            if self._file.read(n_name) != name.encode():
                raise ValueError(f"part {name!r} has two names")
            self._file.seek(n_extra, 1)
            return self._file.read(info.compress_size)

    def _unpack_checked(self, name: str, packed: bytes) -> bytes:
        """Return a part of the right SHA-256, which is stronger than zip's own checksum."""
        part = self._unpack(name, packed)
        self._check_sum(name, part)
        return part

    def _check_sum(self, name: str, part: bytes) -> None:
        described = self.manifest["parts"][name]
        if len(part) != described["bytes"] or sha256(part).hexdigest() != described["sha256"]:
            raise self.damaged(f"the checksum of its part {name!r} does not match")

    def _unpack(self, name: str, packed: bytes) -> bytes:
        info = self._infos[name]
        if info.compress_type == zipfile.ZIP_STORED:
            return packed
        with self._one_sentence():
            # One byte more than declared: a longer part ends in an error, not in memory.
            part = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
        if len(part) != info.file_size:
            raise self.damaged(f"its part {name!r} is not as long as declared")
        return part

    def _parse(self, part: bytes, name: str) -> Any:
        try:
            return json.loads(part, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as why:
            raise self.damaged(f"its part {name!r} is not JSON") from why

    @contextmanager
    def _one_sentence(self) -> Iterator[None]:
        try:
            yield
        except ModelFileError:
            raise
        except Exception as why:  # zipfile raises a dozen kinds of exceptions
            reason = one_sentence(str(why) or type(why).__name__)[:-1]
            raise self.damaged(f"its zip archive cannot be read ({reason})") from why


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _describes(part: Any, n_bytes: int) -> bool:
    return (
        isinstance(part, dict)
        and part.get("bytes") == n_bytes
        and isinstance(part.get("sha256"), str)
    )


def _check_entries(infos: list[zipfile.ZipInfo], n_file_bytes: int) -> None:
    if len(infos) > MAX_PARTS:
        raise ValueError(f"{len(infos)} parts are more than {MAX_PARTS}")
    if len({info.filename for info in infos}) < len(infos):
        raise ValueError("two parts have the same name")
    for info in infos:
        _check_entry(info)
    _check_apart(infos, n_file_bytes)


def _check_entry(info: zipfile.ZipInfo) -> None:
    if not _NAME.fullmatch(info.filename) or info.orig_filename != info.filename:
        raise ValueError(f"{info.filename[:80]!r} is not the name of a part")
    if info.flag_bits & _IS_ENCRYPTED:
        raise ValueError(f"part {info.filename!r} is encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"part {info.filename!r} is compressed in an unknown way")
    if info.compress_type == zipfile.ZIP_STORED and info.file_size != info.compress_size:
        raise ValueError(f"part {info.filename!r} has two sizes")
    if _is_suspicious(info.file_size, info.compress_size):
        raise ValueError(
            f"part {info.filename!r} claims to unpack to {info.file_size} bytes from "
            f"{info.compress_size}, more than {MAX_RATIO} times as many"
        )


def _check_apart(infos: list[zipfile.ZipInfo], n_file_bytes: int) -> None:
    """Raise if parts overlap: bombs list the same bytes many times."""
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ValueError(f"part {info.filename!r} overlaps with another")
        end = info.header_offset + _BYTES_OF_LOCAL_HEADER + info.compress_size
    if end > n_file_bytes:
        raise ValueError("the file ends too early")


def _check_total(infos: list[zipfile.ZipInfo], label: str, max_bytes: int) -> None:
    total = sum(
        info.file_size * (JSON_WEIGHT if info.filename.endswith(".json") else 1) for info in infos
    )
    if total > max_bytes:
        raise ModelFileError(
            f"{label} may need {total} bytes of memory, more than the limit of {max_bytes}; if you "
            "expect a model of that size, give a larger max_bytes."
        )
