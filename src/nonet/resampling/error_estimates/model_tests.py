"""Tests of whether one model is better than another, for dependent splits.

References: C. Nadeau & Y. Bengio (2003), Inference for the generalization error, Machine Learning
52, 239-281; T. Dietterich (1998), Approximate statistical tests for comparing supervised
classification learning algorithms, Neural Computation 10, 1895-1923; E. Alpaydin (1999), Combined
5x2cv F test, the same journal 11, 1885-1892; Q. McNemar (1947), Psychometrika 12, 153-157.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from sklearn.base import is_classifier
from sklearn.model_selection import KFold, StratifiedKFold

from nonet._base.aliases import Floats
from nonet._base.params import Boolean, Choice, Nothing, Real, bad_parameter
from nonet._base.results import Result
from nonet._base.streams import member_seed, root_seed
from nonet.resampling.error_estimates.cv_result import CVError
from nonet.resampling.error_estimates.held_out import Split, held_out_losses, make_trial

_KIND = Choice("f", "t")
_SIZE = Real(0, open_low=True)
# Number of disagreements from which the chi-squared form of McNemar's test is accurate.
_MANY_DISAGREEMENTS = 25


@dataclass(frozen=True)
class ModelTest(Result):
    """A test of whether two models have the same error.

    Attributes
    ----------
    p_value : float
        Two-sided.
    difference : float
        Error of the first model less that of the second: negative if the first is better.
    statistic : float
        The value of the test's statistic; infinite if every split shows the same difference.
    method : str
        The test.

    Examples
    --------
    >>> from nonet.resampling import mcnemar_test
    >>> mcnemar_test([0, 0, 1, 1, 1], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0]).p_value
    0.125
    """

    p_value: float
    difference: float
    statistic: float
    method: str

    _shown: ClassVar[tuple[str, ...]] = ("method", "p_value", "difference", "statistic")


def corrected_t_test(first: Any, second: Any, *, test_ratio: float | None = None) -> ModelTest:
    """Compare two models over resampled splits by the t-test of Nadeau and Bengio.

    The splits share training rows, so the usual t-test finds differences that are not there. This
    one adds the ratio of test to training rows to 1 / (number of splits).

    Parameters
    ----------
    first : CVError or array-like of shape (n_splits,)
        Errors of one model, split by split.
    second : CVError or array-like of shape (n_splits,)
        Errors of the other on the same splits.
    test_ratio : float, default=None
        Test rows over training rows of a split; needed if arrays are given, 1/9 for 10-fold.

    Returns
    -------
    test : ModelTest

    Examples
    --------
    >>> from nonet.resampling import corrected_t_test
    >>> test = corrected_t_test([0.10, 0.12, 0.11], [0.20, 0.19, 0.24], test_ratio=0.5)
    >>> round(test.p_value, 3)
    0.067
    """
    if isinstance(first, CVError) and isinstance(second, CVError):
        gaps, ratio = _paired_gaps(first, second)
        if test_ratio is not None:
            raise ValueError("test_ratio is known from the CVError results: leave it out.")
    else:
        gaps = _gaps_of_arrays(first, second)
        if not _SIZE.allows(test_ratio):
            raise bad_parameter("corrected_t_test", "test_ratio", _SIZE.describe(), test_ratio)
        ratio = float(test_ratio)  # type: ignore[arg-type]
    n_splits = len(gaps)
    spread = np.sqrt((1 / n_splits + ratio) * gaps.var(ddof=1))
    statistic = _over(float(gaps.mean()), float(spread))
    p_value = float(2 * stats.t.sf(abs(statistic), n_splits - 1))
    return ModelTest(p_value, float(gaps.mean()), statistic, "corrected resampled t-test")


def five_by_two_test(
    first: Any,
    second: Any,
    X: Any,
    y: ArrayLike,
    *,
    kind: str = "f",
    loss: Any = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> ModelTest:
    """Compare two estimators over five random halvings of the rows.

    Parameters
    ----------
    first : estimator
        One model.
    second : estimator
        The other.
    X : array-like or data frame of shape (n, n_features)
        The rows.
    y : array-like of shape (n,)
        The truth.
    kind : {'f', 't'}, default='f'
        Alpaydin's F, which uses all ten differences, or Dietterich's t, whose numerator is the
        first of them.
    loss : str or callable, default=None
        As in `cv_error`.
    n_jobs : int, default=None
        Number of fits in parallel, as in joblib.
    random_state : int, RandomState, Generator or None, default=None
        Of the halvings.

    Returns
    -------
    test : ModelTest

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from nonet.resampling import five_by_two_test
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> y = X[:, 0] > 0
    >>> test = five_by_two_test(DummyClassifier(), KNeighborsClassifier(), X, y, random_state=0)
    >>> test.p_value < 0.05
    True
    """
    if not _KIND.allows(kind):
        raise bad_parameter("five_by_two_test", "kind", _KIND.describe(), kind)
    trials = [make_trial(model, X, y, loss) for model in (first, second)]
    root = root_seed(random_state)
    splits = [
        split
        for number in range(5)
        for split in _halves(trials[0].y, is_classifier(first), member_seed(root, number))
    ]
    losses = held_out_losses(trials, splits, n_jobs=n_jobs)
    means = np.array([[own.mean() for own in model] for model in losses])
    return compare_halves((means[0] - means[1]).reshape(5, 2), kind)


def compare_halves(differences: Floats, kind: str) -> ModelTest:
    """Return the 5x2 test of the differences, (5, 2): halving by half."""
    centred = differences - differences.mean(axis=1, keepdims=True)
    variances = (centred**2).sum(axis=1)
    if kind == "t":
        statistic = _over(float(differences[0, 0]), float(np.sqrt(variances.mean())))
        p_value = float(2 * stats.t.sf(abs(statistic), 5))
    else:
        statistic = _over(float((differences**2).sum()), float(2 * variances.sum()))
        p_value = float(stats.f.sf(statistic, 10, 5))
    return ModelTest(p_value, float(differences.mean()), statistic, f"5x2cv {kind}-test")


def mcnemar_test(
    y: ArrayLike, first: ArrayLike, second: ArrayLike, *, exact: bool | None = None
) -> ModelTest:
    """Compare two classifiers on the rows where exactly one of them is right.

    Parameters
    ----------
    y : array-like of shape (n,)
        The truth, on rows that neither model has seen.
    first : array-like of shape (n,)
        Labels from one model.
    second : array-like of shape (n,)
        Labels from the other.
    exact : bool, default=None
        Whether to use the binomial distribution instead of chi-squared with continuity correction.
        None does so for fewer than 25 disagreements.

    Returns
    -------
    test : ModelTest
        ``statistic`` is the smaller number of rows that one alone gets right, or chi-squared.

    Examples
    --------
    >>> from nonet.resampling import mcnemar_test
    >>> mcnemar_test([0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 1, 0]).statistic
    1.0
    """
    rule = Nothing() | Boolean()
    if not rule.allows(exact):
        raise bad_parameter("mcnemar_test", "exact", rule.describe(), exact)
    truth, labels = np.asarray(y), [np.asarray(first), np.asarray(second)]
    if truth.ndim != 1 or not truth.size or any(own.shape != truth.shape for own in labels):
        raise ValueError(
            "y, first and second must hold one label for each of the same rows, but have shapes "
            f"{truth.shape}, {labels[0].shape} and {labels[1].shape}."
        )
    wrong = [own != truth for own in labels]
    first_only, second_only = (int(np.sum(~a & b)) for a, b in (wrong, wrong[::-1]))
    difference = float(wrong[0].mean() - wrong[1].mean())
    disagreements = first_only + second_only
    if exact or (exact is None and disagreements < _MANY_DISAGREEMENTS):
        less = min(first_only, second_only)
        p_value = min(1.0, 2 * float(stats.binom.cdf(less, disagreements, 0.5)))
        return ModelTest(p_value, difference, float(less), "exact McNemar test")
    gap = max(abs(first_only - second_only) - 1, 0)
    statistic = _over(float(gap**2), float(disagreements))
    return ModelTest(float(stats.chi2.sf(statistic, 1)), difference, statistic, "McNemar test")


def _paired_gaps(first: CVError, second: CVError) -> tuple[Floats, float]:
    same = np.array_equal(first.rows, second.rows) and np.array_equal(
        first.fold_sizes, second.fold_sizes
    )
    if not same or first.n_folds < 2:
        raise ValueError("the two results must come from the same splits, and from at least 2.")
    ratio = float(np.mean(first.fold_sizes / first.train_sizes))
    return first.fold_errors - second.fold_errors, ratio


def _gaps_of_arrays(first: Any, second: Any) -> Floats:
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape or len(a) < 2:
        raise ValueError(
            "first and second must hold the errors of the same splits, at least 2, but have shapes "
            f"{a.shape} and {b.shape}."
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise ValueError("first and second must be finite errors.")
    return a - b


def _halves(y: Any, classifier: bool, seed: int) -> list[Split]:
    kind = StratifiedKFold if classifier else KFold
    return list(kind(2, shuffle=True, random_state=seed).split(y, y))


def _over(above: float, below: float) -> float:
    """Divide; 0 / 0 is 0 (no difference), and any other number over 0 is infinite."""
    if below > 0:
        return above / below
    return 0.0 if above == 0 else float(np.copysign(np.inf, above))
