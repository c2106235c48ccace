"""Lists, tuples, dictionaries, sets and the few scalars that JSON does not have."""

from __future__ import annotations

import base64
import binascii
import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils import Bunch

from nonet._native.tree import Tree
from nonet.persist.codecs.codec import Codec, Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_KEYS = (type(None), bool, int, float, str)


def _encode_list(things: list[Any], out: Encoder) -> Record:
    if things and all(type(thing) is Tree for thing in things):
        return _side_by_side(things, out) or {"items": out.values(things)}
    if things and all(_is_round(thing) for thing in things):
        trees = [tree for round_ in things for tree in round_]
        record = _side_by_side(trees, out)
        if record is not None:
            sizes = [len(round_) for round_ in things]
            # One number for all, where it is one: a booster has thousands of rounds.
            return {**record, "sizes": sizes[0] if len(set(sizes)) == 1 else sizes}
    return {"items": out.values(things)}


def _is_round(thing: Any) -> bool:
    return type(thing) is list and bool(thing) and all(type(tree) is Tree for tree in thing)


def _side_by_side(trees: list[Tree], out: Encoder) -> Record | None:
    """Return the record of trees that follow one another in their group; None for others."""
    found = out.trees.locate(trees)
    group, start = found[0]
    if found != [(group, start + position) for position in range(len(found))]:
        return None
    return {"trees": group, "start": start, "count": len(trees)}


def _decode_list(record: Record, source: Decoder) -> list[Any]:
    if "trees" not in record:
        return source.values(record.get("items"))
    count = source.number(record.get("count"), 1, 1 << 40)
    trees = source.trees.take(record["trees"], record.get("start"), count)
    if "sizes" not in record:
        return trees
    ends = _ends_of_rounds(record["sizes"], count, source)
    if len(ends) == count + 1:  # as of most boosters, in less than half the time
        return [[tree] for tree in trees]
    return [trees[start:end] for start, end in pairwise(ends)]


def _ends_of_rounds(sizes: Any, count: int, source: Decoder) -> list[int]:
    if isinstance(sizes, int):
        ends = list(range(0, count + 1, source.number(sizes, 1, count)))
    else:
        ends = [0, *accumulate(source.number(s, 1, count) for s in source.sequence(sizes))]
    if ends[-1] != count:
        raise source.damaged("the rounds of a booster do not use all of its trees")
    return ends


def _encode_dict(things: dict[Any, Any], out: Encoder) -> Record:
    if all(type(key) is str for key in things):
        values = {}
        for key, thing in things.items():
            with out.within(f"[{key!r}]"):
                values[key] = out.value(thing)
        return {"names": values}
    pairs = []
    for key, thing in things.items():
        with out.within(f"[{key!r}]"):
            pairs.append([out.value(key), out.value(thing)])
    return {"items": pairs}


def _decode_dict(record: Record, source: Decoder) -> dict[Any, Any]:
    if "names" in record:
        names = source.mapping(record["names"])
        return {name: source.value(value) for name, value in names.items()}
    made = {}
    for pair in source.sequence(record.get("items")):
        if len(source.sequence(pair)) != 2:
            raise source.damaged("an entry of a dictionary is not a key and a value")
        key, thing = source.values(pair)
        made[check_key(key, source)] = thing
    return made


def check_key(key: Any, source: Decoder) -> Any:
    """Return a scalar, or a tuple of scalars: hashing others may take for ever, or run code."""
    inside = key if type(key) is tuple else (key,)
    if not all(type(part) in _KEYS or isinstance(part, np.generic) for part in inside):
        raise source.damaged("a key of a dictionary is not a scalar")
    return key


def _codec_of_mapping(kind: str, type_: type, make: Callable[[dict[Any, Any]], Any]) -> Codec:
    return Codec(
        kind, (type_,), _encode_dict, lambda record, source: make(_decode_dict(record, source))
    )


