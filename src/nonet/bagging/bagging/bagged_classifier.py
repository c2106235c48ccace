"""Base class of bagged classifiers: votes or mean probabilities, with out-of-bag scores."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if

from nonet._base.aliases import Floats, Task
from nonet.bagging.bagging.bagged import BaggedEnsemble
from nonet.bagging.bagging.out_of_bag_scoring import OutOfBagClassifier
from nonet.ensemble import normalize_support
from nonet.trees.decision_tree import DecisionTreeClassifier


def _members_have_scores(ensemble: Any) -> bool:
    return all(hasattr(model, "decision_function") for model in ensemble._prototypes())


class BaggedClassifier(BaggedEnsemble, OutOfBagClassifier):
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
        """Return the rule: the mean of probabilities if all members give them, else votes."""
        if self.combine is not None:
            return self.combine
        sure = all(hasattr(model, "predict_proba") for model in self._prototypes())
        return "mean" if sure else "plurality"

    def predict_proba(self, X: Any, **params: Any) -> Any:
        """Return the support of each class, as fractions that sum to one.

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
        return self._probabilities("predict_proba", X, params)

    def predict_log_proba(self, X: Any, **params: Any) -> Any:
        """Return the logarithms of the fractions; a class without support gets minus infinity.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        **params : dict
            Metadata for the members, with scikit-learn's metadata routing enabled.

        Returns
        -------
        log_probabilities : ndarray of shape (n_samples, n_classes)
        """
        probabilities = self._probabilities("predict_log_proba", X, params)
        with np.errstate(divide="ignore"):
            return (
                [np.log(s) for s in probabilities]
                if isinstance(probabilities, list)
                else np.log(probabilities)
            )

    def _probabilities(self, caller: str, X: Any, params: Any) -> Any:
        support = self._routed_support(caller, X, params)
        return (
            [normalize_support(s) for s in support]
            if isinstance(support, list)
            else normalize_support(support)
        )

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
