"""Base class of all estimators of this library."""

from __future__ import annotations

from inspect import isfunction
from typing import Any

from sklearn.base import BaseEstimator

from nonet._base.inputs import checks_inputs
from nonet._base.rollback import restores_on_error

_LEARNING_METHODS = ("fit", "partial_fit", "fit_transform")


class Estimator(BaseEstimator):
    """A scikit-learn estimator whose fit is done completely or not at all.

    Every ``fit``, ``partial_fit`` and ``fit_transform`` that a subclass defines, those of users
    included, checks what X and y are, and restores the attributes of the estimator if it raises an
    exception. A method behind a descriptor such as ``available_if`` has to be decorated by
    ``restores_on_error`` and ``checks_inputs`` itself.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        for name in _LEARNING_METHODS:
            if isfunction(method := vars(cls).get(name)):
                setattr(cls, name, restores_on_error(checks_inputs(method)))
        super().__init_subclass__(**kwargs)
