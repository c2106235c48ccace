"""Test whether level one of a stack leaks labels, and measure the cost of the leak.

A final model that reads predictions on rows the members were fitted on sees how well they
memorise, not how well they predict. Its score on level one is then too high, as new rows
show:

1. *Own labels*: labels are exchanged at random, with one coin per row. Predictions of honest
   members are independent of the coin of their own row; those of a leak are not. This test decides.
2. *Hold-out*: the score claimed on level one is compared with the score on held-out rows. This
   shows the cost of the leak.

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
from sklearn.pipeline import Pipeline

from nonet._base.aliases import Array, Floats
from nonet._base.frames import make_indexable, take_rows
from nonet._base.params import Integer, Real, bad_parameter
from nonet._base.results import Result
from nonet._base.streams import member_seed, root_seed, stream
from nonet.members.label_codes import fit_on_labels
from nonet.stacking.honest.label_leak_test import OwnLabelTest, p_values
from nonet.stacking.honest.nested_score import score_member, standard_error
from nonet.stacking.learned.stacked import StackedModels

_N_FOLDS = 5
_FRACTION = Real(0, 1, open_low=True, open_high=True)


@dataclass(frozen=True)
class LeakCheck(Result):
    """The result of a leak check: whether level one leaks, its claimed and its held-out score.

    Attributes
    ----------
    claimed : float
        The score of the final model on level one, by cross-validation over its rows. It is a
        little too high for honest stacks too, because a member that predicts one fold was fitted
        on the labels of the others.
    held_out : float
        The score of the stack on rows set aside.
    gap : float
        Claimed minus held out.
    gap_error : float
        Its standard error.
    best_member : float
        The best score of a member on the rows set aside; NaN if the scorer cannot score any.
    own_label_effects : ndarray of shape (n_permutations, n_members)
        How much the level-one predictions of each member follow the label of their own row, when
        labels are exchanged at random. The expectation is 0 if nothing leaks; 1 means that all
        predictions follow.
    member_p_values : dict of str to float
        For each member the probability of effects with such a mean if nothing leaks: a one-sided
        t-test with ``n_permutations - 1`` degrees of freedom.
    p_value : float
        The minimum of them times the number of members (Bonferroni), at most 1.
    leaks : bool
        Whether ``p_value`` is below the ``false_alarm_rate``.

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
        "member_p_values",
        "p_value",
        "leaks",
    )

    claimed: float
    held_out: float
    gap: float
    gap_error: float
    best_member: float
    own_label_effects: Floats
    member_p_values: dict[str, float]
    p_value: float
    leaks: bool


def leak_check(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = None,
    test_size: float = 0.25,
    n_permutations: int = 10,
    false_alarm_rate: float = 0.01,
    groups: Any = None,
    random_state: Any = None,
) -> LeakCheck:
    """Test whether level one of a stack leaks, and compare its claimed score with new rows.

    1. Toss a coin for each row (each group) and exchange its label on tails: a class
       for the next class, a value for the one of mirrored rank.
    2. Make level one from these labels, and measure how much each prediction follows the coin of
       its own row. Honest predictions are independent of this coin, so the expectation is 0.
    3. Repeat, and compare the mean with 0 by a t-test.

    Parameters
    ----------
    estimator : StackingClassifier or StackingRegressor, or a Pipeline that ends in one
        Prefit members are refitted on the rows that level one is then made of. This shows the
        effect of passing the training rows of the members to ``fit``. The steps of a pipeline
        are fitted on all rows, so that a selection of columns by y before the folds is detected.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    scoring : str or callable, default=None
        A scikit-learn scorer, its name, or a callable (estimator, X, y); None is accuracy, or
        R squared.
    test_size : float, default=0.25
        The fraction of rows set aside.
    n_permutations : int, default=10
        The number of repeats with exchanged labels. With fewer than about 6, only strong leaks
        are detected.
    false_alarm_rate : float, default=0.01
        The maximum probability of ``leaks`` for an honest stack.
    groups : array-like of shape (n_samples,), default=None
        The group of each row: labels are exchanged and rows set aside by whole groups, so that
        folds that split groups are detected. They are passed to the splitter of the stack too.
    random_state : int, RandomState, Generator or None, default=None
        Chooses the rows set aside and tosses the coins.

    Returns
    -------
    check : LeakCheck

    Notes
    -----
    The cost is ``n_permutations`` fits of all members on all folds, and one fit of the stack on
    the rows that are not set aside, with a cross-validation of its final model.

    Steps applied to X before this call are not repeated, so their leaks are not detected: columns
    that were chosen or encoded by y outside. Put such steps into a pipeline, before the stack or,
    better, inside its members.

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
    >>> max(check.member_p_values.values()) < 0.01  # the linear model remembers too, a little
    True
    """
    steps, stack = _take_apart(estimator)
    _check_numbers(test_size, n_permutations, false_alarm_rate)
    X, target = make_indexable(X), np.asarray(y)
    root = root_seed(random_state)
    train, test = _set_aside(stack, target, test_size, groups, member_seed(root, 0))
    scorer = check_scoring(stack, scoring=scoring)
    claims, held_out, best = _LeakTrial(stack, steps, X, train, test, groups, scorer).run(target)
    effects, names = _own_label_effects(stack, steps, X, target, groups, root, n_permutations)
    found = p_values(effects)
    p_value = min(1.0, len(found) * float(found.min()))
    return LeakCheck(
        float(claims.mean()),
        float(held_out.mean()),
        float(claims.mean() - held_out.mean()),
        float(np.hypot(standard_error(claims), standard_error(held_out))),
        best,
        effects,
        dict(zip(names, found.tolist(), strict=True)),
        p_value,
        p_value < false_alarm_rate,
    )


