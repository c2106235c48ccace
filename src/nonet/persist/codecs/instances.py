"""Objects of known classes: the class by its key in a closed table, and the attributes.

All attributes are stored, so that a new one of a class needs no line here. A family of classes
whose attributes reach native code has rules of its own: what is left out, what is made again, and
what is checked before the object is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils._metadata_requests import MetadataRequest, MethodMetadataRequest

from nonet.persist.codecs.codec import Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_ATTRIBUTE = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,99}")
_VERSION_OF_PICKLES = "_sklearn_version"
_SCALARS = (bool, int, float, str, type(None))


@dataclass(frozen=True)
class ClassRule:
    """How objects of a class are stored, beyond their attributes.

    Parameters
    ----------
    left_out : tuple of str
        Attributes that are not stored.
    check_saved : callable, optional
        Returns why a fitted object cannot be stored; None if it can.
    restore : callable, optional
        Gets the object with its attributes, checks them, and makes again what was left out.
        Whatever it raises becomes a ModelFileError.
    is_stable : bool, default=False
        Whether all versions of the library have had the same attributes, so that any can read it.
    fills_parameters : bool, default=False
        Whether parameters that the file does not have get their defaults: those that came later.
    """

    left_out: tuple[str, ...] = ()
    check_saved: Callable[[Any], str | None] | None = None
    restore: Callable[[Any], None] | None = None
    is_stable: bool = False
    fills_parameters: bool = False


PLAIN = ClassRule()
STABLE = ClassRule(is_stable=True)


class WrongState(ValueError):
    """Attributes of an object contradict each other; the message completes a sentence."""


def need(condition: Any, why: str) -> None:
    """Raise unless a condition on the attributes of an object holds."""
    if not condition:
        raise WrongState(why)


def state_of(thing: Any) -> dict[str, Any]:
    """Return the attributes that an object has when it is pickled."""
    state = thing.__getstate__()
    if isinstance(state, tuple):  # a dictionary, and the slots
        state = {**(state[0] or {}), **(state[1] or {})}
    return {name: value for name, value in (state or {}).items() if name != _VERSION_OF_PICKLES}


def encode_state(thing: Any, rule: ClassRule, out: Encoder) -> dict[str, Any]:
    """Return the values of the attributes that are stored."""
    why = rule.check_saved(thing) if rule.check_saved else None
    if why is not None:
        raise out.refusal(f"a {type(thing).__name__} {why}", "fit it another way, or replace it")
    values = {}
    for name, value in state_of(thing).items():
        if name not in rule.left_out:
            with out.within(f".{name}"):
                values[name] = out.value(value)
    return values


def decode_state(kind: type, rule: ClassRule, record: Record, source: Decoder) -> Any:
    """Return an object of a class with the attributes of a record, checked by the rule."""
    state = source.mapping(record.get("state"))
    if rule.fills_parameters:
        state = {**_later_parameters(kind, state), **state}
    _check_names(kind, rule, state, source)
    values = {name: source.value(value) for name, value in state.items()}
    try:
        thing: Any = object.__new__(kind)
        for name, value in values.items():
            object.__setattr__(thing, name, value)
        _set_owner_of_requests(thing)
        if rule.restore is not None:
            rule.restore(thing)
    except Exception as why:  # whatever wrong attributes lead to
        reason = str(why) if isinstance(why, WrongState) else "attributes do not fit"
        raise source.damaged(f"{reason} in an object of class {kind.__name__}") from why
    return thing


def _later_parameters(kind: type, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the defaults of parameters that a file of an earlier release does not have."""
    return {
        name: default
        for name, default in _parameters(kind).items()
        if name not in state and isinstance(default, _SCALARS)
    }


@cache
def _parameters(kind: type) -> dict[str, Any]:
    """Return the parameters of an estimator with their defaults; nothing for other classes."""
    if not issubclass(kind, BaseEstimator):
        return {}
    names: list[str] = kind._get_param_names()  # type: ignore[attr-defined]
    found = signature(kind).parameters
    return {name: found[name].default if name in found else Parameter.empty for name in names}


def _set_owner_of_requests(thing: Any) -> None:
    """Give the metadata that steps request their owner, which files do not hold."""
    requests = vars(thing).get("_metadata_request") if hasattr(thing, "__dict__") else None
    if not isinstance(requests, MetadataRequest):
        return
    # Earlier versions of scikit-learn keep the name of the owner.
    known = LogisticRegression()._get_metadata_request().owner
    owner = type(thing).__name__ if isinstance(known, str) else thing
    for request in (requests, *vars(requests).values()):
        if isinstance(request, MetadataRequest | MethodMetadataRequest):
            request.owner = owner


def _check_names(kind: type, rule: ClassRule, state: Mapping[str, Any], source: Decoder) -> None:
    for name in state:
        if not _ATTRIBUTE.fullmatch(name) or name in rule.left_out:
            raise source.damaged(f"{name[:80]!r} is not an attribute of class {kind.__name__}")
        # An attribute over a method would switch off checks of the class.
        known = getattr(kind, name, None)
        if known is not None and not _is_default(kind, name, known):
            raise source.damaged(f"{name!r} is a method of class {kind.__name__}")
    missing = set(_parameters(kind)) - set(state)
    if missing:
        raise source.damaged(f"a {kind.__name__} in it has no {min(missing)!r}")


def _is_default(kind: type, name: str, known: Any) -> bool:
    """Return whether an attribute of the class is a value, or a computed one that is kept."""
    is_slot = type(known).__name__ == "member_descriptor"
    return (
        is_slot
        or isinstance(known, cached_property)
        or not (callable(known) or hasattr(known, "__get__"))
    )
