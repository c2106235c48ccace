"""Bagged classifiers: votes or mean probabilities, decided, and judged out of bag."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import Floats, Task
from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.judged import JudgedClassifier
from nonet.ensemble import as_shares
from nonet.trees.decision_tree import DecisionTreeClassifier


def _members_have_scores(ensemble: Any) -> bool:
    return all(hasattr(model, "decision_function") for model in ensemble._prototypes())


class BaggedClassifier(BaggedEnsemble, JudgedClassifier):
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
