"""Arguments of ``predict`` and ``predict_proba`` in LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from operator import index
from typing import Any, Literal

import numpy as np

from nonet._base.aliases import Floats
from nonet._base.errors import ParameterError, show
from nonet.trees.shap import shap_values

Output = Literal["predictions", "scores", "leaves", "contributions"]

_OUTPUTS: Mapping[str, Output] = {
    "raw_score": "scores",
    "output_margin": "scores",
    "pred_leaf": "leaves",
    "pred_contrib": "contributions",
    "pred_contribs": "contributions",
}
_RANGES = ("start_iteration", "num_iteration", "ntree_limit")
_UNNEEDED = ("validate_features", "predict_disable_shape_check", "verbose")


@dataclass(frozen=True)
class PredictArguments:
    """Arguments of a prediction in our spelling.

    Parameters
    ----------
    output : {'predictions', 'scores', 'leaves', 'contributions'}
        What is to be returned.
    iteration_range : tuple of int or None
        The rounds to use.
    """

    output: Output
    iteration_range: Any


def translate_predict(
    model: Any, method: str, iteration_range: Any, given: Mapping[str, Any]
) -> PredictArguments:
    """Translate arguments of the libraries.

    Parameters
    ----------
    model : estimator
        A fitted booster.
    method : str
        Name of the method, for errors.
    iteration_range : tuple or None
        The rounds under our name.
    given : mapping
        Other arguments.
    """
    for name in given:
        _check_name(model, method, name)
    wanted = [_OUTPUTS[name] for name in _OUTPUTS if given.get(name)]
    if len(wanted) > 1:
        names = " and ".join(name for name in _OUTPUTS if given.get(name))
        raise ParameterError(f"{method}: {names} are different outputs; request one.")
    return PredictArguments(
        wanted[0] if wanted else "predictions", _read_range(model, iteration_range, given)
    )


def _check_name(model: Any, method: str, name: str) -> None:
    known = ["base_margin", "iteration_range", *_OUTPUTS, *_RANGES, *_UNNEEDED]
    if name in known:
        return
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it takes X, {', '.join(known[:2])}."
    raise TypeError(
        f"{type(model).__name__}.{method}() got an unexpected keyword argument {name!r}; {hint}"
    )


def _read_range(model: Any, iteration_range: Any, given: Mapping[str, Any]) -> Any:
    """Return the rounds; a number of at most 0 stands for all, None for those up to the best."""
    first = _read_number(given, "start_iteration") or 0
    n_rounds = _read_number(given, "num_iteration")
    if n_rounds is None:
        n_rounds = _read_number(given, "ntree_limit") or None
    if n_rounds is None and not first:
        return iteration_range
    if iteration_range is not None:
        raise ParameterError("iteration_range and a number of iterations cannot both be given.")
    last = model.best_iteration_ if n_rounds is None else first + n_rounds
    return first, model.n_iter_ if last <= first else min(last, model.n_iter_)


def _read_number(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    try:
        return None if value is None else index(value)
    except TypeError:
        raise ParameterError(
            f"{name} must be a whole number of iterations, or None, but got {show(value)}."
        ) from None


def score_contributions(model: Any, X: Any, iteration_range: Any) -> Floats:
    """Return Shapley values of every score, each followed by its base, as LightGBM does.

    Parameters
    ----------
    model : estimator
        A fitted booster.
    X : array-like of shape (n_samples, n_features)
        Rows.
    iteration_range : tuple or None
        The rounds to explain, from the first one on; those up to ``best_iteration_`` if None.

    Returns
    -------
    array of shape (n_samples, n_scores * (n_features + 1))
    """
    model = _of_first_rounds(model, model._read_range(iteration_range))
    result = shap_values(model, X)
    values = result.values.reshape(len(result.values), model.n_features_in_, -1)
    bases = np.broadcast_to(result.base, (len(values), 1, values.shape[2]))
    joined = np.concatenate([values, bases], axis=1)
    return np.ascontiguousarray(joined.transpose(0, 2, 1)).reshape(len(values), -1)


def _of_first_rounds(model: Any, rounds: slice) -> Any:
    """Return a model that predicts by its first rounds alone."""
    if rounds.start or not rounds.stop:
        raise ValueError(
            "pred_contrib explains the first rounds, at least one of them, but the iterations are "
            f"{rounds.start} to {rounds.stop}; leave out the first iteration."
        )
    found = copy(model)
    found.best_iteration_ = rounds.stop
    return found
