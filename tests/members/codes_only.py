"""A classifier that accepts only the codes 0..k-1, and refuses other labels as XGBoost does."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression


def line(C=1.0):
    """Return the model inside, which takes any labels."""
    return LogisticRegression(C=C, max_iter=1000)


class CodesOnly(ClassifierMixin, BaseEstimator):
    """Logistic regression on codes; ``classes_`` are counted, not read."""

    def __init__(self, C=1.0, random_state=None):
        self.C = C
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        self.n_classes_ = len(np.unique(y))
        if not np.array_equal(np.unique(y), self.classes_):
            raise ValueError(
                f"Invalid classes inferred from unique values of `y`.  Expected: {self.classes_}, "
                f"got {np.unique(y)}"
            )
        self.model_ = line(C=self.C).fit(X, y, sample_weight=sample_weight)
        self.n_features_in_ = self.model_.n_features_in_
        return self

    @property
    def classes_(self):
        return np.arange(self.n_classes_)

    @property
    def feature_importances_(self):
        return np.abs(self.model_.coef_).mean(axis=0)

    def predict(self, X):
        return self.model_.predict(X).astype(np.int32)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)

    def decision_function(self, X):
        return self.model_.decision_function(X)
