"""The arbiter: a model fitted on rows where the members disagree decides such rows.

Members: the given models, on all rows or each on its own subset. F: votes. C: the class with
enough votes; the arbiter's class where there is none.

Reference: P. Chan & S. Stolfo (1993), Toward parallel and distributed learning by meta-learning,
AAAI Workshop on Knowledge Discovery in Databases, 227-240.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import ABSTAINED, Array, Codes, Floats
from nonet._base.frames import take_rows
from nonet._base.params import (
    Boolean,
    Choice,
    Having,
    Nothing,
    Rule,
    bad_parameter,
    check_params,
)
from nonet._base.rule_words import parameters_in_words
from nonet._base.streams import RANDOM_STATE, root_seed, stream
from nonet.combine.table import bind_rule, resolve_combination_rule
from nonet.decide.argmax import Argmax
from nonet.decide.rule import Decision, DecisionRule
from nonet.decide.support import gap_at_top
from nonet.ensemble import EnsembleClassifier
from nonet.members.member import Member
from nonet.members.outputs import predict_member
from nonet.members.plan import MemberPlan
from nonet.stacking.cross_fitted_models import LedgerModels, OwnParams
from nonet.stacking.model_docs import with_model_docs
from nonet.stacking.routed.arbiter_tree import (
    ArbiterTree,
    fit_arbiter,
    grow_arbiter_tree,
    held_out_codes,
)
from nonet.stacking.single_target import SingleTarget

_ROUNDING = 1e-9


def _has_majority(fractions: Floats) -> Array:
    return np.asarray(fractions.max(axis=1) > 0.5 + _ROUNDING)


def _has_leader(fractions: Floats) -> Array:
    return np.asarray(gap_at_top(fractions) > _ROUNDING)


def _has_all_votes(fractions: Floats) -> Array:
    return np.asarray(fractions.max(axis=1) >= 1 - _ROUNDING)


_HAS_ENOUGH: dict[str, Callable[[Floats], Array]] = {
    "majority": _has_majority,
    "tie": _has_leader,
    "disagreement": _has_all_votes,
}
"""For each value of ``dispute``, which rows have a class with enough votes."""


class EnoughVotes(DecisionRule):
    """Predict the class with enough votes; no decision where the members disagree."""

    def __init__(self, dispute: str = "majority") -> None:
        self.dispute = dispute

    @property
    def in_words(self) -> str:
        """What diagrams and reports call it."""
        return f"class with enough votes{parameters_in_words(self)}"

    def decide(self, support: Floats) -> Codes:
        """Return the code of the class with enough votes, -1 where there is none."""
        return np.where(_HAS_ENOUGH[self.dispute](support), support.argmax(axis=1), ABSTAINED)


def _has_no_tree(ensemble: Any) -> bool:
    return not ensemble.arbiter_tree


@with_model_docs
class ArbiterClassifier(SingleTarget, LedgerModels, EnsembleClassifier):
    """Let members vote, and let an arbiter decide where they disagree.

    1. The members are fitted, on all rows or each on its own subset.
    2. Rows on which no class has enough votes form the dispute set; ``dispute`` sets how many are
       enough.
    3. The arbiter is fitted on the dispute set alone, that is, on the difficult rows.
    4. A new row gets the class with enough votes, or the arbiter's class where there is none.

    Parameters
    ----------
    {members}
    arbiter : estimator, default=None
        The model that decides disputes; None is a clone of the first member.
    dispute : {'majority', 'tie', 'disagreement'}, default='majority'
        Which rows go to the arbiter, in training and in prediction. 'majority': no class has
        more than half of the votes. 'tie': several classes have the most votes. 'disagreement':
        the members do not all agree. With votes of 2, 1 and 1 for three classes there is no
        majority, and the arbiter decides; there is no tie either, so under 'tie' the first
        class is predicted. A tree of arbiters decides every disagreement of its pairs.
    partition : bool, default=False
        Whether each member is fitted on its own subset of the rows, as in the lecture notes, which
        makes fitting fast. The dispute set is found on all rows by held-out predictions: the
        rows of its own subset are predicted by five clones, each fitted without a fifth of them.
    arbiter_tree : bool, default=False
        Whether arbiters form a tree over the subsets (needs ``partition``): pairs of members have
        an arbiter for their disagreements, pairs of pairs another one, up to the root.
    cv : int, splitter or iterable, default=None
        How rows are held out to find the dispute set; None is 5 folds.
    {n_jobs}
    {verbose}
    random_state : int, RandomState, Generator or None, default=None
        Assigns the rows to the members.

    Attributes
    ----------
    {fitted_members}
    arbiter_ : estimator or None
        The fitted arbiter; None if there was no dispute in training, and for a tree.
    dispute_rows_ : ndarray of int
        The training rows that the arbiter was fitted on.
    tree_ : ArbiterTree or None
        The tree of arbiters.
    combine_ : callable
        F: maps class codes of the members to vote fractions; a tree of arbiters is F itself,
        and returns the class that its root decides on.
    decide_ : callable
        C: maps vote fractions and X to labels.
    estimators_ : list of classifiers
        The fitted models of the members.
    {classes}
    {columns}

    See Also
    --------
    VotingClassifier : ``decide=Argmax(tie='arbiter', ...)`` uses a model fitted on all rows.

    Notes
    -----
    Without any dispute in training no arbiter is fitted: later ties go to the first of the classes
    with most votes. A dispute set of one class gives an arbiter that always predicts this class.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from nonet import ArbiterClassifier
    >>> X, y = make_moons(300, noise=0.2, random_state=0)
    >>> members = [("line", LogisticRegression()), ("bayes", GaussianNB())]
    >>> model = ArbiterClassifier(members, arbiter=KNeighborsClassifier(5)).fit(X, y)
    >>> len(model.dispute_rows_) < 30
    True
    """

    tree_: ArbiterTree | None
    _rules: ClassVar[Mapping[str, Rule]] = {
        **LedgerModels._rules,
        "arbiter": Nothing() | Having("a classifier with fit and predict", "fit", "predict"),
        "dispute": Choice(*_HAS_ENOUGH),
        "partition": Boolean(),
        "arbiter_tree": Boolean(),
        "random_state": RANDOM_STATE,
    }

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        arbiter: Any = None,
        *,
        dispute: str = "majority",
        partition: bool = False,
        arbiter_tree: bool = False,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: bool | int = False,
        random_state: Any = None,
    ) -> None:
        self.estimators = estimators
        self.arbiter = arbiter
        self.dispute = dispute
        self.partition = partition
        self.arbiter_tree = arbiter_tree
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **fit_params: Any) -> ArbiterClassifier:
        """Fit the members, find the disputes, and fit the arbiter on them.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any type.
        **fit_params : dict
            As in :class:`VotingClassifier`.

        Returns
        -------
        self : object
        """
        check_params(self, self._rules)
        if self.arbiter_tree and not self.partition:
            raise bad_parameter(self, "arbiter_tree", "False unless partition=True", True)
        labels = self._check_single_target(X, y)
        own, passed_on = self._own_params(fit_params, X, labels)
        if own.ledger is not None and self.partition:
            raise bad_parameter(self, "partition", "False if a ledger is given", True)
        plans = self._deal(self._plans(passed_on), labels)
        self._remember_members(self._members(plans, X, labels, own.ledger))
        self.combine_ = bind_rule(
            resolve_combination_rule("plurality", "classification"),
            len(plans),
            None,
            self.classes_,
        )
        self.tree_, self.arbiter_ = None, None
        arbiter = MemberPlan("arbiter", self._arbiter_model(), fit_params=passed_on)
        rows, codes = self._held_out_votes(plans, X, labels, own)
        if self.arbiter_tree:
            self._settle_by_tree(plans, arbiter, X, labels, codes)
        else:
            disputed = self._rule().decide(self.combine_(codes)) == ABSTAINED
            self._settle_by_one(rows[disputed], arbiter, X, labels)
        return self

    def _arbiter_model(self) -> Any:
        return self._kept()[0][1] if self.arbiter is None else self.arbiter

    def _deal(self, plans: list[MemberPlan], labels: Array) -> list[MemberPlan]:
        """Assign the rows to the members: each class is shuffled and distributed evenly."""
        if not self.partition:
            return plans
        rng = stream(root_seed(self.random_state))
        shuffled = rng.permutation(len(labels))
        order = shuffled[np.argsort(labels[shuffled], kind="stable")]
        parts = [np.sort(order[position :: len(plans)]) for position in range(len(plans))]
        short = [p.name for p, part in zip(plans, parts, strict=True) if not len(part)]
        if short:
            raise ValueError(
                f"n_samples={len(labels)} is too few to give a row to each of {len(plans)} members."
            )
        return [replace(plan, rows=part) for plan, part in zip(plans, parts, strict=True)]

    def _held_out_votes(
        self, plans: list[MemberPlan], X: Any, labels: Array, own: OwnParams
    ) -> tuple[Array, Codes]:
        """Return rows and their class codes by members that were fitted without the row."""
        if self.partition:
            columns = [
                held_out_codes(member, plan, X, labels, self.classes_)
                for member, plan in zip(self.members_, plans, strict=True)
            ]
            return np.arange(len(labels)), np.column_stack(columns)
        ledger = self._cross_fit(plans, "labels", X, labels, own)
        return ledger.covered_rows, ledger.predictions_as("labels")[0][ledger.covered_rows]

    def _rule(self) -> EnoughVotes:
        return EnoughVotes(self.dispute)

    def _settle_by_one(self, rows: Array, arbiter: MemberPlan, X: Any, labels: Array) -> None:
        self.dispute_rows_ = rows
        if not rows.size:
            self.decide_ = Decision(Argmax().bind(self.classes_), self.classes_)
            return
        self._arbiter_member = fit_arbiter(replace(arbiter, rows=rows), X, labels)
        self.arbiter_ = self._arbiter_member.estimator
        score_rows = partial(_predict_arbiter, self._arbiter_member, self.classes_)
        self.decide_ = Decision(self._rule(), self.classes_, None, score_rows)

    def _settle_by_tree(
        self, plans: list[MemberPlan], arbiter: MemberPlan, X: Any, labels: Array, codes: Codes
    ) -> None:
        parts = [plan.rows for plan in plans if plan.rows is not None]
        self.tree_ = grow_arbiter_tree(arbiter, X, labels, codes, parts, self.classes_)
        self.dispute_rows_ = self.tree_.dispute_rows
        self.combine_ = self.tree_
        # The root predicts one class, or none where a member abstains.
        self.decide_ = Decision(EnoughVotes("disagreement"), self.classes_)

    @available_if(_has_no_tree)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the vote fractions; in a dispute, the probabilities of the arbiter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``.
        """
        probabilities: Floats = self._support(X)
        open_rows = np.flatnonzero(self.decide_.rule.decide(probabilities) == ABSTAINED)
        if open_rows.size:
            probabilities[open_rows] = self._arbiter_probabilities(take_rows(X, open_rows))
        return probabilities

    def _arbiter_probabilities(self, X: Any) -> Floats:
        if hasattr(self.arbiter_, "predict_proba"):
            return predict_member(self._arbiter_member, X, "probabilities", [self.classes_])[0]
        codes = predict_member(self._arbiter_member, X, "labels", [self.classes_])[0]
        return np.asarray(np.eye(len(self.classes_))[codes])


def _predict_arbiter(arbiter: Member, classes: Array, X: Any, rows: Array) -> Codes:
    return predict_member(arbiter, take_rows(X, rows), "labels", [classes])[0]
