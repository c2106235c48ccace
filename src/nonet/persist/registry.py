"""The closed list of codecs, by the type of an object and by the kind of a record."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from nonet.persist.codecs.codec import Codec


class Registry:
    """Codecs by type and by kind.

    Parameters
    ----------
    codecs : iterable of Codec
        No two of the same kind, or for the same type.
    """

    def __init__(self, codecs: Iterable[Codec]) -> None:
        self.by_kind: dict[str, Codec] = {}
        self._by_type: dict[type, Codec] = {}
        for codec in codecs:
            self.by_kind[codec.kind] = codec
            self._by_type.update(dict.fromkeys(codec.types, codec))

    def find(self, thing: Any) -> Codec | None:
        """Return the codec that writes an object; None if there is none."""
        codec = self._by_type.get(type(thing))
        return codec if codec is not None and codec.accepts(thing) else None


@cache
def registry() -> Registry:
    """Return all codecs; their classes are imported when the first model is saved or loaded."""
    from nonet.persist.codecs import (
        arrays,
        containers,
        functions,
        nonet_objects,
        pickles,
        random_states,
        sklearn_objects,
    )

    return Registry(
        (
            *containers.CODECS,
            *arrays.CODECS,
            *random_states.CODECS,
            *functions.CODECS,
            *nonet_objects.codecs(),
            *sklearn_objects.codecs(),
            *pickles.CODECS,
        )
    )
