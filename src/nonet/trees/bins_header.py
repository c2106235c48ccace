"""The beginning of a bins file: what it holds, checked before anything else is read.

A bins file consists of a fixed prefix, a description in JSON, and sections that begin on a page of
their own: the bins of the columns (edges, minima, maxima), the rows' bins column after column, the
same row after row, targets, weights, and a checksum for each block of rows. Where sections lie
follows from the description alone.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from nonet._base.aliases import Array
from nonet._native.bin_edges import BinEdges

MAGIC = b"NONETBIN"
VERSION = 1
ROWS_PER_BLOCK = 1 << 16
_PREFIX = struct.Struct("<8sIIQQI")  # magic, version, zero, bytes of the description and file, crc
_PAGE = 4096
_MAX_DESCRIPTION = 1 << 28
_MAX_ROWS = 2**32 - 1
_EDGE_TYPES = ("<i8", "<f8", "<f8", "<f8", "u1", "u1")


class DamagedHeader(ValueError):
    """A file does not begin as bins files do."""


@dataclass(frozen=True, kw_only=True)
class BinsHeader:
    """What a bins file holds.

    Parameters
    ----------
    n_rows : int
        Number of rows.
    edges : BinEdges
        The bins of the columns.
    max_bins, seed : int
        With what the edges were found.
    names : list of str or None
        The names of the columns.
    known, joined : dict of int to array
        For columns of categories what codes stand for, as in `CategoryCodes`.
    labels : array or None
        The distinct targets, if they are few or no numbers.
    are_codes : bool
        Whether targets are stored as positions in `labels`.
    has_target, has_weights : bool
        Whether there are targets, and weights.
    n_edge_rows : int
        Number of rows that the edges were found from; others were appended later.
    origin : dict
        From what the file was made, as JSON; a file that was begun goes on if it is the same.
    """

    n_rows: int
    edges: BinEdges
    max_bins: int
    seed: int
    names: list[str] | None = None
    known: Mapping[int, Array] = field(default_factory=dict)
    joined: Mapping[int, Array] = field(default_factory=dict)
    labels: Array | None = None
    are_codes: bool = False
    has_target: bool = False
    has_weights: bool = False
    n_edge_rows: int = 0
    origin: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.edges.n_columns

    @property
    def bytes_per_bin(self) -> int:
        """Bytes that a bin takes in a column."""
        return self.edges.bytes_per_bin

    @property
    def row_stride(self) -> int:
        """Bytes of a row where rows follow one another; 0: they are not kept so."""
        return 8 * -(-self.n_columns // 8) if self.bytes_per_bin == 1 else 0

    @property
    def n_blocks(self) -> int:
        """Number of blocks of rows."""
        return -(-self.n_rows // ROWS_PER_BLOCK)

    @property
    def bytes_per_row(self) -> int:
        """Bytes that a row takes in the file."""
        numbers = 8 * (int(self.has_target) + int(self.has_weights))
        return self.n_columns * self.bytes_per_bin + self.row_stride + numbers

    @cached_property
    def sections(self) -> dict[str, tuple[int, int]]:
        """Where each section begins, and its bytes."""
        sizes = {
            "edges": sum(array.nbytes for array in self.edges.arrays),
            "columns": self.n_rows * self.n_columns * self.bytes_per_bin,
            "rows": self.n_rows * self.row_stride,
            "target": 8 * self.n_rows * int(self.has_target),
            "weights": 8 * self.n_rows * int(self.has_weights),
            "checksums": 8 * self.n_blocks,
        }
        found, position = {}, _whole_pages(_PREFIX.size + len(self._description))
        for name, size in sizes.items():
            found[name] = position, size
            position += _whole_pages(size)
        return found

    @property
    def n_bytes(self) -> int:
        """Bytes of the whole file."""
        begin, size = self.sections["checksums"]
        return begin + size

    def rows_of(self, block: int) -> range:
        """Return the rows of a block."""
        first = block * ROWS_PER_BLOCK
        return range(first, min(first + ROWS_PER_BLOCK, self.n_rows))

    def positions_of(self, rows: range) -> Iterator[tuple[int, int]]:
        """Yield where the bytes of some rows are, and how many: in the order of checksums."""
        width, stride = self.bytes_per_bin, self.row_stride
        begins = {name: begin for name, (begin, _) in self.sections.items()}
        for j in range(self.n_columns):
            yield begins["columns"] + (j * self.n_rows + rows.start) * width, len(rows) * width
        yield begins["rows"] + rows.start * stride, len(rows) * stride
        for name in ("target", "weights"):
            n_bytes = 8 if self.sections[name][1] else 0
            yield begins[name] + rows.start * n_bytes, len(rows) * n_bytes

    # ---- As bytes ------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the file up to its first section of rows."""
        text, edges = self._description, self._edge_bytes
        checked = MAGIC, VERSION, 0, len(text), self.n_bytes
        prefix = _PREFIX.pack(*checked, zlib.crc32(repr(checked[1:]).encode()))
        head = (prefix + text).ljust(self.sections["edges"][0], b"\0")
        return (head + edges).ljust(self.sections["columns"][0], b"\0")

    @property
    def _edge_bytes(self) -> bytes:
        typed = zip(self.edges.arrays, _EDGE_TYPES, strict=True)
        return b"".join(array.astype(dtype).tobytes() for array, dtype in typed)

    @cached_property
    def _description(self) -> bytes:
        given = {
            "n_rows": self.n_rows,
            "sizes_of_edges": [len(array) for array in self.edges.arrays],
            "bytes_per_bin": self.bytes_per_bin,
            "checksum_of_edges": zlib.crc32(self._edge_bytes),
            "max_bins": self.max_bins,
            "seed": self.seed,
            "names": self.names,
            "known": {str(j): pack_values(values) for j, values in self.known.items()},
            "joined": {str(j): pack_values(values) for j, values in self.joined.items()},
            "labels": None if self.labels is None else pack_values(self.labels),
            "are_codes": self.are_codes,
            "has_target": self.has_target,
            "has_weights": self.has_weights,
            "n_edge_rows": self.n_edge_rows,
            "origin": dict(self.origin),
        }
        text = json.dumps(given, allow_nan=False).encode()
        return struct.pack("<I", zlib.crc32(text)) + text

    @classmethod
    def from_bytes(cls, content: memoryview, n_bytes: int) -> BinsHeader:
        """Read the header from the beginning of a file of so many bytes, or raise."""
        given = _read_description(content, n_bytes)
        try:
            header = cls._of(given, content)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as why:
            raise DamagedHeader(str(why)) from why
        if header.n_bytes != n_bytes:
            raise DamagedHeader("sizes do not add up")
        return header

    @classmethod
    def _of(cls, given: Mapping[str, Any], content: memoryview) -> BinsHeader:
        begin = _whole_pages(_PREFIX.size + _description_bytes(content))
        edges, end = [], begin
        for n, dtype in zip(given["sizes_of_edges"], _EDGE_TYPES, strict=True):
            n_bytes = _count(n) * np.dtype(dtype).itemsize
            edges.append(np.frombuffer(content[end : end + n_bytes], dtype).copy())
            end += n_bytes
        if zlib.crc32(content[begin:end]) != given["checksum_of_edges"]:
            raise ValueError("edges are damaged")
        labels = given["labels"]
        header = cls(
            n_rows=_count(given["n_rows"], _MAX_ROWS, least=1),
            edges=BinEdges(*edges),
            max_bins=_count(given["max_bins"], 65_535, least=2),
            seed=_count(given["seed"]),
            names=given["names"],
            known={int(j): unpack_values(values) for j, values in given["known"].items()},
            joined={int(j): unpack_values(values) for j, values in given["joined"].items()},
            labels=None if labels is None else unpack_values(labels),
            are_codes=bool(given["are_codes"]),
            has_target=bool(given["has_target"]),
            has_weights=bool(given["has_weights"]),
            n_edge_rows=_count(given["n_edge_rows"]),
            origin=given["origin"],
        )
        header._check()
        return header

    def _check(self) -> None:
        if not self.n_columns or (self.edges.n_bins < 0).any():
            raise ValueError("there are no columns")
        if self.names is not None and (
            len(self.names) != self.n_columns
            or not all(isinstance(name, str) for name in self.names)
        ):
            raise ValueError("names are not those of the columns")
        categories = np.flatnonzero(self.edges.is_category).tolist()
        if sorted(self.known) != categories or not set(self.joined) <= set(categories):
            raise ValueError("categories are not those of the columns")
        if self.are_codes and self.labels is None:
            raise ValueError("labels are missing")


