"""Content in pieces: files larger than memory are read so, and what stands before damage is kept.

All functions here pass on a `BrokenFile` after the items that came before it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

Item = TypeVar("Item")


class BrokenFile(ValueError):
    """A file cannot be read any further; what stands before that position can be used."""


def read_ahead(pieces: Iterator[bytes], n_bytes: int) -> tuple[bytes, Iterator[bytes]]:
    """Return the first pieces, of so many bytes if there are, and the pieces after them.

    Examples
    --------
    >>> head, rest = read_ahead(iter([b"ab", b"c", b"de"]), 3)
    >>> head, list(rest)
    (b'abc', [b'de'])
    """
    head, n_read = [], 0
    try:
        for piece in pieces:
            head.append(piece)
            n_read += len(piece)
            if n_read >= n_bytes:
                break
    except BrokenFile as why:
        return b"".join(head), map(_raise, [why])
    return b"".join(head), pieces


def _raise(why: BrokenFile) -> bytes:
    raise why


def skip_bytes(pieces: Iterable[bytes], n_bytes: int) -> Iterator[bytes]:
    """Yield the pieces without their first bytes.

    Examples
    --------
    >>> list(skip_bytes([b"ab", b"cd"], 3))
    [b'd']
    """
    for piece in pieces:
        if n_bytes < len(piece):
            yield piece[n_bytes:]
        n_bytes = max(0, n_bytes - len(piece))


def gather(pieces: Iterable[bytes], n_bytes: int) -> Iterator[bytes]:
    """Yield larger pieces, of so many bytes or more, but for the last.

    Examples
    --------
    >>> list(gather([b"ab", b"c", b"de", b"f"], 3))
    [b'abc', b'def']
    """
    found, n_found = [], 0
    try:
        for piece in pieces:
            found.append(piece)
            n_found += len(piece)
            if n_found >= n_bytes:
                yield b"".join(found)
                found, n_found = [], 0
    except BrokenFile:
        if found:
            yield b"".join(found)
        raise
    if found:
        yield b"".join(found)


def batches(items: Iterable[Item], n_items: int) -> Iterator[list[Item]]:
    """Yield lists of so many items; the last may have fewer.

    Examples
    --------
    >>> list(batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    batch: list[Item] = []
    try:
        for item in items:
            batch.append(item)
            if len(batch) == n_items:
                yield batch
                batch = []
    except BrokenFile:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def open_pieces(pieces: Iterable[bytes]) -> io.BufferedReader:
    r"""Return pieces as a file that is open for reading.

    Examples
    --------
    >>> list(open_pieces([b"1\n2", b"3\n"]))
    [b'1\n', b'23\n']
    """
    return io.BufferedReader(_PieceStream(pieces), 1 << 16)


class _PieceStream(io.RawIOBase):
    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        n_bytes = min(len(buffer), len(self._rest))
        buffer[:n_bytes] = self._rest[:n_bytes]
        self._rest = self._rest[n_bytes:]
        return n_bytes