def _take_apart(estimator: Any) -> tuple[Any, Any]:
    """Return the steps before the stack, None if there are none, and the stack."""
    steps, stack = None, estimator
    if isinstance(estimator, Pipeline):
        steps, stack = (estimator[:-1] if len(estimator) > 1 else None), estimator[-1]
    if isinstance(stack, StackedModels):
        return steps, stack
    raise TypeError(
        "leak_check checks the level one of a StackingClassifier or StackingRegressor, alone or "
        f"at the end of a Pipeline, but got {type(stack).__name__}; honest_score takes any "
        "ensemble."
    )


def _check_numbers(test_size: Any, n_permutations: Any, false_alarm_rate: Any) -> None:
    if not Integer(2).allows(n_permutations):
        raise bad_parameter("leak_check", "n_permutations", Integer(2).describe(), n_permutations)
    fractions = {"test_size": test_size, "false_alarm_rate": false_alarm_rate}
    for name, value in fractions.items():
        if not _FRACTION.allows(value):
            raise bad_parameter("leak_check", name, _FRACTION.describe(), value)


def _own_label_effects(
    stack: Any, steps: Any, X: Any, target: Array, groups: Any, root: int, n_permutations: int
) -> tuple[Floats, list[str]]:
    unfitted = clone(stack)
    labels = unfitted._check_target(target)
    generators = [stream(root, turn) for turn in range(n_permutations)]
    return OwnLabelTest(unfitted, steps, X, labels, groups).run(generators)


def _set_aside(
    estimator: Any, target: Array, test_size: float, groups: Any, seed: int
) -> tuple[Array, Array]:
    rows = np.zeros(len(target))
    if groups is not None:
        splitting: Any = GroupShuffleSplit(1, test_size=test_size, random_state=seed)
    elif is_classifier(estimator):
        splitting = StratifiedShuffleSplit(1, test_size=test_size, random_state=seed)
    else:
        splitting = ShuffleSplit(1, test_size=test_size, random_state=seed)
    train, test = next(splitting.split(rows, target, groups))
    return train, test


@dataclass(frozen=True)
class _LeakTrial:
    """A stack fitted on the training rows, and its score on level one and on new rows."""

    estimator: Any
    steps: Any
    X: Any
    train: Array
    test: Array
    groups: Any
    scorer: Any

    def run(self, target: Array) -> tuple[Floats, Floats, float]:
        """Return scores on folds of level one, on folds of new rows, and of the best member."""
        y = target[self.train]
        X, unseen = self._prepare(y)
        stack = self._fit(X, y)
        table, rows = stack._fitted_level_one(X)
        final = clone(stack.final_estimator_)
        claims = cross_val_score(final, table, y[rows], cv=_N_FOLDS, scoring=self.scorer)
        truth, n_test = target[self.test], len(self.test)
        parts = np.array_split(np.arange(n_test), min(_N_FOLDS, n_test // 2 or 1))
        held_out = [self.scorer(stack, take_rows(unseen, part), truth[part]) for part in parts]
        return claims, np.array(held_out), self._best_member(stack, unseen, truth)

    def _prepare(self, y: Array) -> tuple[Any, Any]:
        """Return training and new rows after the steps before the stack."""
        X, unseen = take_rows(self.X, self.train), take_rows(self.X, self.test)
        if self.steps is None:
            return X, unseen
        steps = clone(self.steps)
        return steps.fit_transform(X, y), steps.transform(unseen)

    def _fit(self, X: Any, y: Array) -> Any:
        stack = clone(self.estimator)
        if stack.prefit:
            fitted = [
                (name, fit_on_labels(clone(model), X, y, {})) for name, model in stack._kept()
            ]
            stack.set_params(estimators=fitted)
        own = {} if self.groups is None else {"groups": take_rows(self.groups, self.train)}
        return stack.fit(X, y, **own)

    def _best_member(self, stack: Any, unseen: Any, truth: Array) -> float:
        scores = [score_member(self.scorer, m.estimator, unseen, truth) for m in stack.members_]
        return max((score for score in scores if np.isfinite(score)), default=np.nan)
