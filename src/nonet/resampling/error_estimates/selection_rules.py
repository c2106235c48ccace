"""The one-standard-error rule: the simplest model that is not clearly worse than the best.

Reference: L. Breiman, J. Friedman, R. Olshen & C. Stone (1984), Classification and Regression
Trees, section 3.4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Array, Floats
from nonet._base.params import Choice, bad_parameter

_SIMPLER = Choice("smaller", "larger")


def one_standard_error(
    errors: ArrayLike, standard_errors: ArrayLike, *, complexity: ArrayLike | None = None
) -> int:
    """Choose the simplest model whose error is at most the minimum plus its standard error.

    Parameters
    ----------
    errors : array-like of shape (n_models,)
        Estimated errors.
    standard_errors : array-like of shape (n_models,)
        Their standard errors; only that of the best model is read.
    complexity : array-like of shape (n_models,), default=None
        Larger is more complex; None means that models come from simplest to most complex. Among
        equally simple models that qualify, the one with the lowest error is chosen.

    Returns
    -------
    position : int
        Of the chosen model.

    Examples
    --------
    >>> from nonet.resampling import one_standard_error
    >>> one_standard_error([9.0, 5.2, 5.0, 5.1], [0.5, 0.4, 0.3, 0.3])
    1
    """
    error, spread = _finite("errors", errors), _finite("standard_errors", standard_errors)
    if error.shape != spread.shape:
        raise ValueError(
            f"standard_errors must hold one number for each of the {len(error)} errors, but has "
            f"shape {spread.shape}."
        )
    if (spread < 0).any():
        raise ValueError(f"standard_errors must be at least 0, but one is {spread.min()}.")
    order = np.arange(len(error)) if complexity is None else _finite("complexity", complexity)
    if order.shape != error.shape:
        raise ValueError(
            f"complexity must hold one number for each of the {len(error)} errors, but has shape "
            f"{order.shape}."
        )
    best = int(np.argmin(error))
    good = np.flatnonzero(error <= error[best] + spread[best])
    return int(good[np.lexsort((error[good], order[good]))[0]])


def _finite(name: str, values: ArrayLike) -> Floats:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of finite numbers, but got {values!r}.")
    return array


class OneStandardError:
    """The rule for scikit-learn's searches: ``GridSearchCV(..., refit=OneStandardError("alpha"))``.

    Parameters
    ----------
    complexity : str or callable
        The searched parameter that measures complexity, or a function of a dictionary of
        parameters that returns a number.
    simpler : {'smaller', 'larger'}, default='smaller'
        Which values are simpler: 'smaller' for a depth, 'larger' for a penalty.
    scorer : str, default='score'
        Which of several scores to use.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.model_selection import GridSearchCV
    >>> from nonet.resampling import OneStandardError
    >>> X, y = load_diabetes(return_X_y=True)
    >>> rule = OneStandardError("alpha", simpler="larger")
    >>> search = GridSearchCV(Ridge(), {"alpha": [0.01, 0.1, 1.0, 10.0]}, refit=rule).fit(X, y)
    >>> search.best_params_
    {'alpha': 0.1}
    """

    def __init__(
        self,
        complexity: str | Callable[[Mapping[str, Any]], float],
        *,
        simpler: str = "smaller",
        scorer: str = "score",
    ) -> None:
        if not (isinstance(complexity, str) or callable(complexity)):
            raise bad_parameter(self, "complexity", "a parameter's name or a callable", complexity)
        if not _SIMPLER.allows(simpler):
            raise bad_parameter(self, "simpler", _SIMPLER.describe(), simpler)
        self.complexity, self.simpler, self.scorer = complexity, simpler, scorer

    def __repr__(self) -> str:
        return f"OneStandardError({self.complexity!r}, simpler={self.simpler!r})"

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the position of the chosen candidate."""
        scores = self._scores(cv_results)
        spread = scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
        measured = np.array([self._measure(params) for params in cv_results["params"]])
        order = measured if self.simpler == "smaller" else -measured
        usable = np.flatnonzero(np.isfinite(scores).all(axis=0))
        if not usable.size:
            raise ValueError("no candidate has a finite score on every split: none can be chosen.")
        chosen = one_standard_error(
            -scores.mean(axis=0)[usable], spread[usable], complexity=order[usable]
        )
        return int(usable[chosen])

    def _scores(self, cv_results: Mapping[str, Any]) -> Array:
        """Return the scores, (n_splits, n_candidates)."""
        ending = f"_test_{self.scorer}"
        found = [
            values
            for name, values in cv_results.items()
            if name.startswith("split") and name.endswith(ending)
        ]
        if len(found) < 2:
            raise ValueError(
                f"OneStandardError needs scores named split<k>{ending} of at least 2 splits, but "
                f"found {len(found)}; name the score with scorer=."
            )
        return np.array(found, dtype=np.float64)

    def _measure(self, params: Mapping[str, Any]) -> float:
        if callable(self.complexity):
            return float(self.complexity(params))
        if self.complexity not in params:
            raise ValueError(
                f"complexity {self.complexity!r} is not a searched parameter; these are "
                f"{sorted(params)}."
            )
        return float(params[self.complexity])
