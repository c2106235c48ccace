"""Is the gain of a stack real? Two tests that a leak does not pass.

A final model that reads answers on rows the members were fitted on sees how well they remember,
not how well they predict. Its score on level one is then a promise that new rows do not keep:

1. *Hold-out*: the score claimed on level one against the score on rows set aside.
2. *Permuted labels*: with labels shuffled there is nothing to learn, so the claim must be
   what chance gives; a leak still claims to know.

References
----------
D. H. Wolpert, Stacked generalization, Neural Networks 5, 1992.
M. Ojala and G. C. Garriga, Permutation tests for studying classifier performance, JMLR 11, 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import (
    GroupShuffleSplit,
    ShuffleSplit,
    StratifiedShuffleSplit,
    cross_val_score,
)

from nonet._base.aliases import Array, Floats
from nonet._base.frames import make_indexable, take_rows
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.results import Result
from nonet._base.streams import member_seed, root_seed, stream
from nonet.stacking.nested_score import score_member, standard_error
from nonet.stacking.stacked import StackedModels

_N_FOLDS = 5
_SURE = 3.0  # standard errors: one false alarm in some hundreds


@dataclass(frozen=True)
class LeakCheck(Result):
    """What a stack claims on level one, and what new rows say.

    Attributes
    ----------
    claimed : float
        The score of the final model on level one, by cross-validation over its rows.
    held_out : float
        The score of the stack on rows set aside.
    gap : float
        Claimed minus held out.
    gap_error : float
        Its standard error.
    permuted_gaps : ndarray of shape (n_permutations,)
        The same gap with the labels shuffled; around 0 if nothing leaks.
    best_member : float
        The best score of a member on the rows set aside; NaN if the scorer can ask none.
    leaks : bool
        Whether a gap, real or permuted, is above 0 by more than three standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from nonet import StackingClassifier, leak_check
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(120, 5)), rng.integers(0, 2, 120)
    >>> trees = [(f"tree{seed}", DecisionTreeClassifier(random_state=seed)) for seed in range(3)]
    >>> honest = StackingClassifier(trees)
    >>> leaking = StackingClassifier(trees, partition="leaking", random_state=0)
    >>> [leak_check(stack, X, y, random_state=0).leaks for stack in (honest, leaking)]
    [False, True]
    """

    _shown: ClassVar[tuple[str, ...]] = (
        "claimed",
        "held_out",
        "gap",
        "gap_error",
        "best_member",
        "permuted_gaps",
        "leaks",
    )

    claimed: float
    held_out: float
    gap: float
    gap_error: float
    permuted_gaps: Floats
    best_member: float
    leaks: bool


def leak_check(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = None,
    test_size: float = 0.25,
    n_permutations: int = 10,
    groups: Any = None,
    random_state: Any = None,
) -> LeakCheck:
    """Tell whether what a stack claims on level one holds on new rows.

    Parameters
    ----------
    estimator : StackingClassifier or StackingRegressor
        Prefit members are fitted anew, on the rows that level one is then made of: what happens
        to those who give ``fit`` the rows their members were trained on.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    scoring : str or callable, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y); None is accuracy, or
        R squared.
    test_size : float, default=0.25
        The share of rows set aside.
    n_permutations : int, default=10
        How often the labels are shuffled.
    groups : array-like of shape (n_samples,), default=None
        The group of each row: whole groups are set aside, so that folds which part groups are
        found out. They are passed to the splitter of the stack too.
    random_state : int, RandomState, Generator or None, default=None
        Sets rows aside and shuffles labels.

    Returns
    -------
    check : LeakCheck

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from nonet import StackingRegressor, leak_check
    >>> X, y = load_diabetes(return_X_y=True)
    >>> near = ("near", KNeighborsRegressor(1).fit(X, y))
    >>> naive = StackingRegressor([near, ("linear", LinearRegression().fit(X, y))], cv="prefit")
    >>> check = leak_check(naive, X, y, random_state=0)
    >>> check.leaks, check.claimed > 0.9, check.held_out < 0.3
    (True, True, True)
    """
    _check_arguments(estimator, test_size, n_permutations)
    X, target = make_indexable(X), np.asarray(y)
    root = root_seed(random_state)
    train, test = _set_aside(estimator, target, test_size, groups, member_seed(root, 0))
    trial = _Trial(estimator, X, train, test, groups, check_scoring(estimator, scoring=scoring))
    claims, held_out, best = trial.run(target)
    gaps = []
    for turn in range(n_permutations):
        shuffled = stream(root, turn).permutation(target)
        claimed, real, _ = trial.run(shuffled)
        gaps.append(claimed.mean() - real.mean())
    permuted = np.array(gaps)
    gap = float(claims.mean() - held_out.mean())
    error = float(np.hypot(standard_error(claims), standard_error(held_out)))
    fires = gap > _SURE * error or permuted.mean() > _SURE * standard_error(permuted)
    return LeakCheck(
        float(claims.mean()), float(held_out.mean()), gap, error, permuted, best, bool(fires)
    )


def _check_arguments(estimator: Any, test_size: Any, n_permutations: Any) -> None:
    if not isinstance(estimator, StackedModels):
        raise TypeError(
            "leak_check looks at the level one of a StackingClassifier or StackingRegressor, but "
            f"got {type(estimator).__name__}; honest_score takes any ensemble."
        )
    share = Real(0, 1, open_low=True, open_high=True)
    if not share.allows(test_size):
        raise bad_parameter("leak_check", "test_size", share.describe(), test_size)
    if not Integer(2).allows(n_permutations):
        raise bad_parameter("leak_check", "n_permutations", Integer(2).describe(), n_permutations)


def _set_aside(
    estimator: Any, target: Array, test_size: float, groups: Any, seed: int
) -> tuple[Array, Array]:
    rows = np.zeros(len(target))
    if groups is not None:
        parting: Any = GroupShuffleSplit(1, test_size=test_size, random_state=seed)
    elif is_classifier(estimator):
        parting = StratifiedShuffleSplit(1, test_size=test_size, random_state=seed)
    else:
        parting = ShuffleSplit(1, test_size=test_size, random_state=seed)
    train, test = next(parting.split(rows, target, groups))
    return train, test


@dataclass(frozen=True)
class _Trial:
    """One stack on the training rows, judged twice: by its own level one, and by new rows."""

    estimator: Any
    X: Any
    train: Array
    test: Array
    groups: Any
    scorer: Any

    def run(self, target: Array) -> tuple[Floats, Floats, float]:
        """Return scores on folds of level one, on parts of the new rows, of the best member."""
        X, y = take_rows(self.X, self.train), target[self.train]
        stack = self._fit(X, y)
        table, rows = stack._fitted_level_one(X)
        final = clone(stack.final_estimator_)
        claims = cross_val_score(final, table, y[rows], cv=_N_FOLDS, scoring=self.scorer)
        parts = np.array_split(self.test, min(_N_FOLDS, len(self.test) // 2 or 1))
        held_out = [self.scorer(stack, take_rows(self.X, part), target[part]) for part in parts]
        return claims, np.array(held_out), self._best_member(stack, target)

    def _fit(self, X: Any, y: Array) -> Any:
        stack = clone(self.estimator)
        if stack.prefit:
            fitted = [(name, clone(model).fit(X, y)) for name, model in stack._kept()]
            stack.set_params(estimators=fitted)
        own = {} if self.groups is None else {"groups": take_rows(self.groups, self.train)}
        return stack.fit(X, y, **own)

    def _best_member(self, stack: Any, target: Array) -> float:
        unseen, truth = take_rows(self.X, self.test), target[self.test]
        scores = [score_member(self.scorer, m.estimator, unseen, truth) for m in stack.members_]
        return max((score for score in scores if np.isfinite(score)), default=np.nan)
