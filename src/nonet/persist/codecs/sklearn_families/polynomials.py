"""Polynomials of columns: the width of the output must be that of the degree.

scikit-learn takes memory by the width, and gives back what was in it where no term is computed.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.preprocessing import PolynomialFeatures

from nonet.persist.codecs.instances import ClassRule, need

_MAX_DEGREE = 1000  # the terms of higher ones take long to be counted
_MAX_COLUMNS = 2**31


def _check_width(model: Any) -> None:
    if "n_output_features_" not in vars(model):  # not fitted
        return
    low, high = model.degree if type(model.degree) in (tuple, list) else (0, model.degree)
    n_columns = model.n_features_in_
    are_whole = all(isinstance(number, Integral) for number in (low, high, n_columns))
    need(are_whole, "degrees are not whole numbers")
    need(0 <= low <= high <= _MAX_DEGREE, "the degree is out of range")
    need(1 <= n_columns <= _MAX_COLUMNS, "the number of columns is out of range")
    need((model._min_degree, model._max_degree) == (low, high), "there are two degrees")
    need(model.n_output_features_ == _n_terms(model, low), "terms are not those of the degree")
    need(model._n_out_full == _n_terms(model, 0), "terms are not those of the degree")


def _n_terms(model: Any, low: int) -> Any:
    return model._num_combinations(
        model.n_features_in_, low, model._max_degree, model.interaction_only, model.include_bias
    )


RULES = {PolynomialFeatures: ClassRule(restore=_check_width)}
