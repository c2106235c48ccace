"""The directory of a zip archive, checked before a part is read.

Archives as `write_archive` makes them are read here, in a fraction of the time that `zipfile`
takes. It reads all others: those of other programs, larger than 4 GiB, or damaged.
"""

from __future__ import annotations

import re
import struct
import zipfile
from typing import NamedTuple

from nonet._base.random_access import RandomAccess

MAX_PARTS = 100_000
# A part that shrinks further is stored as it is: so no honest archive looks like a bomb.
MAX_RATIO = 100
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
BYTES_OF_LOCAL_HEADER = 30
_RATIO_FREE_BYTES = 4096

_NAME = re.compile(r"[a-z0-9_]{1,64}(/[a-z0-9_]{1,64}){0,3}\.[a-z]{1,16}")
_IS_ENCRYPTED = 0x1
_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END_WORD, _ENTRY_WORD = b"PK\x05\x06", b"PK\x01\x02"
_LATEST_VERSION = 63  # of the zip format
_MORE_ELSEWHERE = 0xFFFFFFFF  # sizes of 4 GiB and more stand in another field


class Entry(NamedTuple):
    """What the directory holds about a part."""

    name: str
    flags: int
    method: int
    crc: int
    n_packed: int
    n_bytes: int
    start: int


def read_directory(file: RandomAccess) -> list[Entry]:
    """Return the entries of all parts.

    Parameters
    ----------
    file : RandomAccess
        The archive.

    Returns
    -------
    list of Entry

    Raises
    ------
    Exception
        One of many kinds, if the archive is damaged, or its parts cannot be those of `nonet`.
    """
    entries = _plain_entries(file)
    if entries is None:
        entries = _entries_by_zipfile(file)
    _check_entries(entries, file.n_bytes)
    return entries


def is_suspicious(n_bytes: int, n_packed: int) -> bool:
    """Return whether a part shrinks as only bombs do."""
    return n_bytes > MAX_RATIO * n_packed + _RATIO_FREE_BYTES


def _plain_entries(file: RandomAccess) -> list[Entry] | None:
    """Return the entries of an archive without any extensions; None for others."""
    end = file.read(max(0, file.n_bytes - _END.size), _END.size)
    if len(end) < _END.size:
        return None
    word, disk, disk_of_start, n_here, n_parts, n_bytes, start, n_comment = _END.unpack(end)
    if word != _END_WORD or disk or disk_of_start or n_comment or n_here != n_parts:
        return None
    if start + n_bytes + _END.size != file.n_bytes:
        return None
    directory = file.read(start, n_bytes)
    entries = []
    at = 0
    for _ in range(n_parts):
        found = _plain_entry(directory, at)
        if found is None:
            return None
        entry, at = found
        entries.append(entry)
    return entries if at == n_bytes else None


def _plain_entry(directory: bytes, at: int) -> tuple[Entry, int] | None:
    """Return an entry and where the next one begins; None if it is not a plain one."""
    if at + _ENTRY.size > len(directory):
        return None
    word, _, version, flags, method, _, _, crc, n_packed, n_bytes, n_name, *others, start = (
        _ENTRY.unpack_from(directory, at)
    )
    n_extra, n_comment, disk = others[:3]
    if word != _ENTRY_WORD or n_extra or n_comment or disk or version > _LATEST_VERSION:
        return None
    if _MORE_ELSEWHERE in (n_packed, n_bytes, start):
        return None
    at += _ENTRY.size
    name = directory[at : at + n_name]
    if len(name) < n_name or not name.isascii():
        return None
    return Entry(name.decode(), flags, method, crc, n_packed, n_bytes, start), at + n_name


def _entries_by_zipfile(file: RandomAccess) -> list[Entry]:
    entries = []
    for info in zipfile.ZipFile(file.file).infolist():
        if info.orig_filename != info.filename:
            raise ValueError(f"{info.filename[:80]!r} is not the name of a part")
        sizes = info.compress_size, info.file_size, info.header_offset
        entries.append(Entry(info.filename, info.flag_bits, info.compress_type, info.CRC, *sizes))
    return entries


# ---- Checks --------------------------------------------------------------------------------------


def _check_entries(entries: list[Entry], n_file_bytes: int) -> None:
    if len(entries) > MAX_PARTS:
        raise ValueError(f"{len(entries)} parts are more than {MAX_PARTS}")
    if len({entry.name for entry in entries}) < len(entries):
        raise ValueError("two parts have the same name")
    for entry in entries:
        _check_entry(entry)
    _check_apart(entries, n_file_bytes)


def _check_entry(entry: Entry) -> None:
    name, flags, method, _, n_packed, n_bytes, _ = entry
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name[:80]!r} is not the name of a part")
    if flags & _IS_ENCRYPTED:
        raise ValueError(f"part {name!r} is encrypted")
    if method not in (STORED, DEFLATED):
        raise ValueError(f"part {name!r} is compressed in an unknown way")
    if method == STORED and n_bytes != n_packed:
        raise ValueError(f"part {name!r} has two sizes")
    if is_suspicious(n_bytes, n_packed):
        raise ValueError(
            f"part {name!r} claims to unpack to {n_bytes} bytes from {n_packed}, more than "
            f"{MAX_RATIO} times as many"
        )


def _check_apart(entries: list[Entry], n_file_bytes: int) -> None:
    """Raise if parts overlap: bombs list the same bytes many times."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.start):
        if entry.start < end:
            raise ValueError(f"part {entry.name!r} overlaps with another")
        end = entry.start + BYTES_OF_LOCAL_HEADER + entry.n_packed
    if end > n_file_bytes:
        raise ValueError("the file ends too early")