def _read_description(content: memoryview, n_bytes: int) -> Mapping[str, Any]:
    if len(content) < _PREFIX.size or bytes(content[: len(MAGIC)]) != MAGIC:
        raise DamagedHeader("it is no bins file")
    checked = _PREFIX.unpack(content[: _PREFIX.size])
    if checked[1] != VERSION:
        raise DamagedHeader(f"it has version {checked[1]}, and this release reads {VERSION}")
    if zlib.crc32(repr(checked[1:-1]).encode()) != checked[-1] or checked[4] != n_bytes:
        raise DamagedHeader("its beginning is damaged, or its end is missing")
    size = checked[3]
    if size > min(_MAX_DESCRIPTION, len(content) - _PREFIX.size) or size < 4:
        raise DamagedHeader("its description is damaged")
    text = content[_PREFIX.size + 4 : _PREFIX.size + size]
    (checksum,) = struct.unpack("<I", content[_PREFIX.size : _PREFIX.size + 4])
    if zlib.crc32(text) != checksum:
        raise DamagedHeader("its description is damaged")
    given = json.loads(bytes(text))
    if not isinstance(given, dict):
        raise DamagedHeader("its description is damaged")
    return given


def _description_bytes(content: memoryview) -> int:
    n_bytes: int = _PREFIX.unpack(content[: _PREFIX.size])[3]
    return n_bytes


