"""How long boosting waits for a lower loss of held-out rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Until the loss has fallen by so much, nothing is learned yet, and boosting waits longer: the first
# rounds on an interaction without main effects fit noise, and find it only then.
_LEARNED = 0.97
_FACTOR_BEFORE = 4


def is_worth_waiting(losses: Sequence[float], patience: int) -> bool:
    """Return whether a lower loss may still follow.

    Parameters
    ----------
    losses : sequence of float
        Loss of held-out rows after each round so far.
    patience : int
        Number of rounds to wait after the lowest; four times as many as long as the lowest is
        hardly below the first.

    Examples
    --------
    >>> is_worth_waiting([1.0, 0.8, 0.9, 0.9], patience=2)
    False
    >>> is_worth_waiting([1.0, 1.1, 1.1], patience=2)
    True
    """
    if not np.isfinite(losses).any():
        return len(losses) < patience
    lowest = int(np.nanargmin(losses))
    has_learned = losses[lowest] < _LEARNED * losses[0]
    limit = patience if has_learned else _FACTOR_BEFORE * patience
    return len(losses) - (lowest + 1) < limit
