"""The same predictions through mlxtend, where it is installed."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from diagnostics.matrices import XR, YR, X, Y
from nonet.diagnostics import decompose_loss

evaluate = pytest.importorskip("mlxtend.evaluate", reason="mlxtend is not installed")


class Remembering(BaseEstimator):
    """A learner that records its predictions."""

    def __init__(self, learner, notes):
        self.learner = learner
        self.notes = notes

    def fit(self, X, y):
        self.learner.fit(X, y)
        return self

    def predict(self, X):
        self.notes.append(self.learner.predict(X))
        return self.notes[-1]


class RememberingRegressor(RegressorMixin, Remembering):
    pass


class RememberingClassifier(ClassifierMixin, Remembering):
    pass


def test_squared_loss_against_mlxtend():
    notes = []
    theirs = evaluate.bias_variance_decomp(
        RememberingRegressor(DecisionTreeRegressor(random_state=0), notes),
        XR[:200],
        YR[:200],
        XR[200:],
        YR[200:],
        loss="mse",
        num_rounds=20,
        random_seed=1,
    )
    ours = decompose_loss(np.array(notes).T, YR[200:])
    assert (ours.error, ours.bias, ours.variance) == pytest.approx(theirs)


def test_zero_one_bias_against_mlxtend():
    """These fits leave no tie between labels, which mlxtend resolves for the first of them."""
    notes = []
    error, bias, _ = evaluate.bias_variance_decomp(
        RememberingClassifier(DecisionTreeClassifier(random_state=0), notes),
        X[:200],
        Y[:200],
        X[200:],
        Y[200:],
        loss="0-1_loss",
        num_rounds=21,
        random_seed=2,
    )
    counts = np.sort([np.bincount(predictions, minlength=3) for predictions in np.array(notes).T])
    assert (counts[:, -1] > counts[:, -2]).all()
    ours = decompose_loss(np.array(notes).T, Y[200:], loss="domingos")
    # mlxtend's variance is the raw one, which does not add up with bias to the error
    assert (ours.error, ours.bias) == pytest.approx((error, bias))
