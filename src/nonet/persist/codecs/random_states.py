"""Random number generators of NumPy, with their state.

The state of a generator indexes its memory in native code, so its positions are checked here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonet.persist.codecs.codec import Codec, Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_WORDS_OF_MT = 624
_MAX_128 = (1 << 128) - 1
_GENERATORS: dict[str, type[Any]] = {
    "PCG64": np.random.PCG64,
    "PCG64DXSM": np.random.PCG64DXSM,
    "MT19937": np.random.MT19937,
}


def _encode_random_state(state: np.random.RandomState, out: Encoder) -> Record:
    known = state.get_state(legacy=False)
    if not isinstance(known, dict) or known["bit_generator"] != "MT19937":
        raise out.refusal("a RandomState of an unusual generator", "use RandomState(seed)")
    return {
        "words": out.value(known["state"]["key"]),
        "position": int(known["state"]["pos"]),
        "has_gauss": int(known["has_gauss"]),
        "gauss": out.value(float(known["gauss"])),
    }


def _decode_random_state(record: Record, source: Decoder) -> np.random.RandomState:
    state = np.random.RandomState(0)
    gauss = source.field(record, "gauss")
    if type(gauss) not in (float, int):
        raise source.damaged("the state of a random generator is not one")
    words, position = _mt_state(record, source)
    has_gauss = source.number(record.get("has_gauss"), 0, 1)
    state.set_state(("MT19937", words, position, has_gauss, float(gauss)))
    return state


def _mt_state(record: Record, source: Decoder) -> tuple[Any, int]:
    words = source.field(record, "words")
    is_state = type(words) is np.ndarray and words.dtype == np.uint32
    if not is_state or words.shape != (_WORDS_OF_MT,):
        raise source.damaged("the state of a random generator is not one")
    return words, source.number(record.get("position"), 0, _WORDS_OF_MT)


def _encode_generator(generator: np.random.Generator, out: Encoder) -> Record:
    state: Any = generator.bit_generator.state
    name = state["bit_generator"]
    if name not in _GENERATORS:
        raise out.refusal(f"a random generator {name}", "use numpy.random.default_rng")
    if name == "MT19937":
        words, position = state["state"]["key"], int(state["state"]["pos"])
        return {"name": name, "words": out.value(words), "position": position}
    return {
        "name": name,
        "state": state["state"]["state"],
        "inc": state["state"]["inc"],
        "has_uint32": state["has_uint32"],
        "uinteger": state["uinteger"],
    }


def _decode_generator(record: Record, source: Decoder) -> np.random.Generator:
    name = source.text(record.get("name"))
    if name not in _GENERATORS:
        raise source.damaged("it has a random generator of an unknown name")
    bits = _GENERATORS[name](0)
    if name == "MT19937":
        words, position = _mt_state(record, source)
        bits.state = {"bit_generator": name, "state": {"key": words, "pos": position}}
        return np.random.Generator(bits)
    bits.state = {
        "bit_generator": name,
        "state": {
            "state": source.number(record.get("state"), 0, _MAX_128),
            "inc": source.number(record.get("inc"), 0, _MAX_128),
        },
        "has_uint32": source.number(record.get("has_uint32"), 0, 1),
        "uinteger": source.number(record.get("uinteger"), 0, (1 << 32) - 1),
    }
    return np.random.Generator(bits)


CODECS = (
    Codec("random_state", (np.random.RandomState,), _encode_random_state, _decode_random_state),
    Codec("generator", (np.random.Generator,), _encode_generator, _decode_generator),
)
