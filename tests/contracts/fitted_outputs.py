"""All that a fitted model gives out, as bytes: predictions, stages, explanations, attributes."""

from __future__ import annotations

import warnings
from hashlib import sha256
from typing import Any

import numpy as np
from scipy.sparse import issparse

import nonet

METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score_samples",
    "transform",
    "apply",
    "member_outputs",
    "staged_predict",
    "staged_predict_proba",
    "staged_decision_function",
    "staged_score",
)


def outputs_of(model: Any, X: Any, y: Any = None) -> dict[str, str]:
    """Return a digest of each output: equal digests mean equal bits."""
    found = {name: _output(model, name, X, y) for name in METHODS if hasattr(model, name)}
    found["shap_values"] = _digest_or_error(lambda: nonet.shap_values(model, X[:10]))
    found["classes"] = _digest_or_error(lambda: model.classes_)
    for name in sorted(public_attributes(model)):
        found[name] = _digest_or_error(lambda name=name: getattr(model, name))
    return found


def public_attributes(model: Any) -> set[str]:
    names = {*vars(model), *dir(type(model))}
    return {name for name in names if name.endswith("_") and not name.startswith("_")}


def _output(model: Any, name: str, X: Any, y: Any) -> str:
    arguments = (X, y) if name == "staged_score" else (X,)
    method = getattr(model, name)
    if name.startswith("staged_"):
        return _digest_or_error(lambda: list(method(*arguments)))
    return _digest_or_error(lambda: method(*arguments))


def _digest_or_error(compute: Any) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # logarithms of 0, deprecated attributes
            return sha256(_bytes_of(compute())).hexdigest()
    except (ValueError, TypeError, AttributeError, NotImplementedError) as why:
        return f"{type(why).__name__}: {why}"


def _bytes_of(thing: Any) -> bytes:
    if issparse(thing):
        thing = thing.toarray()
    if isinstance(thing, np.ndarray) and thing.dtype != object:
        return f"{thing.dtype.str}{thing.shape}".encode() + thing.tobytes()
    if isinstance(thing, np.ndarray):
        return f"{thing.shape}".encode() + _bytes_of(list(thing.ravel()))
    if isinstance(thing, list | tuple):
        return b"[" + b",".join(_bytes_of(item) for item in thing) + b"]"
    if isinstance(thing, dict):
        return b"{" + b",".join(_bytes_of(item) for item in thing.items()) + b"}"
    if isinstance(thing, np.generic | str | int | float | type(None)):
        return f"{type(thing).__name__} {thing!r}".encode()
    state = getattr(thing, "__dict__", {})
    return type(thing).__name__.encode() + _bytes_of(
        {name: value for name, value in state.items() if not name.startswith("_")}
    )
