"""Short names of the boosting methods, and validation of a ``method=`` parameter."""

from __future__ import annotations

from typing import Any

from nonet._base.names import look_up
from nonet._base.params import bad_parameter
from nonet.boosting.adaboost.methods.confidence_rated import Confidence, SammeR
from nonet.boosting.adaboost.methods.label_methods import Discrete, Mada, Samme
from nonet.boosting.adaboost.methods.lp_boost import LpBoost
from nonet.boosting.adaboost.methods.margin_methods import AdaBoostStar, ArcGv
from nonet.boosting.adaboost.methods.method import BoostingMethod
from nonet.boosting.adaboost.methods.multiclass_methods import M2, Mh
from nonet.boosting.adaboost.methods.regression_methods import Gentle, Logit

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
    """Return the validated method that a name or an object stands for."""
    if isinstance(method, str):
        method = look_up(BOOSTING_METHODS, method, "boosting method")
    if not isinstance(method, BoostingMethod):
        allowed = f"one of {list(BOOSTING_METHODS)} or an object of nonet.boosting such as Samme()"
        raise bad_parameter(owner, "method", allowed, method)
    method.check(n_classes)
    return method
