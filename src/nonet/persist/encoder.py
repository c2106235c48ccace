"""The writing side: an object, and all that it refers to, as records and parts."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from nonet._base.errors import ModelFileError, one_sentence, show
from nonet.persist.codecs.codec import Record
from nonet.persist.codecs.tree_groups import TreeGroups
from nonet.persist.registry import registry

_SCALARS = (type(None), bool, int, str)
_NOT_FINITE = {repr(number): number for number in (math.nan, math.inf, -math.inf)}
_MAX_INT = 10**4000  # Python reads no longer numbers back


class Encoder:
    """Records and parts of one object.

    Parameters
    ----------
    owner : str
        The name of the model, for messages.
    trust : {None, 'pickle'}
        Whether objects without a codec are pickled.

    Attributes
    ----------
    records : list of dict
        Records, each of which refers to earlier ones only.
    parts : dict of str to bytes
        What does not fit JSON.
    trees : TreeGroups
        The native trees that were met.
    uses_sklearn : bool
        Whether there are objects of scikit-learn, whose attributes belong to a version.
    """

    def __init__(self, owner: str, trust: str | None = None) -> None:
        self.records: list[Record] = []
        self.parts: dict[str, bytes] = {}
        self.trees = TreeGroups()
        self.uses_sklearn = False
        self._trust = trust
        self._path = [owner]
        self._known: dict[int, int] = {}
        self._open: set[int] = set()
        self._alive: list[Any] = []  # the memory of an object must not get another one

    def value(self, thing: Any) -> Any:
        """Return what stands for a thing in JSON, after adding its record if it needs one."""
        kind = type(thing)
        if kind in _SCALARS and not (kind is int and abs(thing) > _MAX_INT):
            return thing
        if kind is float and thing - thing == 0:  # neither NaN nor infinite
            return thing
        if kind is float:
            # Equal numbers are one object: which NaNs were the same one is no property of a model.
            thing = _NOT_FINITE[repr(thing)]
        if id(thing) not in self._known:
            self._known[id(thing)] = self._add_record(thing)
            self._alive.append(thing)
        return {"@": self._known[id(thing)]}

    def values(self, things: Iterable[Any]) -> list[Any]:
        """Return the values of several things, with their positions in messages."""
        found = []
        for position, thing in enumerate(things):
            with self.within(f"[{position}]"):
                found.append(self.value(thing))
        return found

    def add_part(self, folder: str, suffix: str, content: bytes) -> str:
        """Add a part under the next free name of a folder, and return the name."""
        name = f"{folder}/{len(self.parts)}.{suffix}"
        self.parts[name] = content
        return name

    @contextmanager
    def within(self, step: str) -> Iterator[None]:
        """Name where the next values are, for messages."""
        self._path.append(step)
        yield
        self._path.pop()

    def refusal(self, why: str, instead: str) -> ModelFileError:
        """Return the error for an object that cannot be written."""
        owner, *steps = self._path
        where = "".join(steps).lstrip(".")
        subject = f"its {where} is {why}" if where else f"it is {why}"
        return ModelFileError(f"{owner} cannot be saved, because {subject}; {instead}.")

    def _add_record(self, thing: Any) -> int:
        if id(thing) in self._open:
            raise self.refusal("part of itself", "a model file holds no cycles")
        self._open.add(id(thing))
        codec = registry().find(thing)
        if codec is None:
            record = self._pickled(thing)
        else:
            record = {"kind": codec.kind, **codec.encode(thing, self)}
        self._open.discard(id(thing))
        self.records.append(record)
        return len(self.records) - 1

    def _pickled(self, thing: Any) -> Record:
        if self._trust != "pickle":
            raise self.refusal(
                f"{_in_words(thing)}, for which a model file has no form",
                f'{_replacement(thing)}, or give trust="pickle" to save and to load if all '
                "readers may run code from this file",
            )
        try:
            content = pickle.dumps(thing, protocol=4)
        except Exception as why:
            reason = one_sentence(str(why))[:-1]
            raise self.refusal(
                f"{_in_words(thing)}, which pickle cannot write either ({reason})", "replace it"
            ) from why
        return {"kind": "pickle", "part": self.add_part("pickles", "pickle", content)}


# The function that turns models of a library into those of nonet.
_IMPORTS = {
    "lightgbm": "from_lightgbm",
    "xgboost": "from_xgboost",
    "catboost": "from_catboost",
}


def _replacement(thing: Any) -> str:
    """Return what the user can do about an object that has no form."""
    function = _IMPORTS.get(type(thing).__module__.partition(".")[0])
    return "replace it" if function is None else f"replace it by what nonet.{function} makes of it"


def _in_words(thing: Any) -> str:
    if getattr(thing, "__name__", None) == "<lambda>":
        return "a lambda function"
    kind = type(thing)
    if callable(thing) and hasattr(thing, "__qualname__"):
        return f"the function {thing.__module__}.{thing.__qualname__}"
    article = "an" if kind.__name__[:1].lower() in "aeiou" else "a"
    package = "" if kind.__module__ == "builtins" else f" ({kind.__module__})"
    return f"{article} {show(kind.__name__)[1:-1]}{package}"
