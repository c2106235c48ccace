"""Half the squared error."""

from __future__ import annotations

import numpy as np

from nonet._base.aliases import Array, Floats
from nonet.losses.native import NativeLoss


class SquaredLoss(NativeLoss):
    """Half the squared error, L(y, f) = (y - f)^2 / 2, whose prediction is a mean.

    Examples
    --------
    >>> import numpy as np
    >>> from nonet.losses import SquaredLoss
    >>> SquaredLoss().value(np.array([1.0, 2.0]), np.array([0.0, 4.0]))
    array([0.5, 2. ])
    """

    _name = "squared"
    has_constant_hessian = True

    def value(self, y: Array, score: Floats) -> Floats:
        return 0.5 * (y - score) ** 2

    def check_targets(self, y: Array) -> None:
        check_squares(y)


def check_squares(y: Floats) -> None:
    """Raise for targets whose squared differences overflow, or underflow although y varies.

    Parameters
    ----------
    y : array
        Targets.
    """
    with np.errstate(over="ignore", under="ignore"):
        total, spread = np.square(y).sum(), np.ptp(y) if y.size else 0.0
        is_lost = spread > 0 and np.square(spread) < np.finfo(np.float64).tiny
    if not np.isfinite(total):
        raise ValueError(
            "The squares of y must have a finite sum, but y is as large as "
            f"{np.abs(y).max()}; divide it by a constant."
        )
    if is_lost:
        raise ValueError(
            f"The squares of differences in y must be above 0, but y differs by {spread:g} at "
            "most; multiply it by a constant."
        )
