"""The closed tables of nonet's own classes and functions.

The tables are made by walking through the packages below, not by names that a file gives. A class
stands in files under its name; a class that is renamed gets a line in ``FORMER_NAMES``, so that
files stay readable.
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

# Name in old files -> name of the class now.
FORMER_NAMES: dict[str, str] = {}

# By its name: the package imports packages above this one.
_PACKAGE = __name__.partition(".")[0]
_CLASSES_OF = (
    "_native.bags",
    "auto",
    "bagging",
    "boosting",
    "combine",
    "decide",
    "diagnostics",
    "ensemble",
    "losses",
    "members",
    "multiclass",
    "resampling",
    "stacking",
    "tables",
    "theory",
    "trees",
    "unsupervised",
)
_FUNCTIONS_OF = ("combine", "decide", "losses", "theory")
# Functions that fitted ensembles keep, from packages whose other functions no model needs.
_MORE_FUNCTIONS = {
    "lower_median": "boosting.adaboost.adaboost_r2",
    "_predict_arbiter": "stacking.routed.arbiter",
}


@cache
def nonet_classes() -> dict[str, type]:
    """Return the classes that files can name, those of former names included."""
    table = {}
    for module in _modules(_CLASSES_OF):
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                table[thing.__name__] = thing
    kept = {name: kind for name, kind in table.items() if _has_plain_state(kind)}
    return kept | {former: kept[name] for former, name in FORMER_NAMES.items()}


def _has_plain_state(kind: type) -> bool:
    """Return whether an object of a class is its attributes: neither a tuple nor an exception."""
    others = (BaseException, dict, frozenset, list, set, str, tuple, int, float, type)
    return not issubclass(kind, others) and not inspect.isabstract(kind)


def is_class_of(thing: Any, name: str) -> bool:
    """Return whether a name in a file, which may be a former one, is that of a thing's class."""
    return FORMER_NAMES.get(name, name) == type(thing).__name__


@cache
def nonet_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions that files can name, as ``nonet.<name>``."""
    table = {}
    for module in _modules(_FUNCTIONS_OF):
        for name, thing in vars(module).items():
            is_own = inspect.isfunction(thing) and thing.__module__ == module.__name__
            if is_own and not name.startswith("_"):
                table[f"nonet.{name}"] = thing
    for name, module_name in _MORE_FUNCTIONS.items():
        table[f"nonet.{name}"] = getattr(import_module(f"nonet.{module_name}"), name)
    return table


def _modules(names: tuple[str, ...]) -> Iterator[ModuleType]:
    for name in names:
        module = import_module(f"{_PACKAGE}.{name}")
        yield module
        for found in pkgutil.walk_packages(getattr(module, "__path__", ()), f"{module.__name__}."):
            yield import_module(found.name)
