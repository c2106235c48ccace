"""The decision rule of regression: return the output of F unchanged."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from nonet._base.aliases import Floats


class Identity(BaseEstimator):
    """C of regression: return the combined value itself.

    Examples
    --------
    >>> from nonet.decide import Identity
    >>> Identity()([2.5, -1.0])
    [2.5, -1.0]
    """

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return "the value itself"

    def __call__(self, support: Floats, X: Any = None) -> Floats:
        """Return the values unchanged."""
        return support
