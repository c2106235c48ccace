"""What is public: the lists that every contract runs over."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

import nonet
import nonet.auto
import nonet.bagging
import nonet.boosting
import nonet.combine
import nonet.dask
import nonet.decide
import nonet.diagnostics
import nonet.losses
import nonet.multiclass
import nonet.persist
import nonet.plots
import nonet.resampling
import nonet.theory
import nonet.trees
import nonet.unsupervised
from nonet.combine import CombinationRule, WeightFinder
from nonet.decide import DecisionRule
from nonet.unsupervised.ratings.recommender import Recommender

ROOMS = (
    nonet,
    nonet.auto,
    nonet.bagging,
    nonet.boosting,
    nonet.combine,
    nonet.decide,
    nonet.diagnostics,
    nonet.multiclass,
    nonet.persist,
    nonet.resampling,
    nonet.theory,
    nonet.trees,
    nonet.unsupervised,
    nonet.losses,
    nonet.unsupervised,
    nonet.plots,
)
# On the page of public names as well. Its estimators take Dask collections only, and are checked by
# tests/nonet_dask.
DASK = nonet.dask
RULE_PARENTS = (CombinationRule, DecisionRule, WeightFinder)


def members_of(room: ModuleType) -> dict[str, Any]:
    return {name: getattr(room, name) for name in room.__all__}


def everything() -> dict[str, Any]:
    """Each public class and function once, under the shortest name it has."""
    found: dict[int, tuple[str, Any]] = {}
    for room in ROOMS:
        for name, thing in members_of(room).items():
            if inspect.isclass(thing) or inspect.isfunction(thing):
                found.setdefault(id(thing), (f"{room.__name__}.{name}", thing))
    return dict(found.values())


def _classes(parent: type | tuple[type, ...]) -> list[type]:
    return [
        thing
        for thing in everything().values()
        if inspect.isclass(thing) and issubclass(thing, parent)
    ]


def estimator_classes() -> list[type]:
    """The estimators on tables of any number of columns."""
    kinds = [kind for kind in _classes(BaseEstimator) if hasattr(kind, "fit")]
    return [kind for kind in kinds if not issubclass(kind, Recommender)]


def rating_classes() -> list[type]:
    """The estimators on pairs of user and item, which tests/unsupervised/ratings checks."""
    return _classes(Recommender)


def rule_classes() -> list[type]:
    """The rules F and C and the ways to find weights, without their parents."""
    return [kind for kind in _classes(RULE_PARENTS) if kind not in RULE_PARENTS]


def module_names() -> list[str]:
    """Every Python module of the package."""
    walk = pkgutil.walk_packages(nonet.__path__, prefix="nonet.")
    return ["nonet", *(module.name for module in walk if module.name != "nonet._core")]


def modules() -> list[ModuleType]:
    return [import_module(name) for name in module_names()]
