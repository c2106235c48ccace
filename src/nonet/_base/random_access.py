"""Bytes anywhere in a file, for several threads at once."""

from __future__ import annotations

import os
from io import FileIO
from threading import Lock
from typing import BinaryIO

_BYTES_OF_START = 1 << 15  # small files as a whole, manifests and records of others


class RandomAccess:
    """A file whose start is kept in memory, and whose other bytes are read when needed.

    Parameters
    ----------
    file : binary file
        Open for reading; it must be able to seek.

    Attributes
    ----------
    file : binary file
        The file; who reads from it otherwise shares its position.
    n_bytes : int
        Its size.

    Examples
    --------
    >>> import io
    >>> file = RandomAccess(io.BytesIO(b"0123456789"))
    >>> file.n_bytes, file.read(3, 4), file.read(8, 4)
    (10, b'3456', b'89')
    """

    def __init__(self, file: BinaryIO | FileIO) -> None:
        self.file = file
        self.n_bytes = file.seek(0, os.SEEK_END)
        # Without a position, threads need not wait for each other; Windows has no such call.
        has_descriptor = type(file) is FileIO and hasattr(os, "pread")
        self._descriptor = file.fileno() if has_descriptor else None
        self._lock = Lock()
        self._start = self._fetch(0, min(self.n_bytes, _BYTES_OF_START))

    def read(self, start: int, n_bytes: int) -> bytes:
        """Return bytes from a position on: fewer than wanted only where the file ends."""
        end = start + n_bytes
        return self._start[start:end] if end <= len(self._start) else self._fetch(start, n_bytes)

    def _fetch(self, start: int, n_bytes: int) -> bytes:
        n_bytes = min(n_bytes, self.n_bytes - start)
        found = self._fetch_some(start, n_bytes) if n_bytes > 0 else b""
        if len(found) >= n_bytes:
            return found
        # A call of the system reads two gigabytes at most.
        pieces = [found]
        n_found = len(found)
        while pieces[-1] and n_found < n_bytes:
            pieces.append(self._fetch_some(start + n_found, n_bytes - n_found))
            n_found += len(pieces[-1])
        return b"".join(pieces)

    def _fetch_some(self, start: int, n_bytes: int) -> bytes:
        if self._descriptor is not None:
            return os.pread(self._descriptor, n_bytes, start)
        with self._lock:
            self.file.seek(start)
            return self.file.read(n_bytes) or b""
