"""The net itself: a planted bug is caught, and a sound estimator is not (issue 18, net B)."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state

import nonet
from fuzz.collection import cases_of
from fuzz.outcomes import wrong_sentence
from fuzz.report import complaints
from fuzz.subject import Subject, of_instance, subject_of


class Planted(nonet.DecisionTreeClassifier):
    """A sound tree, until a child spoils it."""


class ReturnsNaN(RegressorMixin, BaseEstimator):
    """Divides by the spread of a column, which may be 0."""

    def fit(self, X, y, sample_weight=None):
        self.tree_ = nonet.DecisionTreeRegressor().fit(X, y, sample_weight=sample_weight)
        with np.errstate(all="ignore"):
            self.scale_ = np.divide(np.std(np.asarray(X, float)), np.std(np.asarray(X, float)))
        return self

    def predict(self, X):
        return self.tree_.predict(X) * self.scale_


class MixesStates(ClassifierMixin, BaseEstimator):
    """Writes the new classes before it knows that the fit succeeds."""

    def fit(self, X, y):
        self.classes_ = np.unique(np.asarray(y))
        tree = nonet.DecisionTreeClassifier(max_depth=2).fit(X, y)
        self.tree_ = tree
        return self

    def predict(self, X):
        return self.classes_[self.tree_.predict_proba(X).argmax(axis=1)]


class AcceptsNonsense(ClassifierMixin, BaseEstimator):
    """Turns whatever it cannot read into zeros."""

    def fit(self, X, y):
        self.classes_, codes = np.unique(np.asarray(y).ravel().astype(str), return_inverse=True)
        self.likeliest_ = np.bincount(codes).argmax()
        return self

    def predict(self, X):
        n_rows = X.shape[0] if getattr(X, "shape", ()) else len(X) if hasattr(X, "__len__") else 1
        return np.full(n_rows, self.classes_[self.likeliest_])


class QuotesNumPy(Planted):
    """Passes on the message of NumPy."""

    def fit(self, X, y, sample_weight=None):
        super().fit(np.asarray(X).astype(float), y, sample_weight=sample_weight)
        return self


class RemembersTheFirstFit(Planted):
    """Grows a smaller tree if there is one already."""

    def fit(self, X, y, sample_weight=None):
        self.max_depth = 1 if hasattr(self, "tree_") else None
        return super().fit(X, y, sample_weight=sample_weight)


class IgnoresItsSeed(Planted):
    """Draws from the global state."""

    def predict(self, X):
        predictions = super().predict(X)
        return predictions[check_random_state(None).permutation(len(predictions))]


class WritesIntoX(Planted):
    """Fills missing values in the user's own table."""

    def predict(self, X):
        if isinstance(X, np.ndarray) and X.flags.writeable and X.dtype == float:
            X[:] = np.nan_to_num(X) + 1.0
            return super().predict(X - 1.0)
        return super().predict(X)


class ReadsMemory(Planted):
    """Takes every array for one in C order."""

    def fit(self, X, y, sample_weight=None):
        if isinstance(X, np.ndarray) and X.ndim == 2 and X.flags.f_contiguous and X.size:
            X = X.ravel(order="K").reshape(X.shape)
        return super().fit(X, y, sample_weight=sample_weight)


class ForgetsItsWeights(Planted):
    """Lets equal weights that are huge or tiny make a constant model."""

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None and np.max(np.asarray(sample_weight, dtype=float)) > 1e9:
            self.max_depth = None
            return super().fit(np.zeros_like(np.asarray(X, float)), y)
        return super().fit(X, y, sample_weight=sample_weight)


class RefusesAtPredict(Planted):
    """Fits missing values, and refuses them at predict."""

    def predict(self, X):
        if np.isnan(np.asarray(X, dtype=float)).any():
            raise ValueError("RefusesAtPredict: X has missing values; fill them.")
        return super().predict(X)


PLANTED = [
    (ReturnsNaN(), "values"),
    (MixesStates(), "refits"),
    (AcceptsNonsense(), "shapes"),
    (AcceptsNonsense(), "dtypes"),
    (AcceptsNonsense(), "labels"),
    (AcceptsNonsense(), "predict"),
    (QuotesNumPy(), "dtypes"),
    (QuotesNumPy(), "frames"),
    (RemembersTheFirstFit(), "refits"),
    (IgnoresItsSeed(), "copies"),
    (WritesIntoX(), "predict"),
    (ReadsMemory(), "layouts"),
    (ForgetsItsWeights(), "weights"),
    (RefusesAtPredict(), "values"),
]


@pytest.mark.parametrize(
    ("estimator", "group"),
    PLANTED,
    ids=lambda part: part if isinstance(part, str) else type(part).__name__,
)
def test_planted_bug_is_caught(estimator, group):
    subject = of_instance(estimator)
    assert complaints(subject, group, cases_of(subject, group))


@pytest.mark.parametrize("group", sorted({group for _, group in PLANTED}))
def test_nothing_is_caught_without_a_bug(group):
    subject = of_instance(Planted())
    assert not complaints(subject, group, cases_of(subject, group))


def test_exception_that_is_not_needed_is_caught():
    subject = subject_of(nonet.DecisionStump)
    cases = cases_of(subject, "predict")
    not_needed = {(subject.name, "predict", "predict twice"): "no reason"}
    assert complaints(subject, "predict", cases, not_needed)
    assert not complaints(subject, "predict", cases, {})


@pytest.mark.parametrize(
    ("message", "flaw"),
    [
        ("Tree: X has 3 columns, but must have 4.", None),
        ("could not convert string to float: 'a'.", "foreign"),
        ("X is wrong:\nsee below.", "several lines"),
        ("Tree: parameter 'a' must be 1, but got 2", "full stop"),
        ("it is wrong.", "too short"),
        ("Tree: X must be a table, but _Inner found none.", "private"),
        ("Forest.fit() got an unexpected keyword argument 'a'.", "foreign"),
        ("member 'a' (1 of 2) failed to fit: could not convert string to float: 'a'.", None),
        ("member 'a' (1 of 2) failed to fit: no", "full stop"),
    ],
)
def test_sentences_are_checked(message, flaw):
    found = wrong_sentence(message)
    assert (found is None) if flaw is None else (flaw in found)


def test_subject_is_what_it_says():
    subject = Subject(lambda: nonet.DecisionTreeRegressor())
    assert subject.has_numbers
    assert not subject.has_classes
    assert subject.takes_weights
