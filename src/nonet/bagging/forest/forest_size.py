"""Stop rule for the number of trees: the out-of-bag score is flat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from nonet._base.params import Integer, Real, Rule, check_params


class FlatCurve(BaseEstimator):
    """Stop when the out-of-bag score has stayed within a narrow band.

    Parameters
    ----------
    tolerance : float, default=0.002
        Width of the band, in units of the score.
    every : int, default=25
        Number of members between two evaluations of the score.
    looks : int, default=4
        Number of latest changes that must stay within the band.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from nonet import RandomForestClassifier
    >>> from nonet.bagging import FlatCurve
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(2000, stop_when=FlatCurve(0.01), random_state=0).fit(X, y)
    >>> len(forest) < 2000
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "tolerance": Real(0),
        "every": Integer(1),
        "looks": Integer(1),
    }

    def __init__(self, tolerance: float = 0.002, every: int = 25, looks: int = 4) -> None:
        self.tolerance = tolerance
        self.every = every
        self.looks = looks

    def is_flat(self, curve: Sequence[tuple[int, float]]) -> bool:
        """Return whether the latest scores lie within the band."""
        last = [score for _, score in curve[-self.looks - 1 :]]
        return len(last) > self.looks and max(last) - min(last) <= self.tolerance


def resolve_stop(stop_when: Any) -> FlatCurve | None:
    """Return the rule that a ``stop_when=`` parameter stands for."""
    if stop_when is None:
        return None
    rule = FlatCurve() if stop_when == "flat" else stop_when
    check_params(rule, rule._rules)
    return rule
