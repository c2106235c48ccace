"""B-splines of SciPy, which spline features are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    extrapolate = source.field(record, "extrapolate")
    try:
        # The constructor compares the sizes of knots, coefficients and degree.
        return BSpline(
            knots,
            coefficients,
            source.number(record.get("degree"), 0, _MAX_DEGREE),
            extrapolate=extrapolate if extrapolate == "periodic" else bool(extrapolate),
            axis=source.number(record.get("axis"), 0, max(coefficients.ndim - 1, 0)),
        )
    except (ValueError, TypeError) as why:
        raise source.damaged("a spline in it has sizes that do not fit") from why


CODECS = (Codec("spline", (BSpline,), _encode, _decode),)
