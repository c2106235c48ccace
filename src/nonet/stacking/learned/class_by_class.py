"""One final model per class, which reads only the outputs of the members for that class.

With many classes a model on all columns has members x classes x classes weights to learn; this
one has members x classes. It is StackingC; with linear regression it is multi-response linear
regression.

References
----------
K. M. Ting and I. H. Witten, Issues in stacked generalization, JAIR 10, 1999.
A. K. Seewald, How to make stacking better and faster while also taking care of an unknown
weakness, ICML 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.utils import _safe_indexing

from nonet._base.aliases import Array, Floats, Params

_MINIMUM = 1e-4  # no class gets 0: one wrong zero would cost an infinite log loss


class ClassByClass(ClassifierMixin, BaseEstimator):
    """A classifier on level one that consists of one model per class.

    Parameters
    ----------
    estimator : estimator
        Cloned for each class: a one-vs-rest classifier of the class, or a regressor of 0 and 1.
    n_members : int
        The first ``n_members * n_classes`` columns are the member outputs, member by member.
    classes : ndarray of shape (n_classes,), optional
        The classes of the columns; the rows passed to ``fit`` may lack some.
    """

    def __init__(self, estimator: Any, n_members: int, classes: Any = None) -> None:
        self.estimator = estimator
        self.n_members = n_members
        self.classes = classes

    def fit(self, X: Any, y: Array, **params: Any) -> ClassByClass:
        """Fit one model per class."""
        self.classes_ = np.unique(y) if self.classes is None else np.asarray(self.classes)
        codes = range(len(self.classes_))
        self.models_ = [self._fit_one(X, y == self.classes_[c], c, params) for c in codes]
        return self

    def _fit_one(self, X: Any, hit: Array, code: int, params: Params) -> Any:
        if not hit.any():
            return None  # a class that these rows lack
        return clone(self.estimator).fit(self._columns_of(X, code), hit.astype(int), **params)

    def predict_proba(self, X: Any) -> Floats:
        """Return the support of each class, scaled to sum to one."""
        raw = [self._probability(X, code) for code in range(len(self.classes_))]
        clipped = np.clip(np.column_stack(raw), _MINIMUM, 1.0)
        scaled: Floats = clipped / clipped.sum(axis=1, keepdims=True)
        return scaled

    def predict(self, X: Any) -> Array:
        """Return the class with the highest support."""
        labels: Array = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return labels

    def _columns_of(self, X: Any, code: int) -> Any:
        """Return the outputs of the members for one class, and the columns that pass through."""
        n_classes, n_columns = len(self.classes_), X.shape[1]
        n_predictions = self.n_members * n_classes
        positions = [*range(code, n_predictions, n_classes), *range(n_predictions, n_columns)]
        table = X.tocsr() if sparse.issparse(X) else X
        return _safe_indexing(table, positions, axis=1)

    def _probability(self, X: Any, code: int) -> Floats:
        model = self.models_[code]
        if model is None:
            return np.zeros(X.shape[0])
        columns = self._columns_of(X, code)
        has_probabilities = is_classifier(model)
        probability: Floats = (
            model.predict_proba(columns)[:, 1] if has_probabilities else model.predict(columns)
        )
        return probability
