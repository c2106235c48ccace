"""Arrays as bytes of NumPy's ``.npy`` format, version 1.0, without pickle.

NumPy's own reader allocates what the header names before it looks at the bytes. This one reads only
the headers that NumPy writes for plain dtypes, and compares the size with the bytes at hand.
"""

from __future__ import annotations

import io
import math
import re

import numpy as np

from nonet._base.aliases import Array
from nonet._base.errors import ModelFileError

MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<>|=][a-zA-Z]\d{0,6}(?:\[\d{0,6}[a-zA-Z]{1,2}\])?)', "
    rb"'fortran_order': (True|False), 'shape': \(((?:\d{1,18}, ?)*\d{0,18},?)\), \} *\n"
)
_MAX_DIMENSIONS = 32


def is_plain(dtype: np.dtype) -> bool:
    """Return whether arrays of this dtype are numbers, booleans, dates or text of fixed width."""
    return dtype.kind in "biufcSUmM" and dtype.fields is None and dtype.subdtype is None


def array_to_bytes(array: Array) -> bytes:
    """Write an array of a plain dtype.

    Examples
    --------
    >>> array_from_bytes(array_to_bytes(np.array([1.5, 2.5])), "numbers")
    array([1.5, 2.5])
    """
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=(1, 0), allow_pickle=False)
    return out.getvalue()


def array_from_bytes(content: bytes | memoryview, name: str) -> Array:
    """Read an array that owns its memory and can be written to.

    Parameters
    ----------
    content : bytes
        What `array_to_bytes` returned, or anything else.
    name : str
        The name of the part, for messages.

    Returns
    -------
    ndarray

    Raises
    ------
    ModelFileError
        If the bytes are not exactly those of an array of a plain dtype.
    """
    dtype, is_fortran, shape, data = _read_header(content, name)
    count = math.prod(shape)
    if count * dtype.itemsize != len(data):
        raise ModelFileError(
            f"part {name!r} has {len(data)} bytes, where an array of shape {shape} and dtype "
            f"{dtype} takes {count * dtype.itemsize}."
        )
    flat = np.frombuffer(data, dtype=dtype).copy() if count else np.empty(0, dtype)
    array: Array = flat.reshape(shape, order="F" if is_fortran else "C")
    _check_values(array, name)
    return array


def _read_header(
    content: bytes | memoryview, name: str
) -> tuple[np.dtype, bool, tuple[int, ...], memoryview]:
    view = memoryview(content)
    length = int.from_bytes(view[8:10], "little")
    header = bytes(view[10 : 10 + length])
    found = _HEADER.fullmatch(header)
    if bytes(view[:8]) != MAGIC or len(header) != length or found is None:
        raise ModelFileError(f"part {name!r} is not an array of a plain dtype.")
    descr, is_fortran, sizes = (group.decode() for group in found.groups())
    shape = tuple(int(size) for size in sizes.replace(" ", "").split(",") if size)
    if len(shape) > _MAX_DIMENSIONS:
        raise ModelFileError(f"part {name!r} has more than {_MAX_DIMENSIONS} dimensions.")
    return plain_dtype(descr, name), is_fortran == "True", shape, view[10 + length :]


def plain_dtype(descr: str, name: str) -> np.dtype:
    """Return the plain dtype of a description such as ``'<f8'``, or raise a ModelFileError."""
    try:
        dtype = np.dtype(descr)
    except (TypeError, ValueError) as why:
        raise ModelFileError(f"part {name!r} has the unknown dtype {descr[:40]!r}.") from why
    if not is_plain(dtype) or (dtype.kind not in "SU" and dtype.itemsize == 0):
        raise ModelFileError(
            f"part {name!r} is an array of dtype {descr!r}, but only numbers, dates and text are "
            "read."
        )
    return dtype


def _check_values(array: Array, name: str) -> None:
    """Raise for bit patterns that no program writes, and that NumPy does not check itself."""
    if array.dtype.kind == "b" and array.size and array.view(np.uint8).max() > 1:
        raise ModelFileError(f"part {name!r} has a truth value that is neither 0 nor 1.")
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).view(f"{array.dtype.byteorder}u4")
        if codes.max() > 0x10FFFF:
            raise ModelFileError(f"part {name!r} has text that is not Unicode.")
