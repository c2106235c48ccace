"""Translation of LightGBM's and XGBoost's parameters while a fit runs.

An estimator keeps the names and values that the user gave, so that ``get_params``, ``clone`` and
files return them. A fit reads our names only: they are set when it begins, and what the user gave
is put back when it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from inspect import signature
from typing import Any

from sklearn.base import is_classifier

from nonet._base.errors import ParameterError, show
from nonet._base.params import bad_parameter
from nonet.boosting.gradient.boosted_trees.peers.constraints import parse_constraints
from nonet.boosting.gradient.boosted_trees.peers.objectives import translate_objective
from nonet.boosting.gradient.boosted_trees.peers.parameters import (
    FOREST,
    NONE_IS_DEFAULT,
    OWN_VALUES,
)
from nonet.boosting.gradient.boosted_trees.peers.spellings import (
    Neutral,
    Renamed,
    are_same,
    translate_value,
)
from nonet.boosting.gradient.early_stopping.peer_metrics import mape

Params = dict[str, Any]

# What methods read under the user's name, in a fit and after it.
_KEPT = (
    "importance_type",
    "base_score",
    "boost_from_average",
    "first_metric_only",
    "early_stopping_min_delta",
)
_CONSTRAINTS = ("monotone_constraints", "interaction_constraints")
_DEPTH_OF_XGBOOST = 6
_DROP_RATE_OF_LIGHTGBM = 0.1
_REFUSED_BOOSTING: Mapping[str, str] = {
    **dict.fromkeys(("rf", "random_forest"), FOREST),
    "gblinear": "use a linear model of scikit-learn",
}


@contextmanager
def own_spelling(model: Any, of_fit: Mapping[str, Any]) -> Iterator[None]:
    """Give an estimator our parameters inside the block.

    Parameters
    ----------
    model : estimator
        Has parameters in any spelling.
    of_fit : mapping
        Parameters for this fit alone, under our names.
    """
    before = dict(vars(model))
    changed = {**translate_params(model), **of_fit}
    spelt = [name for name in spelt_names(model) if name not in _KEPT]
    for name in spelt:
        delattr(model, name)
    model.__dict__.update(changed)
    try:
        yield
    finally:
        for name in changed.keys() - before.keys():
            delattr(model, name)
        given = [name for name in [*changed, *spelt] if name in before]
        model.__dict__.update({name: before[name] for name in given})


def spelt_names(model: Any) -> list[str]:
    """Return the names of the libraries that an estimator was given parameters by."""
    return [name for name in vars(model) if name in model._peer_names]


def refuse_unknown(model: Any, names: Mapping[str, Any]) -> None:
    """Raise a TypeError for a name that none of the libraries has."""
    for name in (name for name in names if name not in model._peer_names):
        known = [*_defaults(model), *model._peer_names]
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(_defaults(model))}."
        raise TypeError(f"{type(model).__name__} has no parameter {name!r}; {hint}")


def translate_params(model: Any) -> Params:
    """Return the parameters of an estimator under our names, with our values.

    Examples
    --------
    >>> from nonet import BoostedTreesClassifier
    >>> own = translate_params(BoostedTreesClassifier("binary:logistic", max_leaves=8, eta=0.3))
    >>> own["objective"], own["num_leaves"], own["learning_rate"]
    ('log_loss', 8, 0.3)
    """
    kind, defaults = type(model).__name__, _defaults(model)
    own = {name: _own_value(model, name, default) for name, default in defaults.items()}
    given = {name: getattr(model, name) for name in spelt_names(model)}
    given = {name: value for name, value in given.items() if value is not None}
    origins: dict[str, str] = {}
    for name, value in given.items():
        spelling = model._peer_names[name]
        if isinstance(spelling, Renamed):
            _set_renamed(model, own, origins, name, value)
        elif isinstance(spelling, Neutral) and not spelling.allows(value):
            raise ParameterError(
                f"{kind}: {name}={show(value)} is not available; {spelling.way_out}."
            )
    _translate_boosting(kind, own, given)
    _translate_sampling(own, given)
    _translate_growth(kind, own, given, model)
    _translate_loss(kind, own, given, is_class=is_classifier(model))
    _translate_columns(kind, own, given)
    if "eval_metric" not in origins:
        own["eval_metric"] = _as_in_xgboost(own["eval_metric"])
    return own


# ---- Names -----------------------------------------------------------------------------------


def _defaults(model: Any) -> Params:
    """Return our parameters with their defaults."""
    taken = signature(type(model).__init__).parameters.values()
    return {one.name: one.default for one in taken if one.default is not one.empty}


def _own_value(model: Any, name: str, default: Any) -> Any:
    """Return a parameter of ours, with None as the default where it has no other meaning."""
    value = getattr(model, name)
    if value is None and name in NONE_IS_DEFAULT:
        return default
    return translate_value(value, OWN_VALUES.get(name, {}))


def _set_renamed(model: Any, own: Params, origins: dict[str, str], name: str, value: Any) -> None:
    """Set our parameter from one of another name; raise if it has two values."""
    renamed = model._peer_names[name]
    translated, target = renamed.translate(value), renamed.own
    if target in _CONSTRAINTS:
        translated = parse_constraints(type(model).__name__, name, translated)
    if not model._rules[target].allows(translated):
        raise bad_parameter(model, name, model._rules[target].describe(), value)
    is_given = target in origins or not are_same(own[target], _defaults(model)[target])
    if is_given and not are_same(own[target], translated):
        other = origins.get(target, target)
        raise ParameterError(
            f"{type(model).__name__}: {other}={show(own[target])} and {name}={show(value)} are two "
            f"names of one parameter with different values; give one of them, or set the other to "
            "None."
        )
    own[target] = translated
    origins[target] = name


# ---- Parameters that depend on each other ------------------------------------------------------


def _translate_boosting(kind: str, own: Params, given: Params) -> None:
    """Translate the kind of boosting: LightGBM's 'boosting_type', XGBoost's 'booster'."""
    names = ("boosting_type", "boosting", "boost", "booster", "data_sample_strategy")
    for name in (name for name in names if name in given):
        value = given[name]
        if value == "goss":
            own["sampling_method"] = "goss"
        elif value == "dart":
            if name != "booster" and own["drop_rate"] == 0:
                own["drop_rate"] = _DROP_RATE_OF_LIGHTGBM
        elif value in ("gbdt", "gbrt", "gbtree"):
            own["drop_rate"] = 0.0  # which is read with 'dart' alone
        elif value != "bagging":
            way_out = _REFUSED_BOOSTING.get(str(value), "use 'gbdt' ('gbtree'), 'dart' or 'goss'")
            raise ParameterError(f"{kind}: {name}={show(value)} is not available; {way_out}.")


def _translate_sampling(own: Params, given: Params) -> None:
    """Sample rows in every round, or never: LightGBM samples if the frequency is above 0."""
    frequency = given.get("subsample_freq", given.get("bagging_freq"))
    if isinstance(frequency, int) and frequency <= 0:
        own["subsample"] = 1.0


def _translate_growth(kind: str, own: Params, given: Params, model: Any) -> None:
    """Translate XGBoost's order of growth: without a limit of leaves, all orders are the same."""
    policy = given.get("grow_policy", "lossguide")
    if policy == "depthwise":
        if own["num_leaves"] not in ("auto", None):
            raise ParameterError(
                f"{kind}: grow_policy='depthwise' and a limit of {own['num_leaves']} leaves do not "
                "go together, since trees are grown by gain; use grow_policy='lossguide', or "
                "max_depth alone."
            )
        own["num_leaves"] = None
        own["max_depth"] = _DEPTH_OF_XGBOOST if model.max_depth is None else own["max_depth"]
    elif policy != "lossguide":
        raise ParameterError(
            f"{kind}: grow_policy must be 'depthwise' or 'lossguide', but got {show(policy)}."
        )


