"""Closed relations between measures of diversity.

Kohavi-Wolpert variance, disagreement, double fault, difficulty, interrater agreement and
generalized diversity look like six measures. Given the mean accuracy and the number of members,
each is a function of any other.

Reference: L. Kuncheva & C. Whitaker (2003), Measures of diversity in classifier ensembles and
their relationship with the ensemble accuracy, Machine Learning 51, 181-207.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.params import Integer, Real, bad_parameter
from nonet.theory.arguments import Prediction, as_requested, check_numbers

_ROUNDING = 1e-12


def diversity_from_variance(
    accuracy: ArrayLike, variance: ArrayLike, n_members: ArrayLike
) -> dict[str, Prediction]:
    """Return the measures of diversity that the Kohavi-Wolpert variance determines.

    Parameters
    ----------
    accuracy : float or array-like
        The mean accuracy r of the members, above 0 and below 1.
    variance : float or array-like
        The Kohavi-Wolpert variance KW, the mean of p(1 - p) over the rows, where p is the fraction
        of members that are right; at most r(1 - r).
    n_members : int or array-like of int
        The number R of members, at least 2.

    Returns
    -------
    measures : dict of str to float or ndarray
        ``disagreement`` = 2R/(R-1) KW; ``double_fault`` = 1 - r - R/(R-1) KW; ``difficulty`` =
        r(1-r) - KW; ``interrater_agreement`` = 1 - R/(R-1) KW/(r(1-r));
        ``generalized_diversity`` = R/(R-1) KW/(1-r).

    Examples
    --------
    >>> from nonet.theory import diversity_from_variance
    >>> for name, value in diversity_from_variance(0.75, 0.1, 5).items():
    ...     print(f"{name:21} {value:.4f}")
    disagreement          0.2500
    double_fault          0.1250
    difficulty            0.0875
    interrater_agreement  0.3333
    generalized_diversity 0.5000
    """
    owner = "diversity_from_variance"
    r = check_numbers(owner, "accuracy", accuracy, Real(0, 1, open_low=True, open_high=True))
    kw = check_numbers(owner, "variance", variance, Real(0, 0.25))
    n = check_numbers(owner, "n_members", n_members, Integer(2))
    most = r * (1 - r)
    if np.any(kw > most + _ROUNDING):
        raise bad_parameter(owner, "variance", "at most accuracy * (1 - accuracy)", variance)
    half_disagreement = n / (n - 1) * kw
    measures = {
        "disagreement": 2 * half_disagreement,
        "double_fault": 1 - r - half_disagreement,
        "difficulty": most - kw,
        "interrater_agreement": 1 - half_disagreement / most,
        "generalized_diversity": half_disagreement / (1 - r),
    }
    return {name: as_requested(measure) for name, measure in measures.items()}
