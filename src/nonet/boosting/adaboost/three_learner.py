"""Schapire's original boosting algorithm: a majority vote of three learners.

Members: one on a random sample of the rows; one on rows of which the first gets half wrong; one on
rows for which the two predict different labels. F: the majority vote. C: the arg max; where all
three differ, the third decides.

References
----------
R. Schapire, "The strength of weak learnability", *Machine Learning* 5, 197-227, 1990.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d

from nonet._base.aliases import Array, Codes, Floats
from nonet._base.number_tables import read_table
from nonet._base.params import Having, Nothing, Real, Rule, check_params
from nonet._base.streams import StreamUse, member_seed, root_seed, stream
from nonet.boosting.adaboost.boosted_ensemble import BoostedEnsemble
from nonet.combine.table import COMBINATION_RULES, bind_rule
from nonet.ensemble import EnsembleClassifier
from nonet.members.fit import fit_member
from nonet.members.member import Member
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan
from nonet.trees.decision_tree import DecisionTreeClassifier

# Larger than any rounding of a sum of three votes, and too small to show in their fractions.
_THIRD_BREAKS_TIES = np.array([1.0, 1.0, 1.0 + 2.0**-20])


class ThreeLearnerClassifier(MetaEstimatorMixin, EnsembleClassifier):
    """Boosting by filtering: a majority vote of three learners (Schapire, 1990).

    ``a(x) = majority of b_1(x), b_2(x), b_3(x)``: if the first two predict the same label, it is
    the prediction; otherwise the third decides, which is fitted on such rows only.

    Parameters
    ----------
    estimator : estimator, default=None
        The learner; None is a decision tree of depth 3.
    first_fraction : float, default=0.4
        Fraction of the rows, sampled without replacement, that the first member is fitted on. The
        rows of the second member are selected from the others.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random numbers.
    decide : str or rule, default=None
        C: the arg max if None; the third member then decides where all three differ, which takes
        three classes. Another rule reads equal votes. A threshold to be tuned costs five more
        fits, of clones on folds.

    Attributes
    ----------
    members_ : list of Member
        The fitted members: three, or fewer if there are no rows left for the later ones.
    combine_ : callable
        F: the vote.
    decide_ : callable
        C: support in, labels out.
    estimators_ : list of classifiers
        The fitted models.
    rows_ : list of ndarray of int
        The rows each member was fitted on.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if they had any.

    See Also
    --------
    AdaBoostClassifier : The algorithm that superseded it.

    Notes
    -----
    If the first member is right, or wrong, on all other rows, there is no second. If the first two
    agree on all rows, there is no third: two vote, and a tie goes to the first class.

    The rows of the third member are those for which the first two predict different labels. With
    two classes, one of them is right on each of these rows; with more, both may be wrong.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from nonet import ThreeLearnerClassifier
    >>> X, y = make_moons(600, noise=0.2, random_state=0)
    >>> model = ThreeLearnerClassifier(random_state=0).fit(X[:400], y[:400])
    >>> model.score(X[400:], y[400:]) > 0.9
    True
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | Having("an estimator with fit and predict", "fit", "predict"),
        "first_fraction": Real(0, 1, open_low=True, open_high=True),
        "random_state": BoostedEnsemble._rules["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        first_fraction: float = 0.4,
        random_state: Any = None,
        decide: Any = None,
    ) -> None:
        self.estimator = estimator
        self.first_fraction = first_fraction
        self.random_state = random_state
        self.decide = decide

    def fit(self, X: Any, y: Any) -> ThreeLearnerClassifier:
        """Fit the first member, select rows for the second, and then for the third.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        table = read_table(self, X, reset=True)
        target = self._check_target(y if y is None else column_or_1d(y, warn=True))
        check_consistent_length(table, target)
        combine = COMBINATION_RULES["plurality"]
        decide = self._resolve_decide(self.decide, combine)
        self._fit_three(table, target, root_seed(self.random_state))
        self.combine_ = bind_rule(combine, len(self.members_), self._weights(), self.classes_)
        tuning = self._cross_fitted(table, target) if decide[0].needs_held_out else None
        self.decide_ = self._bind_decide(decide, table, target, tuning, {})
        return self

    def _weights(self) -> Floats | None:
        """Return None for equal votes, or a slightly heavier third vote if all three may differ."""
        may_all_differ = len(self.members_) == 3 and len(self.classes_) > 2
        return _THIRD_BREAKS_TIES if self.decide is None and may_all_differ else None

    def _fit_three(self, table: Any, target: Array, seed: int) -> None:
        self.members_ = []
        self.rows_: list[Array] = []
        truth = self._truth(target)[0]
        shuffled = stream(seed, 0, StreamUse.BOOSTED_ROWS).permutation(len(target))
        # At least one row of each class, and one in all: a learner needs two classes.
        n_first = max(int(self.first_fraction * len(target)), 1)
        firsts = np.unique(target[shuffled], return_index=True)[1]
        first = np.union1d(np.arange(n_first), firsts)
        first_codes = self._add_member(table, target, shuffled[first], seed)
        others = np.delete(shuffled, first)
        right = (first_codes == truth)[others]
        n_each = min(np.count_nonzero(right), np.count_nonzero(~right))
        if not n_each:
            return
        half_wrong = np.concatenate([others[~right][:n_each], others[right][:n_each]])
        second_codes = self._add_member(table, target, half_wrong, seed)
        disputed = np.flatnonzero(first_codes != second_codes)
        if disputed.size:
            self._add_member(table, target, disputed, seed)

    def _add_member(self, table: Any, target: Array, rows: Array, seed: int) -> Codes:
        """Fit a member on some rows; return the class codes it predicts for all rows."""
        prototype = self._prototype()
        position = len(self.members_)
        plan = MemberPlan(
            f"{type(prototype).__name__}[{position}]",
            prototype,
            rows=np.sort(rows),
            seed=member_seed(seed, position),
        )
        member: Member = fit_member(plan, table, target, position, 3)
        self.members_.append(member)
        self.rows_.append(np.sort(rows))
        return predict_member(member, table, "labels", [self.classes_])[0]

    def _prototype(self) -> Any:
        return DecisionTreeClassifier(max_depth=3) if self.estimator is None else self.estimator

    def member_outputs(self, X: Any) -> Any:
        """Return the predictions of every member on X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        codes : ndarray of shape (n_samples, n_members)
            Class codes: positions in ``classes_``.
        """
        check_is_fitted(self)
        return super().member_outputs(read_table(self, X, reset=False))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        parts = get_tags(self._prototype())
        tags.input_tags.sparse = parts.input_tags.sparse
        tags.input_tags.allow_nan = parts.input_tags.allow_nan
        return tags
