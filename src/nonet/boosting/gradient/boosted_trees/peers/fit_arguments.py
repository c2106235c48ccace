"""Arguments of ``fit`` in LightGBM and XGBoost, and their callbacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from nonet._base.errors import ParameterError, show
from nonet._base.frames import column_names
from nonet.boosting.gradient.boosted_trees.peers.parameters import OWN_VALUES
from nonet.boosting.gradient.boosted_trees.peers.spellings import are_same, translate_value

_OTHER_NAMES: Mapping[str, str] = {
    "init_score": "base_margin",
    "eval_sample_weight": "sample_weight_eval_set",
    "eval_init_score": "base_margin_eval_set",
    "xgb_model": "init_model",
}
# Parameters of the estimator that a fit may set for itself.
_PARAMS: Mapping[str, str] = {
    "eval_metric": "eval_metric",
    "early_stopping_rounds": "early_stopping_rounds",
    "verbose": "verbose",
    "categorical_feature": "categorical_features",
}
_REFUSED: Mapping[str, str] = {
    "eval_class_weight": "give weights of rows in eval_sample_weight",
    "feature_weights": "leave it out, or drop columns of X",
    "group": "there is no ranking; leave it out",
    "eval_group": "there is no ranking; leave it out",
    "qid": "there is no ranking; leave it out",
}
_OTHERS = ("callbacks", "eval_names", "eval_X", "eval_y", "feature_name")


@dataclass
class FitArguments:
    """Arguments of a fit in our spelling.

    Parameters
    ----------
    arguments : dict
        Arguments of our fit.
    params : dict, default={}
        Parameters for this fit alone.
    records : list of dict, default=[]
        Dictionaries that get the values of evaluation sets.
    """

    arguments: dict[str, Any]
    params: dict[str, Any] = field(default_factory=dict)
    records: list[dict[str, Any]] = field(default_factory=list)


def translate_fit(
    model: Any, X: Any, own: Mapping[str, Any], given: Mapping[str, Any]
) -> FitArguments:
    """Translate arguments of the libraries, and callbacks.

    Parameters
    ----------
    model : estimator
        The estimator; it may have callbacks among its parameters, as XGBoost's.
    X : table
        The rows of the fit.
    own : mapping
        Arguments under our names.
    given : mapping
        Other arguments.

    Returns
    -------
    FitArguments
    """
    call = FitArguments({**own, "log_period": None})
    for name, value in given.items():
        _check_name(model, name, own)
        if value is None:
            continue
        if name in _REFUSED:
            raise ParameterError(f"fit: {name} is not available; {_REFUSED[name]}.")
        if name == "verbose" and _is_period(value):
            _print_every(call, value)
        elif name in _PARAMS:
            param = _PARAMS[name]
            call.params[param] = translate_value(value, OWN_VALUES.get(param, {}))
        elif name in _OTHER_NAMES:
            _set_once(call.arguments, _OTHER_NAMES[name], name, value)
    _translate_sets(call.arguments, given)
    _check_feature_names(X, given.get("feature_name"))
    for callback in [*(vars(model).get("callbacks") or []), *(given.get("callbacks") or [])]:
        _translate_callback(call, callback)
    return call


def _check_name(model: Any, name: str, own: Mapping[str, Any]) -> None:
    known = [*own, *_OTHER_NAMES, *_PARAMS, *_REFUSED, *_OTHERS]
    if name in known:
        return
    near = get_close_matches(name, [*own, *_OTHER_NAMES, *_PARAMS], n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it takes X, y, {', '.join(own)}."
    raise TypeError(
        f"{type(model).__name__}.fit() got an unexpected keyword argument {name!r}; {hint}"
    )


def _set_once(arguments: dict[str, Any], own: str, name: str, value: Any) -> None:
    if arguments[own] is not None and not are_same(arguments[own], value):
        raise ParameterError(
            f"fit: {own} and {name} are two names of one argument with different values; give one."
        )
    arguments[own] = value


# ---- Evaluation sets -----------------------------------------------------------------------------


def _translate_sets(arguments: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Translate a single set, sets as two arguments, and the names of sets."""
    tables, targets = given.get("eval_X"), given.get("eval_y")
    if tables is not None or targets is not None:
        if tables is None or targets is None or arguments["eval_set"] is not None:
            raise ParameterError("fit: eval_X and eval_y go together, and replace eval_set.")
        arguments["eval_set"] = list(zip(_as_tuple(tables), _as_tuple(targets), strict=True))
    sets = arguments["eval_set"]
    if isinstance(sets, tuple) and len(sets) == 2 and not _is_pair(sets[0]):
        arguments["eval_set"] = [sets]
    arguments["eval_names"] = given.get("eval_names")


