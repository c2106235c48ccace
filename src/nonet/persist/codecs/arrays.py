"""Arrays, NumPy's scalars, dtypes and sparse matrices.

Short arrays of numbers stand in JSON, longer ones in ``.npy`` parts. Arrays of objects are lists of
values with a shape.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from nonet._base.aliases import Array
from nonet._base.errors import ModelFileError
from nonet._base.plain_arrays import array_from_bytes, array_to_bytes, is_plain, plain_dtype
from nonet.persist.codecs.codec import RECORDS, Codec, Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_SHORT = 16
_MOST_BELOW = 64  # rows that are stored for a row above them, at most
_MAX_SIZE = 1 << 62
_SPARSE: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        sparse.csr_matrix,
        sparse.csc_matrix,
        sparse.csr_array,
        sparse.csc_array,
    )
}


def _can_hold(thing: Array | np.dtype) -> bool:
    dtype = thing.dtype if isinstance(thing, np.ndarray) else thing
    return dtype.kind == "O" or is_plain(dtype)


# ---- Arrays ------------------------------------------------------------------------------------


def _encode_array(array: Array, out: Encoder) -> Record:
    if array.dtype.kind == "O":
        return {"objects": out.values(array.ravel().tolist()), "shape": list(array.shape)}
    record = _as_json(array)
    if record is not None:
        return record
    if not _is_first_rows(array):
        return {"part": out.add_part("arrays", "npy", array_to_bytes(array))}
    content = array_to_bytes(_with_the_rows_below(array))
    return {"part": out.add_part("arrays", "npy", content), "rows": len(array)}


def _is_first_rows(array: Array) -> bool:
    """Return whether an array is a view of the first rows of one that is stored by column.

    The components of IncrementalPCA are. Products round by the layout, so it is stored as well.
    """
    if array.ndim != 2 or not array.size or array.flags.c_contiguous or array.flags.f_contiguous:
        return False
    of_row, of_column = array.strides
    n_below = of_column // array.itemsize - len(array)
    return (
        of_row == array.itemsize and of_column % of_row == 0 and n_below <= _MOST_BELOW * len(array)
    )


def _with_the_rows_below(array: Array) -> Array:
    whole = np.zeros((array.strides[1] // array.itemsize, array.shape[1]), array.dtype, order="F")
    whole[: len(array)] = array
    return whole


def _as_json(array: Array) -> Record | None:
    """Return a short array as numbers, if JSON gives back every bit of them."""
    if array.size > _SHORT or array.ndim != 1 or array.dtype.kind not in "biuf":
        return None
    numbers = array.tolist()
    if not all(math.isfinite(number) for number in numbers):
        return None
    if np.array(numbers, dtype=array.dtype).tobytes() != array.tobytes():
        return None
    return {"dtype": array.dtype.str, "numbers": numbers}


def _decode_array(record: Record, source: Decoder) -> Array:
    if "part" in record:
        array = _from_bytes(source.part(record["part"]), record["part"], source)
        return array if "rows" not in record else _first_rows(array, record["rows"], source)
    if "numbers" in record:
        return _from_numbers(record, source)
    return _from_objects(record, source)


def _first_rows(array: Array, n_rows: Any, source: Decoder) -> Array:
    if array.ndim != 2:
        raise source.damaged("the first rows of an array are those of one that has none")
    return array[: source.number(n_rows, 0, len(array))]


def _from_bytes(content: bytes, name: str, source: Decoder) -> Array:
    try:
        return array_from_bytes(content, name)
    except ModelFileError as why:
        raise source.damaged(str(why).rstrip(".")) from why


def _plain_dtype(name: Any, source: Decoder) -> np.dtype:
    text = source.text(name)
    try:
        return plain_dtype(text, RECORDS)
    except ModelFileError as why:
        raise source.damaged(str(why).rstrip(".")) from why


def _from_numbers(record: Record, source: Decoder) -> Array:
    dtype = _plain_dtype(record.get("dtype"), source)
    numbers = source.sequence(record["numbers"])
    allowed = {"b": (bool,), "i": (int,), "u": (int,), "f": (float, int)}.get(dtype.kind, ())
    if not all(type(number) in allowed for number in numbers):
        raise source.damaged("an array holds something else than its dtype")
    try:
        return np.array(numbers, dtype=dtype)
    except (OverflowError, ValueError) as why:
        raise source.damaged(f"an array holds numbers beyond {dtype}") from why


def _from_objects(record: Record, source: Decoder) -> Array:
    items = source.values(record.get("objects"))
    shape = _shape(record, source)
    if math.prod(shape) != len(items):
        raise source.damaged("an array of objects does not fit its shape")
    array = np.empty(len(items), dtype=object)
    for position, item in enumerate(items):  # one by one: NumPy would look into lists
        array[position] = item
    return array.reshape(shape)


def _shape(record: Record, source: Decoder) -> tuple[int, ...]:
    sizes = source.sequence(record.get("shape"))
    if len(sizes) > 32:
        raise source.damaged("an array has more than 32 dimensions")
    return tuple(source.number(size, 0, _MAX_SIZE) for size in sizes)


# ---- Scalars and dtypes ------------------------------------------------------------------------


def _encode_scalar(scalar: np.generic, out: Encoder) -> Record:
    array = np.atleast_1d(np.asarray(scalar))
    record = _as_json(array)
    if record is None:
        # Text, dates, NaN: the bytes of an array of one element.
        return {"npy": array_to_bytes(array).hex()}
    return {"dtype": record["dtype"], "number": record["numbers"][0]}


def _decode_scalar(record: Record, source: Decoder) -> np.generic:
    if "npy" in record:
        try:
            content = bytes.fromhex(source.text(record["npy"]))
        except ValueError as why:
            raise source.damaged("a scalar in it is not in hexadecimal digits") from why
        array = _from_bytes(content, RECORDS, source)
    else:
        array = _from_numbers({**record, "numbers": [record.get("number")]}, source)
    if array.shape != (1,):
        raise source.damaged("a scalar in it is not one number")
    scalar: np.generic = array[0]
    return scalar


_SCALAR_TYPES = (
    np.bool_,
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.longlong,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.ulonglong,
    np.float16,
    np.float32,
    np.float64,
    np.longdouble,
    np.complex64,
    np.complex128,
    np.str_,
    np.bytes_,
    np.datetime64,
    np.timedelta64,
)


def _encode_dtype(dtype: np.dtype, out: Encoder) -> Record:
    if dtype.kind == "O":
        return {"name": "object"}
    return {"name": dtype.str}


def _decode_dtype(record: Record, source: Decoder) -> np.dtype:
    name = record.get("name")
    return np.dtype(object) if name == "object" else _plain_dtype(name, source)


# ---- Sparse matrices ---------------------------------------------------------------------------


def _encode_sparse(matrix: Any, out: Encoder) -> Record:
    return {
        "format": type(matrix).__name__,
        "shape": [int(size) for size in matrix.shape],
        "data": out.value(matrix.data),
        "indices": out.value(matrix.indices),
        "indptr": out.value(matrix.indptr),
    }


def _decode_sparse(record: Record, source: Decoder) -> Any:
    kind = _SPARSE.get(source.text(record.get("format")))
    data, indices, indptr = (source.field(record, name) for name in ("data", "indices", "indptr"))
    if kind is None or not all(type(part) is np.ndarray for part in (data, indices, indptr)):
        raise source.damaged("a sparse matrix in it has no arrays")
    try:
        matrix = kind((data, indices, indptr), shape=_shape(record, source))
        matrix.check_format(full_check=True)
    except ModelFileError:
        raise
    except Exception as why:  # SciPy raises several kinds
        raise source.damaged("the indices of a sparse matrix do not fit its shape") from why
    return matrix


CODECS = (
    Codec("array", (np.ndarray,), _encode_array, _decode_array, accepts=_can_hold),
    Codec("scalar", _SCALAR_TYPES, _encode_scalar, _decode_scalar),
    Codec(
        "dtype",
        tuple({type(np.dtype(kind)) for kind in (*_SCALAR_TYPES, object)}),
        _encode_dtype,
        _decode_dtype,
        accepts=_can_hold,
    ),
    Codec("sparse", tuple(_SPARSE.values()), _encode_sparse, _decode_sparse),
)
