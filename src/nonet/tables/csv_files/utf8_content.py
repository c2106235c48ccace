"""The content of a CSV file in UTF-8, piece by piece, as `as_utf8` returns it as a whole."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Iterator

from nonet.tables.column_names import Notes, add_note
from nonet.tables.csv_files.dialect import (
    SAMPLE,
    check_is_text,
    cp1252_note,
    find_mark,
    guess_utf16,
    nul_note,
)
from nonet.tables.pieces import read_ahead

_LONGEST_MARK = 4


class NotUtf8(Exception):
    """A file that began as UTF-8 has bytes that are not: all of it is to be read as cp1252."""


class Utf8Content:
    r"""The content of a file in UTF-8, without marks of byte order and NUL bytes.

    Parameters
    ----------
    read : callable
        Returns the pieces of the file, from its beginning.
    name : str
        Its name, for messages.
    is_cp1252 : bool, default=False
        Whether to read it as cp1252, after a `NotUtf8`.

    Examples
    --------
    >>> content = Utf8Content(lambda: iter(["größe\n".encode("utf-16")]), "a.csv")
    >>> b"".join(content.pieces()).decode()
    'größe\n'
    """

    def __init__(
        self, read: Callable[[], Iterator[bytes]], name: str, *, is_cp1252: bool = False
    ) -> None:
        self.name = name
        self._read = read
        self._is_cp1252 = is_cp1252
        self._n_nul = 0

    def pieces(self) -> Iterator[bytes]:
        """Yield the content from its beginning, in pieces of whole characters."""
        self._n_nul = 0
        head, rest = read_ahead(self._read(), SAMPLE + _LONGEST_MARK)
        head, encoding = find_mark(head)
        encoding = encoding or guess_utf16(head[:SAMPLE])
        found = _chain(head, rest)
        if encoding not in (None, "utf-8"):
            return _decode(found, encoding)
        check_is_text(head[:SAMPLE], self.name)
        found = self._without_nul(found)
        return _decode(found, "cp1252") if self._is_cp1252 else _whole_characters(found)

    def note(self, notes: Notes) -> None:
        """Append what was unusual in the last pass over the pieces."""
        if self._n_nul:
            add_note(notes, nul_note(self.name, self._n_nul))
        if self._is_cp1252:
            add_note(notes, cp1252_note(self.name))

    def _without_nul(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if b"\0" in piece:
                self._n_nul += piece.count(b"\0")
                piece = piece.replace(b"\0", b"")
            yield piece


def _chain(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _decode(pieces: Iterable[bytes], encoding: str | None) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding or "utf-8")("replace")
    for piece in pieces:
        yield decoder.decode(piece).encode()
    yield decoder.decode(b"", final=True).encode()


def _whole_characters(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    try:
        for piece in pieces:
            if not rest and piece.isascii():
                yield piece
                continue
            piece = rest + piece
            _, n_bytes = codecs.utf_8_decode(piece, "strict", False)
            yield piece[:n_bytes]
            rest = piece[n_bytes:]
    except UnicodeDecodeError as why:
        raise NotUtf8 from why
    if rest:
        raise NotUtf8
