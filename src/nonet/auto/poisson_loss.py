"""Boosters with Poisson loss, for targets that are never negative.

Counts, prices and amounts vary in proportion to their mean. Poisson loss models the logarithm of
the mean and gives large values less weight than squared error; what it predicts is the mean, as
squared error does, so that both can be blended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nonet._base.aliases import Array
from nonet.auto.configuration import Configuration

_POSITION = 3  # among the first that are compared with each other


def with_poisson_loss(portfolio: Sequence[Configuration], y: Array) -> list[Configuration]:
    """Return a portfolio with its first booster once more, with Poisson loss, if values allow it.

    Parameters
    ----------
    portfolio : sequence of Configuration
    y : ndarray of shape (n_rows,)
        The values of a regression.

    Returns
    -------
    configurations : list of Configuration

    Examples
    --------
    >>> import numpy as np
    >>> booster = Configuration("b", "boosted_trees", {"n_estimators": 9, "reg_lambda": 2.0})
    >>> with_poisson_loss([booster], np.array([0.0, 3.0]))[-1].params
    {'n_estimators': 9, 'reg_lambda': 3.0, 'objective': 'poisson'}
    >>> len(with_poisson_loss([booster], np.array([-1.0, 3.0])))
    1
    """
    boosters = [one for one in portfolio if one.family == "boosted_trees" and not one.is_prepared]
    followed = [one for one in boosters if "n_estimators" in one.params]
    mean = float(y.mean())
    if not followed or y.min() < 0 or not mean > 0:
        return list(portfolio)
    first = followed[0]
    # The hessian of a row is its mean, where squared error has 1.
    penalty = {"reg_lambda": float(f"{first.params.get('reg_lambda', 0.0) * mean:.3g}")}
    params = {**first.params, **penalty, "objective": "poisson"}
    added = replace(first, name=f"{first.name}_poisson", params=params)
    return [*portfolio[:_POSITION], added, *portfolio[_POSITION:]]