def _encode_default_dict(things: defaultdict[Any, Any], out: Encoder) -> Record:
    factory = things.default_factory
    if factory not in _FACTORIES.values():
        raise out.refusal("a defaultdict with a function of its own", "make it a dictionary")
    name = next(name for name, known in _FACTORIES.items() if known is factory)
    return {"factory": name, **_encode_dict(things, out)}


def _decode_default_dict(record: Record, source: Decoder) -> defaultdict[Any, Any]:
    factory = source.text(record.get("factory"))
    if factory not in _FACTORIES:
        raise source.damaged("a dictionary has an unknown default")
    return defaultdict(_FACTORIES[factory], _decode_dict(record, source))


_FACTORIES: dict[str, Any] = {"none": None, "list": list, "dict": dict, "int": int, "float": float}


def _encode_set(things: Any, out: Encoder) -> Record:
    return {"items": out.values(sorted(things, key=lambda thing: (type(thing).__name__, thing)))}


def _decode_items(make: Callable[[list[Any]], Any]) -> Callable[[Record, Decoder], Any]:
    return lambda record, source: make(source.values(record.get("items")))


def _decode_set(make: Callable[[list[Any]], Any]) -> Callable[[Record, Decoder], Any]:
    return lambda record, source: make(
        [check_key(item, source) for item in source.values(record.get("items"))]
    )


def _encode_float(number: float, out: Encoder) -> Record:
    return {"value": repr(number)}


def _decode_float(record: Record, source: Decoder) -> float:
    name = source.text(record.get("value"))
    if name not in _SPECIAL_FLOATS:
        raise source.damaged(f"{name[:80]!r} is not a number")
    return _SPECIAL_FLOATS[name]


def _encode_bytes(content: bytes, out: Encoder) -> Record:
    return {"base64": base64.b64encode(content).decode()}


def _decode_bytes(record: Record, source: Decoder) -> bytes:
    try:
        return base64.b64decode(source.text(record.get("base64")), validate=True)
    except binascii.Error as why:
        raise source.damaged("bytes in it are not in base64") from why


def _encode_bounds(bounds: slice | range, out: Encoder) -> Record:
    return {"items": out.values((bounds.start, bounds.stop, bounds.step))}


def _decode_bounds(make: Callable[..., Any]) -> Callable[[Record, Decoder], Any]:
    def decode(record: Record, source: Decoder) -> Any:
        bounds = source.values(record.get("items"))
        allowed = (int, str, type(None)) if make is slice else (int,)
        if len(bounds) != 3 or not all(type(bound) in allowed for bound in bounds):
            raise source.damaged("a slice in it has no bounds")
        if make is range and bounds[2] == 0:
            raise source.damaged("a range in it has no step")
        return make(*bounds)

    return decode


def _make_bunch(things: dict[Any, Any]) -> Bunch:
    bunch = Bunch()
    bunch.update(things)  # not by keyword: a key may be any string
    return bunch


CODECS = (
    Codec("list", (list,), _encode_list, _decode_list),
    Codec("tuple", (tuple,), lambda t, out: {"items": out.values(t)}, _decode_items(tuple)),
    Codec("set", (set,), _encode_set, _decode_set(set)),
    Codec("frozenset", (frozenset,), _encode_set, _decode_set(frozenset)),
    _codec_of_mapping("dict", dict, dict),
    _codec_of_mapping("ordered_dict", OrderedDict, OrderedDict),
    _codec_of_mapping("bunch", Bunch, _make_bunch),
    Codec("default_dict", (defaultdict,), _encode_default_dict, _decode_default_dict),
    Codec("float", (float,), _encode_float, _decode_float),
    Codec("bytes", (bytes,), _encode_bytes, _decode_bytes),
    Codec("slice", (slice,), _encode_bounds, _decode_bounds(slice)),
    Codec("range", (range,), _encode_bounds, _decode_bounds(range)),
)
