"""Objects without a codec, pickled: written and read only with ``trust="pickle"``."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from nonet._base.errors import ModelFileError, one_sentence
from nonet.persist.codecs.codec import Codec, Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder


def _encode(thing: Any, out: Encoder) -> Record:  # pragma: no cover - the encoder pickles
    raise NotImplementedError


def _decode(record: Record, source: Decoder) -> Any:
    if source.trust != "pickle":
        raise ModelFileError(
            "the file holds a pickled object, which runs code when it is read; if you trust who "
            'wrote it, give trust="pickle" to load.'
        )
    try:
        return pickle.loads(source.part(record.get("part")))
    except ModelFileError:
        raise
    except Exception as why:
        reason = one_sentence(str(why) or type(why).__name__)[:-1]
        raise source.damaged(f"an object in it cannot be unpickled ({reason})") from why


CODECS = (Codec("pickle", (), _encode, _decode),)
