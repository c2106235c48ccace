"""B-splines of SciPy, which spline features are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.interpolate import BSpline

from nonet.persist.codecs.codec import Codec, Record

if TYPE_CHECKING:
    from nonet.persist.decoder import Decoder
    from nonet.persist.encoder import Encoder

_MAX_DEGREE = 1000


def _encode(spline: BSpline, out: Encoder) -> Record:
    return {
        "knots": out.value(spline.t),
        "coefficients": out.value(spline.c),
        "degree": int(spline.k),
        "extrapolate": out.value(spline.extrapolate),
        "axis": int(spline.axis),
    }


def _decode(record: Record, source: Decoder) -> BSpline:
    knots, coefficients = source.field(record, "knots"), source.field(record, "coefficients")
    if not all(type(part) is np.ndarray and part.dtype == float for part in (knots, coefficients)):
        raise source.damaged("a spline in it has no arrays")
    degree = source.number(record.get("degree"), 0, _MAX_DEGREE)
    axis = source.number(record.get("axis"), 0, max(coefficients.ndim - 1, 0))
    if not _fits(knots, coefficients, degree):
        raise source.damaged("a spline in it has sizes that do not fit")
    extrapolate = source.field(record, "extrapolate")
    how = extrapolate if extrapolate == "periodic" else bool(extrapolate)
    # As scikit-learn makes them: the constructor refuses the equal knots of a constant column.
    return BSpline.construct_fast(knots, coefficients, degree, how, axis)


def _fits(knots: Any, coefficients: Any, degree: int) -> bool:
    """Return whether knots ascend, and are as many as coefficients and degree need."""
    if knots.ndim != 1 or not coefficients.ndim:
        return False
    n_bases = len(knots) - degree - 1
    is_ordered = bool(np.isfinite(knots).all() and (np.diff(knots) >= 0).all())
    return degree < n_bases <= len(coefficients) and is_ordered


CODECS = (Codec("spline", (BSpline,), _encode, _decode),)
