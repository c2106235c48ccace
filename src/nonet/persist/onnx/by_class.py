"""Tables by class whose entries are made in modules that are imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, TypeVar

Entry = TypeVar("Entry", bound=Callable[..., Any])

_PACKAGE = __name__.partition(".")[0]


class ByClass(Generic[Entry]):
    """What stands for the objects of a class; the entry of a parent serves its children.

    Parameters
    ----------
    *modules : str
        Modules of this package that register entries, by their names: some are of packages above
        this one.
    """

    def __init__(self, *modules: str) -> None:
        self._modules = modules
        self._entries: dict[type, Entry] = {}
        self._is_loaded = False

    def register(self, *kinds: type) -> Callable[[Entry], Entry]:
        """Return a decorator that registers an entry for some classes."""

        def register(entry: Entry) -> Entry:
            self._entries.update(dict.fromkeys(kinds, entry))
            return entry

        return register

    def find(self, thing: Any) -> Entry | None:
        """Return the entry for an object, or None."""
        self._load()
        for kind in type(thing).__mro__:
            if kind in self._entries:
                return self._entries[kind]
        return None

    def _load(self) -> None:
        if not self._is_loaded:
            for name in self._modules:
                import_module(f"{_PACKAGE}.{name}")
            self._is_loaded = True
