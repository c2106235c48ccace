"""Put nonet's public names in place of scikit-learn's: the classes, and `export_text`."""

from __future__ import annotations

import importlib
from functools import wraps

import sklearn.ensemble
import sklearn.multiclass
import sklearn.tree

import nonet
from nonet._base.estimator import Estimator

MODULES = [sklearn.ensemble, sklearn.tree, sklearn.multiclass]


def put_in_place(instead):
    """Exchange every name that both libraries have; `instead` holds NAME=MODULE:CLASS."""
    for module, name in shared_names():
        setattr(module, name, getattr(nonet, name))
    for words in instead:
        name, kind = words.split("=")
        put_class(name, load(kind))


def shared_names():
    ours = set(nonet.__all__)
    return [(module, name) for module in MODULES for name in sorted(ours & set(module.__all__))]


def put_class(name, kind):
    (module,) = [module for module in MODULES if name in module.__all__]
    setattr(module, name, kind)


def load(kind):
    module, name = kind.split(":")
    return getattr(importlib.import_module(module), name)


class Use:
    """Notes whether an estimator of nonet was made, cloned or fitted since the last reset."""

    def __init__(self):
        self.seen = False
        for method in ("__new__", "get_params", "__sklearn_tags__"):
            self._note_calls_of(method)

    def _note_calls_of(self, method):
        inherited = getattr(Estimator, method)

        @wraps(inherited)
        def noting(first, *args, **kwargs):
            self.seen = True
            return inherited(first) if method == "__new__" else inherited(first, *args, **kwargs)

        setattr(Estimator, method, staticmethod(noting) if method == "__new__" else noting)