def _whole_pages(n_bytes: int) -> int:
    return -(-n_bytes // _PAGE) * _PAGE


def _count(value: Any, most: int = 2**64, *, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no number of things")
    return value


# ---- Values of categories and labels -------------------------------------------------------------


def pack_values(values: Array) -> dict[str, Any]:
    """Return distinct values as JSON holds them: numbers and booleans of one type, or text.

    Examples
    --------
    >>> pack_values(np.array(["a", "b"], dtype=object))
    {'dtype': 'O', 'values': ['a', 'b']}
    """
    plain = values.tolist()
    odd = next((v for v in plain if not isinstance(v, str | int | float | bool)), None)
    if odd is not None:
        raise TypeError(
            f"a bins file holds categories and labels that are text or numbers, but got {odd!r} of "
            f"type {type(odd).__name__}; give it as text."
        )
    return {"dtype": values.dtype.str if values.dtype.kind != "O" else "O", "values": plain}


def unpack_values(packed: Mapping[str, Any]) -> Array:
    """Return the values that were packed.

    Examples
    --------
    >>> unpack_values({"dtype": "<i8", "values": [3, 7]})
    array([3, 7])
    """
    plain = list(packed["values"])
    if not all(isinstance(value, str | int | float | bool) for value in plain):
        raise ValueError("values are neither text nor numbers")
    dtype = np.dtype(packed["dtype"])
    if dtype.kind not in "biufUO":
        raise ValueError(f"values are of type {dtype}")
    values = np.empty(len(plain), dtype=dtype)
    values[:] = plain
    return values
