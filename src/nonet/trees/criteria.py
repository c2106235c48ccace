"""Split criteria of trees: public names and the corresponding names in the core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ClassImpurity:
    """An impurity of classes, by its name in the core.

    Several targets are grown on the indicators of all their classes side by side. This needs an
    impurity that is the sum of one term per class: a regression criterion whose value for an
    indicator is that term.

    Parameters
    ----------
    core : str
        Its name in the core.
    indicators : str, optional
        The criterion of the core for indicators; without one, trees have a single target.
    indicator_unit : float
        What the core's impurity of indicators has to be divided by.
    """

    core: str
    indicators: str | None = None
    indicator_unit: float = 1.0


# The core counts the deviance of indicators in natural logarithms, and the entropy in bits.
_ENTROPY = ClassImpurity("entropy", "indicator_entropy", float(np.log(2)))

CLASS_CRITERIA: Mapping[str, ClassImpurity] = {
    "gini": ClassImpurity("gini", "squared_error"),
    "entropy": _ENTROPY,
    "log_loss": _ENTROPY,
    "gain_ratio": ClassImpurity("gain_ratio"),
}

REGRESSION_CRITERIA: Mapping[str, str] = {
    "squared_error": "squared_error",
    "friedman_mse": "squared_error",
    "absolute_error": "absolute_error",
    "poisson": "poisson",
}


def listed(names: Iterable[str]) -> str:
    """Return names as docstrings list the values of a parameter.

    Examples
    --------
    >>> print(listed(["gini", "entropy"]))
    {'gini', 'entropy'}
    """
    return "{" + ", ".join(repr(name) for name in names if name != "friedman_mse") + "}"
