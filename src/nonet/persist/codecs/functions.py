"""Functions and types by name, from closed tables.

A name in a file is only a key of these tables: nothing is imported, and nothing is looked up in a
module, because a file names it. All functions in them compute on what they are given.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn.feature_selection
import sklearn.metrics

from nonet.persist.codecs.codec import Codec, Record
from nonet.persist.codecs.nonet_classes import nonet_functions

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_TYPES: dict[str, type] = {
    **{kind.__name__: kind for kind in (bool, int, float, str, list, object)},
    **{
        f"numpy.{name}": getattr(np, name)
        for name in (
            "bool_",
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "float16",
            "float32",
            "float64",
            "str_",
            "object_",
        )
    },
}
_NUMPY_FUNCTIONS = ("mean", "median", "min", "max", "sum", "prod", "std", "var", "column_stack")


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return all functions that a file can name."""
    table: dict[str, Any] = dict(nonet_functions())
    for module in (sklearn.metrics, sklearn.feature_selection):
        table |= {
            f"{module.__name__}.{name}": thing
            for name in module.__all__
            if isinstance(thing := getattr(module, name), types.FunctionType)
        }
    table |= {f"numpy.{name}": getattr(np, name) for name in _NUMPY_FUNCTIONS}
    table |= {
        f"numpy.{name}": thing
        for name, thing in vars(np).items()
        if isinstance(thing, np.ufunc) and thing.__name__ == name
    }
    return table


@cache
def _names() -> dict[int, str]:
    return {id(thing): name for name, thing in functions().items()}


def name_of(thing: Any) -> str | None:
    """Return the key of a function; None if no file can name it."""
    return _names().get(id(thing))


def _encode_function(thing: Any, out: Encoder) -> Record:
    name = name_of(thing)
    assert name is not None  # the registry accepts no others
    return {"name": name}


def _decode_function(record: Record, source: Decoder) -> Any:
    name = source.text(record.get("name"))
    if name not in functions():
        raise source.damaged(f"it names the function {name[:80]!r}, which is not in the table")
    return functions()[name]


def _encode_partial(thing: partial[Any], out: Encoder) -> Record:
    return {
        "function": out.value(thing.func),
        "items": out.values(thing.args),
        "names": {name: out.value(value) for name, value in thing.keywords.items()},
    }


def _decode_partial(record: Record, source: Decoder) -> partial[Any]:
    function = source.field(record, "function")
    if name_of(function) is None:
        raise source.damaged("a partial function in it has no function")
    names = source.mapping(record.get("names"))
    keywords = {name: source.value(value) for name, value in names.items()}
    return partial(function, *source.values(record.get("items")), **keywords)


def _encode_type(kind: type, out: Encoder) -> Record:
    return {"name": next(name for name, known in _TYPES.items() if known is kind)}


def _decode_type(record: Record, source: Decoder) -> type:
    name = source.text(record.get("name"))
    if name not in _TYPES:
        raise source.damaged(f"it names the type {name[:80]!r}, which is not in the table")
    return _TYPES[name]


CODECS = (
    Codec(
        "function",
        (types.FunctionType, types.BuiltinFunctionType, np.ufunc, type(np.mean)),
        _encode_function,
        _decode_function,
        accepts=lambda thing: name_of(thing) is not None,
    ),
    Codec(
        "partial",
        (partial,),
        _encode_partial,
        _decode_partial,
        accepts=lambda thing: name_of(thing.func) is not None,
    ),
    Codec(
        "type",
        (type,),
        _encode_type,
        _decode_type,
        accepts=lambda kind: any(kind is known for known in _TYPES.values()),
    ),
)
