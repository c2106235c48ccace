"""Bagged classifiers: votes or mean probabilities, decided, and judged out of bag."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import Array, Floats, Task
from nonet._base.errors import ParameterError
from nonet.bagging.bagged import BaggedEnsemble
from nonet.bagging.out_of_bag import OutOfBag, combine_out_of_bag, score_answers
from nonet.combine.rule import CombinationRule
from nonet.decide.rule import DecisionRule
from nonet.ensemble import EnsembleClassifier, HeldOutAnswers, PerTarget, as_shares


def _members_have_scores(ensemble: Any) -> bool:
    return all(hasattr(model, "decision_function") for model in ensemble._prototypes())


class BaggedClassifier(BaggedEnsemble, EnsembleClassifier):
    """Parent of the bagged classifiers."""

    _task: ClassVar[Task] = "classification"

    @property
    def n_classes_(self) -> Any:
        """The number of classes; a list for several targets."""
        if isinstance(self.classes_, list):
            return [len(known) for known in self.classes_]
        return len(self.classes_)

    def _default_estimator(self) -> Any:
        return DecisionTreeClassifier()

    def _combine_name(self) -> Any:
        """Return the rule: means of probabilities where all members give some, else votes."""
        if self.combine is not None:
            return self.combine
        sure = all(hasattr(model, "predict_proba") for model in self._prototypes())
        return "mean" if sure else "plurality"

    def _resolve_decide(self, decide: Any, combine: CombinationRule) -> list[DecisionRule]:
        rules = super()._resolve_decide(decide, combine)
        if self.oob_score and rules[0].arbiter is not None:
            raise ParameterError(
                f"{type(self).__name__}: parameter 'oob_score' must be False with an arbiter, who "
                f"has seen every row, but got {self.oob_score!r}."
            )
        return rules

    def _settle(self, rules: list[DecisionRule], table: Any, target: Array) -> None:
        """Tie C to the classes, and take the out-of-bag score if one is asked for."""
        out_of_bag = held_out = None
        if self.oob_score or rules[0].needs_held_out:
            out_of_bag = self._out_of_bag(table)
            truth = [codes[out_of_bag.rows] for codes in self._truth(target)]
            held_out = HeldOutAnswers(list(out_of_bag.covered()), truth)
        self.decide_ = self._bind_decide(rules, table, target, held_out, {})
        if self.oob_score:
            assert out_of_bag is not None
            self._take_score(out_of_bag, target)

    def _out_of_bag(self, table: Any) -> OutOfBag:
        parts = self.combine_.parts if isinstance(self.combine_, PerTarget) else [self.combine_]
        return combine_out_of_bag(self._ask_out_of_bag(table), parts)

    def _held_out_support(self, held_out: HeldOutAnswers) -> list[Floats]:
        return held_out.answers  # out of bag, F has been applied already: bags differ by row

    def _take_score(self, out_of_bag: OutOfBag, target: Array) -> None:
        rows, shares = out_of_bag.rows, [as_shares(s) for s in out_of_bag.covered()]
        several = isinstance(self.decide_, PerTarget)
        predictions = self.decide_(out_of_bag.covered() if several else out_of_bag.covered()[0])
        scoring = _share_right if self.oob_score is True else self.oob_score
        self.oob_score_ = score_answers(scoring, target[rows], predictions, shares, self.classes_)
        pages = [_spread(share, rows, len(target)) for share in shares]
        self.oob_decision_function_ = pages if several else pages[0]
        self.oob_coverage_ = out_of_bag.coverage

    def predict_proba(self, X: Any, **params: Any) -> Any:
        """Return the support of each class, as shares that sum to one.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **params : dict
            Metadata for the members, with scikit-learn's metadata routing enabled.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Columns in the order of ``classes_``; a list of such arrays for several targets.
        """
        return self._shares("predict_proba", X, params)

    def predict_log_proba(self, X: Any, **params: Any) -> Any:
        """Return the logarithm of the shares; a class without support gets minus infinity.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **params : dict
            Metadata for the members, with scikit-learn's metadata routing enabled.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        shares = self._shares("predict_log_proba", X, params)
        with np.errstate(divide="ignore"):
            return [np.log(s) for s in shares] if isinstance(shares, list) else np.log(shares)

    def _shares(self, caller: str, X: Any, params: Any) -> Any:
        support = self._routed_support(caller, X, params)
        return [as_shares(s) for s in support] if isinstance(support, list) else as_shares(support)

    @available_if(_members_have_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any, **params: Any) -> Floats:
        """Return the mean of the members' decision functions.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **params : dict
            Metadata for the members, with scikit-learn's metadata routing enabled.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            One column for two classes, as in scikit-learn.
        """
        scores = self._average("decision_function", X, "scores", params)[0]
        return scores[:, 1] if scores.shape[1] == 2 else scores


def _share_right(y: Array, predictions: Array) -> float:
    return float(np.mean(y == predictions))


def _spread(values: Floats, rows: Array, n_rows: int) -> Floats:
    """Put the values of some rows in a page of all rows; the others are NaN."""
    page = np.full((n_rows, *values.shape[1:]), np.nan)
    page[rows] = values
    return page