def _translate_loss(kind: str, own: Params, given: Params, *, is_class: bool) -> None:
    objective = own["objective"]
    _read_alpha(kind, own, given)
    own["objective"], level = translate_objective(kind, objective, given, is_class=is_class)
    if level is not None:
        if own["quantile"] is not None and not are_same(own["quantile"], level):
            raise ParameterError(
                f"{kind}: quantile={show(own['quantile'])} and a level of {show(level)} are two "
                "values of one parameter; give one of them."
            )
        own["quantile"] = level
    if is_class and any(
        given.get(name) for name in ("is_unbalance", "unbalance", "unbalanced_sets")
    ):
        own["class_weight"] = "balanced" if own["class_weight"] is None else own["class_weight"]


def _read_alpha(kind: str, own: Params, given: Params) -> None:
    """Read ``alpha``, a parameter of objectives in LightGBM, and the L1 penalty in XGBoost."""
    objective = own["objective"]
    if "alpha" not in given or (isinstance(objective, str) and objective in ("quantile", "huber")):
        return
    if not (isinstance(objective, str) and ":" in objective):
        raise ParameterError(
            f"{kind}: alpha={show(given['alpha'])} is the L1 penalty in XGBoost, and a parameter "
            "of 'quantile' and 'huber' in LightGBM; use reg_alpha for the penalty."
        )
    own["reg_alpha"] = given["alpha"]


def _as_in_xgboost(metric: Any) -> Any:
    """Return metrics of the parameter that XGBoost alone has, with 'mape' as XGBoost defines it."""
    if isinstance(metric, list | tuple):
        return [_as_in_xgboost(one) for one in metric]
    return mape if isinstance(metric, str) and metric == "mape" else metric


def _translate_columns(kind: str, own: Params, given: Params) -> None:
    for name in _CONSTRAINTS:
        own[name] = parse_constraints(kind, name, own[name])
    if "feature_types" in given:
        own["categorical_features"] = [i for i, t in enumerate(given["feature_types"]) if t == "c"]
    metric = own["eval_metric"]
    if isinstance(metric, str) and "," in metric:
        own["eval_metric"] = [name.strip() for name in metric.split(",")]
