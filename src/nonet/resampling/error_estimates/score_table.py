"""Table of means with their standard errors over splits.

Reference: C. Nadeau & Y. Bengio (2003), Inference for the generalization error, Machine Learning
52, 239-281 (the correction for training sets that overlap).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from nonet._base.aliases import Floats
from nonet._base.arrays import as_numbers
from nonet._base.frames import column_names
from nonet._base.params import Integer, Nothing, Real, bad_parameter
from nonet._base.results import Result

_FRACTION = Nothing() | Real(0, 1, open_low=True, open_high=True)
_DIGITS = Nothing() | Integer(0)


@dataclass(frozen=True)
class ScoreTable(Result):
    """Means and standard errors of scores, one line per model.

    Attributes
    ----------
    names : tuple of str
        The models.
    means : ndarray of shape (n_models,)
        Mean scores.
    standard_errors : ndarray of shape (n_models,)
        Their standard errors; NaN for a single score.
    n_scores : ndarray of int of shape (n_models,)
        Number of scores.
    digits : int
        Decimals that are printed.

    Examples
    --------
    >>> from nonet.resampling import score_table
    >>> print(score_table({"tree": [0.90, 0.92, 0.94], "forest": [0.95, 0.96, 0.97]}))
    ScoreTable
      tree    0.9200 ± 0.0115
      forest  0.9600 ± 0.0058
    """

    names: tuple[str, ...]
    means: Floats
    standard_errors: Floats
    n_scores: Floats
    digits: int

    _shown: ClassVar[tuple[str, ...]] = ("names", "means", "standard_errors")

    def _lines(self) -> list[tuple[str, str]]:
        return [
            (name, _in_words(mean, error, self.digits))
            for name, mean, error in zip(self.names, self.means, self.standard_errors, strict=True)
        ]


def score_table(
    scores: Any, *, digits: int | None = None, test_size: float | None = None
) -> ScoreTable:
    """Summarise scores over splits as mean and standard error.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_scores,), or frame
        The scores (or errors) of each model over the splits; a frame has a column per model.
    digits : int, default=None
        Decimals; None shows two digits of the smallest standard error.
    test_size : float, default=None
        The fraction of rows that each split held out. Repeated splits share training rows, which
        makes the plain standard error, s / sqrt(n), too small; with ``test_size`` it is
        s * sqrt(1 / n + test_size / (1 - test_size)).

    Returns
    -------
    table : ScoreTable
        ``print`` shows a line "mean ± standard error" for each model.

    Examples
    --------
    >>> from nonet.resampling import score_table
    >>> print(score_table({"tree": [0.90, 0.92, 0.94]}, test_size=0.5, digits=2))
    ScoreTable
      tree  0.92 ± 0.02
    """
    names = column_names(scores)
    if names is not None:
        scores = {name: scores[name] for name in names}
    if not isinstance(scores, Mapping) or not scores:
        allowed = "a mapping of names to scores, or a frame, with at least one entry"
        raise bad_parameter("score_table", "scores", allowed, scores)
    for name, rule, value in (("digits", _DIGITS, digits), ("test_size", _FRACTION, test_size)):
        if not rule.allows(value):
            raise bad_parameter("score_table", name, rule.describe(), value)
    rows = [_check_scores(name, values) for name, values in scores.items()]
    sizes = np.array([len(own) for own in rows])
    shared = 0.0 if test_size is None else test_size / (1 - test_size)
    errors = np.array([_standard_error(own, shared) for own in rows])
    means = np.array([own.mean() for own in rows])
    return ScoreTable(
        tuple(map(str, scores)), means, errors, sizes, _digits(errors) if digits is None else digits
    )


def _check_scores(name: Any, values: ArrayLike) -> Floats:
    own = np.atleast_1d(as_numbers(values, f"score_table: the scores of {name!r}"))
    if own.ndim != 1 or not own.size or not np.isfinite(own).all():
        allowed = f"finite numbers for {name!r}"
        raise bad_parameter("score_table", "scores", allowed, values)
    return own


def _standard_error(scores: Floats, shared: float) -> float:
    if len(scores) < 2:
        return float("nan")
    return float(scores.std(ddof=1) * np.sqrt(1 / len(scores) + shared))


def _digits(errors: Floats) -> int:
    known = errors[np.isfinite(errors) & (errors > 0)]
    return max(0, 1 - int(np.floor(np.log10(known.min())))) if len(known) else 3


def _in_words(mean: float, error: float, digits: int) -> str:
    return f"{mean:.{digits}f}" if np.isnan(error) else f"{mean:.{digits}f} ± {error:.{digits}f}"