def _is_pair(value: Any) -> bool:
    """Return whether a value is a pair of a table and targets, not a table."""
    if isinstance(value, list):
        return len(value) == 2 and getattr(value[0], "ndim", 0) == 2
    return isinstance(value, tuple)


def _as_tuple(one_or_more: Any) -> tuple[Any, ...]:
    return one_or_more if isinstance(one_or_more, tuple) else (one_or_more,)


def name_sets(names: Any, n_sets: int) -> Sequence[str]:
    """Return the names of evaluation sets, XGBoost's if none are given.

    Examples
    --------
    >>> name_sets(None, 2), name_sets(["train", "valid"], 2)
    (['validation_0', 'validation_1'], ['train', 'valid'])
    """
    if names is None:
        return [f"validation_{position}" for position in range(n_sets)]
    listed = [names] if isinstance(names, str) else list(names)
    if len(listed) != n_sets or len(set(listed)) < n_sets:
        raise ParameterError(
            f"fit: eval_names must have one name for each of the {n_sets} evaluation sets, all "
            f"different, but got {show(names)}."
        )
    return listed


def _check_feature_names(X: Any, names: Any) -> None:
    if names is None or (isinstance(names, str) and names == "auto"):
        return
    if list(column_names(X) or []) != list(names):
        raise ParameterError(
            "fit: feature_name must be 'auto' or the names of the columns of X; give X as a frame "
            "with these names."
        )


# ---- Callbacks -----------------------------------------------------------------------------------


def _translate_callback(call: FitArguments, callback: Any) -> None:
    """Translate the callbacks that have parameters for the same, recognized by their classes."""
    kind = type(callback).__name__
    if kind == "_EarlyStoppingCallback" and _stops_as_lightgbm(callback):
        call.params["early_stopping_rounds"] = callback.stopping_rounds
        if callback.first_metric_only:
            call.params["first_metric_only"] = True
    elif kind == "EarlyStopping" and _stops_as_xgboost(callback):
        call.params["early_stopping_rounds"] = callback.rounds
    elif kind in ("_LogEvaluationCallback", "EvaluationMonitor"):
        if "verbose" not in call.params:
            _print_every(call, max(0, int(callback.period)))
    elif kind == "_RecordEvaluationCallback":
        call.records.append(callback.eval_result)
    else:
        raise ParameterError(
            "fit: callbacks can be LightGBM's or XGBoost's for early stopping by the last metric "
            "on the last set without a minimum improvement, printing and recording, but got "
            f"{show(callback)}; give that metric and that set last, or use set_callbacks for "
            "callbacks of scikit-learn."
        )


def _is_period(value: Any) -> bool:
    return isinstance(value, int) and value > 1


def _print_every(call: FitArguments, n_rounds: int) -> None:
    """Print a line for every so many rounds, and for the last one; none for 0."""
    call.params["verbose"] = 2 if n_rounds == 1 else min(n_rounds, 1)
    call.arguments["log_period"] = n_rounds or None


# Whether the last metric on the last set decides, or LightGBM's first, in its own direction.
def _stops_as_lightgbm(callback: Any) -> bool:
    return not getattr(callback, "min_delta", 0)


def _stops_as_xgboost(callback: Any) -> bool:
    chosen = callback.metric_name, callback.data, callback.maximize
    return chosen == (None, None, None) and not getattr(callback, "_min_delta", 0)
