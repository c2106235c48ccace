"""What a codec is: a pair of functions that turn objects of given types into JSON and back.

Words: a *value* is what stands in JSON for an object: a plain scalar, or a reference ``{"@": n}``
to record n. A *record* is a JSON object with a ``kind``, the name of its codec. Records come in an
order in which each refers to earlier ones only, so that a file cannot describe a cycle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

Record = dict[str, Any]
RECORDS = "model.json"  # the part that holds the records


@dataclass(frozen=True)
class Codec:
    """How objects of some types are written and read.

    Parameters
    ----------
    kind : str
        Names the codec in files.
    types : tuple of type
        The exact types that it writes; subclasses are not included.
    encode : callable
        ``encode(thing, encoder)`` returns the record without its kind; parts are added to the
        encoder.
    decode : callable
        ``decode(record, decoder)`` returns the object, or raises a ModelFileError.
    accepts : callable, optional
        Whether an object of these types can be written; all of them if not given.
    """

    kind: str
    types: tuple[type, ...]
    encode: Callable[[Any, Encoder], Record]
    decode: Callable[[Record, Decoder], Any]
    accepts: Callable[[Any], bool] = lambda thing: True
