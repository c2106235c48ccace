"""The two sides of a threshold and the policy at equality, for Sign and Threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import ABSTAINED, Codes, Floats
from nonet._base.params import Choice
from nonet.decide.support import rounding_of

SIDES = Choice("positive", "negative", "abstain")
"""The policies for a score that equals the threshold."""


def signed_distance(score: Floats, border: Floats | float) -> Floats:
    """Return the score minus the threshold; zero where they differ only by rounding."""
    distance = score - border
    size = np.maximum(np.abs(score), np.abs(border))
    return np.where(np.abs(distance) <= rounding_of(score) * size, 0.0, distance)


def choose_side(distance: Floats, policy: str, positive: int = 1) -> Codes:
    """Return the code above the threshold, the code below it, or the policy's code at equality."""
    on_border = {"positive": positive, "negative": 1 - positive, "abstain": ABSTAINED}[policy]
    return np.select([distance > 0, distance < 0], [positive, 1 - positive], on_border)


def non_abstaining_policy(policy: str) -> str:
    """Return the policy at equality when the rule must not abstain."""
    return "positive" if policy == "abstain" else policy


def check_two_classes(rule: object, classes: ArrayLike) -> None:
    """Raise unless there are exactly two classes."""
    n_classes = len(np.asarray(classes))
    if n_classes != 2:
        raise ValueError(
            f"decision rule {type(rule).__name__} is for two classes, but there are {n_classes}: "
            "use Argmax or Abstain."
        )
