"""Half the squared error."""

from __future__ import annotations

from nonet._base.aliases import Array, Floats
from nonet.losses.native import NativeLoss


class SquaredLoss(NativeLoss):
    """L(y, f) = (y - f)^2 / 2: the answer is a mean.

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
