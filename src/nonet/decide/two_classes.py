"""What Sign and Threshold share: one side or the other, and a policy for the point between."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import SILENT, Codes, Floats
from nonet._base.params import Choice
from nonet.decide.support import rounding_of

SIDES = Choice("positive", "negative", "abstain")
"""What may be said of a row that is exactly on the border."""


def signed_distance(score: Floats, border: Floats | float) -> Floats:
    """Return how far the score is above the border; zero where only rounding parts them."""
    distance = score - border
    size = np.maximum(np.abs(score), np.abs(border))
    return np.where(np.abs(distance) <= rounding_of(score) * size, 0.0, distance)


def choose_side(distance: Floats, policy: str, positive: int = 1) -> Codes:
    """Return the positive code above the border, the other below it, the policy's on it."""
    on_border = {"positive": positive, "negative": 1 - positive, "abstain": SILENT}[policy]
    return np.select([distance > 0, distance < 0], [positive, 1 - positive], on_border)


def speaking_policy(policy: str) -> str:
    """Return what is said on the border when silence is not allowed."""
    return "positive" if policy == "abstain" else policy


def check_two_classes(rule: object, classes: ArrayLike) -> None:
    """Refuse any number of classes but two."""
    n_classes = len(np.asarray(classes))
    if n_classes != 2:
        raise ValueError(
            f"decision rule {type(rule).__name__} is for two classes, but there are {n_classes}: "
            "use Argmax or Abstain."
        )
