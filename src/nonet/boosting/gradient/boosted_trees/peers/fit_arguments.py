"""Arguments of ``fit`` in LightGBM and XGBoost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from nonet._base.errors import ParameterError, show
from nonet._base.frames import column_names
from nonet.boosting.gradient.boosted_trees.peers.callbacks import CallbackRequests
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
    requests : CallbackRequests
        Parameters for this fit alone, and what callbacks request besides.
    """

    arguments: dict[str, Any]
    requests: CallbackRequests

    def record(self, X: Any, y: Any, results: Mapping[str, Any]) -> None:
        """Give the values of evaluation sets to LightGBM's callbacks, under its names of sets.

        Parameters
        ----------
        X, y : table, array
            The rows of the fit as they were given; a set of the same two objects is 'training'.
        results : mapping
            Values by set and metric.
        """
        sets = self.arguments["eval_set"] or []
        theirs = [
            "training" if one[0] is X and one[1] is y else f"valid_{position}"
            for position, one in enumerate(sets)
        ]
        is_default = self.arguments["eval_names"] is None
        names = dict(zip(name_sets(None, len(sets)), theirs, strict=True)) if is_default else {}
        for record in self.requests.records:
            record.update({names.get(name, name): values for name, values in results.items()})


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
    requests = CallbackRequests()
    call = FitArguments({**own, "requests": requests}, requests)
    for name, value in given.items():
        _check_name(model, name, own)
        if value is None:
            continue
        if name in _REFUSED:
            raise ParameterError(f"fit: {name} is not available; {_REFUSED[name]}.")
        if name == "verbose" and _is_period(value):
            requests.print_every(value)
        elif name in _PARAMS:
            param = _PARAMS[name]
            requests.params[param] = translate_value(value, OWN_VALUES.get(param, {}))
        elif name in _OTHER_NAMES:
            _set_once(call.arguments, _OTHER_NAMES[name], name, value)
    _translate_sets(call.arguments, given)
    _check_feature_names(X, given.get("feature_name"))
    for callback in [*(vars(model).get("callbacks") or []), *(given.get("callbacks") or [])]:
        requests.add(callback)
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


def _is_period(value: Any) -> bool:
    return isinstance(value, int) and value > 1
