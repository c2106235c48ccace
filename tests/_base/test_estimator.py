"""The parent of all estimators: fits of subclasses are atomic, and look as they did."""

from __future__ import annotations

import inspect
import pickle

import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from nonet import BoostedTreesRegressor, GradientBoostingRegressor
from nonet._base.estimator import Estimator

X = [[0.0], [1.0], [2.0], [3.0]]
y = [0.0, 1.0, 1.0, 3.0]


class Mean(Estimator):
    def __init__(self, fails_after=None):
        self.fails_after = fails_after

    def fit(self, X, y, sample_weight=None):
        """Find the mean."""
        self.mean_ = sum(y) / len(y)
        if self.fails_after == "mean":
            raise RuntimeError("on purpose")
        return self


class MeanAndCount(Mean):
    def fit(self, X, y, sample_weight=None, *, unit=1):
        super().fit(X, y, sample_weight)
        self.count_ = len(y) * unit
        if self.fails_after == "count":
            raise KeyboardInterrupt
        return self


@pytest.mark.parametrize(("where", "error"), [("mean", RuntimeError), ("count", KeyboardInterrupt)])
def test_subclass_that_overrides_fit_is_restored(where, error):
    model = MeanAndCount().fit(X, y)
    before = dict(vars(model))
    model.fails_after = where
    with pytest.raises(error):
        model.fit([[0.0]], [9.0])
    model.fails_after = None
    assert vars(model) == before


def test_subclass_that_catches_the_error_of_its_parent_goes_on_from_the_state_before():
    class Forgiving(Mean):
        def fit(self, X, y, sample_weight=None):
            self.tried_ = True
            try:
                super().fit(X, y)
            except RuntimeError:
                assert not hasattr(self, "mean_")
            return self

    assert Forgiving("mean").fit(X, y).tried_


def test_signature_and_docstring_are_those_of_fit():
    assert list(inspect.signature(MeanAndCount.fit).parameters) == [
        "self",
        "X",
        "y",
        "sample_weight",
        "unit",
    ]
    assert Mean.fit.__doc__ == "Find the mean."
    assert Mean.fit.__qualname__ == "Mean.fit"


def test_metadata_of_fit_can_be_requested():
    with sklearn.config_context(enable_metadata_routing=True):
        model = MeanAndCount().set_fit_request(unit=True)
        assert model.get_metadata_routing().fit.requests == {"unit": True, "sample_weight": None}


def test_clones_and_pickles_are_restored_too():
    for copied in (clone(Mean("mean")), pickle.loads(pickle.dumps(Mean("mean")))):
        with pytest.raises(RuntimeError):
            copied.fit(X, y)
        with pytest.raises(NotFittedError):
            check_is_fitted(copied)


def test_users_subclass_of_a_public_class_is_restored():
    class Picky(GradientBoostingRegressor):
        def fit(self, X, y):
            super().fit(X, y)
            raise ValueError("on purpose")

    model = Picky(n_estimators=2)
    with pytest.raises(ValueError, match="on purpose"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)


def test_decorators_around_fit_are_kept():
    assert inspect.unwrap(BoostedTreesRegressor.fit) is not BoostedTreesRegressor.fit
    assert "init_model" in inspect.signature(BoostedTreesRegressor.fit).parameters
