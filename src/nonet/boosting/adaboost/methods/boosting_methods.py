"""The table of short names, and how a ``method=`` parameter becomes a method."""

from __future__ import annotations

from typing import Any

from nonet._base.names import look_up
from nonet._base.params import bad_parameter
from nonet.boosting.adaboost.methods.confidence import Confidence, SammeR
from nonet.boosting.adaboost.methods.lp_boost import LpBoost
from nonet.boosting.adaboost.methods.margin_boosting import AdaBoostStar, ArcGv
from nonet.boosting.adaboost.methods.method import BoostingMethod
from nonet.boosting.adaboost.methods.numbers import Gentle, Logit
from nonet.boosting.adaboost.methods.pairs import M2, Mh
from nonet.boosting.adaboost.methods.votes import Discrete, Mada, Samme

BOOSTING_METHODS: dict[str, BoostingMethod] = {
    "samme": Samme(),
    "samme_r": SammeR(),
    "discrete": Discrete(),
    "confidence": Confidence(),
    "mada": Mada(),
    "star": AdaBoostStar(),
    "arc_gv": ArcGv(),
    "gentle": Gentle(),
    "logit": Logit(),
    "lp": LpBoost(),
    "m2": M2(),
    "mh": Mh(),
}


def resolve_method(owner: Any, method: Any, n_classes: int) -> BoostingMethod:
    """Return the checked method that a name or an object stands for."""
    if isinstance(method, str):
        method = look_up(BOOSTING_METHODS, method, "boosting method")
    if not isinstance(method, BoostingMethod):
        allowed = f"one of {list(BOOSTING_METHODS)} or an object of nonet.boosting such as Samme()"
        raise bad_parameter(owner, "method", allowed, method)
    method.check(n_classes)
    return method
