"""Thresholds for rows that are not rounded to single precision."""

from __future__ import annotations

import numpy as np
import pytest

from nonet.persist.imported.single_precision import thresholds_without_rounding

_ENDS = [0.0, 3.4028234663852886e38, -3.4028234663852886e38, 1e39, 1.17549435e-38, 1e-45]


def _thresholds():
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=2000)
    return np.concatenate(
        [drawn, drawn.astype(np.float32), drawn * 1e-42, drawn * 1e37, _ENDS, np.negative(_ENDS)]
    )


@pytest.mark.parametrize("is_strict", [False, True])
def test_rows_go_where_rounded_rows_go(is_strict):
    thresholds = _thresholds()
    found = thresholds_without_rounding(thresholds, is_strict=is_strict)
    nearby = [found, np.nextafter(found, np.inf), np.nextafter(found, -np.inf), thresholds]
    with np.errstate(over="ignore"):
        for x in [*nearby, thresholds * (1 + 1e-8), thresholds * (1 - 1e-8)]:
            rounded = x.astype(np.float32)
            expected = rounded < thresholds if is_strict else rounded <= thresholds
            assert np.array_equal(x <= found, expected)


def test_everything_is_below_infinity():
    assert thresholds_without_rounding(np.array([np.inf]))[0] == np.inf
