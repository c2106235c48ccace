"""Names of LightGBM's and XGBoost's objectives, and the losses that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from nonet._base.errors import ParameterError
from nonet.losses import FairLoss, HuberLoss, Loss, PseudoHuberLoss, TweedieLoss

Options = Mapping[str, Any]


def _by_name(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: own for own, others in names.items() for name in others}


CLASS_OBJECTIVES = _by_name(
    {
        "log_loss": (
            "binary",
            "binary:logistic",
            "reg:logistic",
            "multiclass",
            "softmax",
            "multi:softmax",
            "multi:softprob",
            "cross_entropy",
            "xentropy",
        ),
    }
)

REGRESSION_OBJECTIVES = _by_name(
    {
        "squared_error": (
            "regression",
            "regression_l2",
            "l2",
            "mean_squared_error",
            "mse",
            "l2_root",
            "root_mean_squared_error",
            "rmse",
            "reg:squarederror",
            "reg:linear",
        ),
        "absolute_error": (
            "regression_l1",
            "l1",
            "mean_absolute_error",
            "mae",
            "reg:absoluteerror",
        ),
        "poisson": ("count:poisson",),
        "gamma": ("reg:gamma",),
        "quantile": ("reg:quantileerror",),
        "cross_entropy": ("xentropy", "reg:logistic", "binary:logistic", "binary"),
    }
)

# Losses with a parameter, which has a name of its own in the libraries and their default here.
_WITH_OPTION: Mapping[str, tuple[Callable[[float], Loss], str, float]] = {
    "huber": (HuberLoss, "alpha", 0.9),
    "fair": (FairLoss, "fair_c", 1.0),
    "reg:pseudohubererror": (PseudoHuberLoss, "huber_slope", 1.0),
    "tweedie": (TweedieLoss, "tweedie_variance_power", 1.5),
    "reg:tweedie": (TweedieLoss, "tweedie_variance_power", 1.5),
}

_OURS_ALONE = ("exponential",)
_RANKING = "there is no ranking; predict relevance with BoostedTreesRegressor and sort by it"
_SURVIVAL = "there is no censoring; use a library of survival analysis"
_MAPE = "use 'absolute_error' with sample_weight=1 / numpy.maximum(1, abs(y))"
_ONE_AGAINST_REST = "use nonet.OneVsRestClassifier of boosted trees"

_REFUSED: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "rank:pairwise",
            "rank:ndcg",
            "rank:map",
            "lambdarank",
            "rank_xendcg",
            "xendcg",
            "xe_ndcg",
            "xe_ndcg_mart",
            "xendcg_mart",
        ),
        _RANKING,
    ),
    **dict.fromkeys(("survival:cox", "survival:aft"), _SURVIVAL),
    **dict.fromkeys(("multiclassova", "multiclass_ova", "ova", "ovr"), _ONE_AGAINST_REST),
    "binary:hinge": "use 'log_loss'",
    "binary:logitraw": "use 'log_loss', and decision_function for the scores",
    "mape": _MAPE,
    "mean_absolute_percentage_error": _MAPE,
    "reg:squaredlogerror": "fit numpy.log1p(y) with 'squared_error'",
    "cross_entropy_lambda": "use 'cross_entropy' and sample_weight",
    "xentlambda": "use 'cross_entropy' and sample_weight",
    "reg:expectileerror": "derive a custom loss from nonet.losses.Loss",
}


def translate_objective(
    kind: str, objective: Any, options: Options, *, is_class: bool
) -> tuple[Any, Any]:
    """Return an objective in our spelling, and the level of a quantile if its name gives one.

    Parameters
    ----------
    kind : str
        Name of the estimator's class, for errors.
    objective : str, callable or Loss
        What the user gave; names of ours stay.
    options : mapping
        Parameters of objectives, by their names in the libraries.
    is_class : bool
        Whether the estimator is a classifier.

    Examples
    --------
    >>> translate_objective("a booster", "multi:softprob", {}, is_class=True)
    ('log_loss', None)
    >>> translate_objective("a booster", "huber", {"alpha": 2.0}, is_class=False)
    (HuberLoss(width=2.0), None)
    """
    if not isinstance(objective, str):
        return objective, None
    _refuse(kind, objective, is_class=is_class)
    if is_class:
        return CLASS_OBJECTIVES.get(objective, objective), None
    if objective in _WITH_OPTION:
        make, name, default = _WITH_OPTION[objective]
        value = options.get(name)
        return make(default if value is None else value), None
    own = REGRESSION_OBJECTIVES.get(objective, objective)
    return own, _level(options) if own == "quantile" else None


def _level(options: Options) -> Any:
    """Return the level of quantiles: XGBoost's name, or LightGBM's."""
    level = options.get("quantile_alpha")
    return options.get("alpha") if level is None else level


def _refuse(kind: str, objective: str, *, is_class: bool) -> None:
    if objective in _REFUSED:
        raise ParameterError(
            f"{kind}: objective={objective!r} is not available; {_REFUSED[objective]}."
        )
    names = (_names(REGRESSION_OBJECTIVES) | {*_WITH_OPTION}, _names(CLASS_OBJECTIVES))
    others, mine = names if is_class else names[::-1]
    if objective in others - mine:
        other = "BoostedTreesRegressor" if is_class else "BoostedTreesClassifier"
        raise ParameterError(
            f"{kind}: objective={objective!r} is not for its targets; use {other}."
        )
    near = get_close_matches(objective, mine, n=1)
    if objective not in mine and objective not in _OURS_ALONE and near:
        raise ParameterError(
            f"{kind}: objective={objective!r} is not known; did you mean {near[0]!r}?"
        )


def _names(objectives: Mapping[str, str]) -> set[str]:
    return {*objectives, *objectives.values()}
