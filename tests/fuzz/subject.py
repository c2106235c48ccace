"""What is fuzzed: every public estimator, as a small instance with small plain data of its own.

The plain numbers are whole, so that every dtype and container can hold them exactly.
"""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

import nonet
from contracts import public
from contracts.instances import LEARNERS, MEMBERS, instances
from contracts.interrupts import count_calls

N_ROWS, N_COLUMNS = 40, 3
NAMES = ["red", "green", "blue"]


def small_instance(kind: type) -> Any:
    """Return an instance that fits in milliseconds; members are quick ones."""
    estimator = instances(kind)[0]
    params = estimator.get_params(deep=False)
    if kind in MEMBERS:
        estimator.set_params(estimators=_members(is_classifier(estimator)))
    if kind in LEARNERS:
        estimator.set_params(estimator=DecisionTreeClassifier(max_depth=2, random_state=0))
    if "views" in params:
        estimator.set_params(views={"tree": slice(0, None), "other": [0]})
    if "cv" in params:
        estimator.set_params(cv=2)
    if "random_state" in params:
        estimator.set_params(random_state=0)
    return estimator


def _members(classes: bool) -> list[tuple[str, Any]]:
    if classes:
        return [
            ("tree", nonet.DecisionTreeClassifier(max_depth=2)),
            ("other", BernoulliNB(binarize=4.0)),
        ]
    return [("tree", nonet.DecisionTreeRegressor(max_depth=2)), ("other", Ridge())]


def plain_table(n_rows: int = N_ROWS, n_columns: int = N_COLUMNS, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, 9, size=(n_rows, n_columns)).astype(float)


class Subject:
    """An estimator under test, its plain data, and what it predicts when fitted on them.

    Parameters
    ----------
    make : callable
        Returns a new, unfitted instance.
    """

    def __init__(self, make: Callable[[], Any], n_rows: int = N_ROWS, seed: int = 0) -> None:
        self.make, self.n_rows, self.seed = make, n_rows, seed
        one = make()
        self.kind = type(one)
        self.name = self.kind.__name__
        self.has_classes, self.has_numbers = is_classifier(one), is_regressor(one)
        self.params = one.get_params(deep=False)
        several = self.has_classes and get_tags(one).classifier_tags.multi_class
        self.n_classes = 3 if several else 2

    @cached_property
    def takes_weights(self) -> bool:
        arguments = inspect.signature(self.kind.fit).parameters
        routes = any(given.kind is given.VAR_KEYWORD for given in arguments.values())
        return "sample_weight" in arguments or routes

    @property
    def is_supervised(self) -> bool:
        return self.has_classes or self.has_numbers

    # ---- Plain data ----------------------------------------------------------------------------

    @cached_property
    def X(self) -> Any:
        return read_only(plain_table(self.n_rows, seed=self.seed))

    @cached_property
    def y(self) -> Any:
        """Class codes that the columns explain, or numbers that they explain."""
        if not self.has_classes:
            return read_only(self.X @ np.arange(1.0, 1.0 + self.X.shape[1]))
        return read_only(np.digitize(self.X[:, 0] + 0.1 * self.X[:, 1], [3, 6]) % self.n_classes)

    # ---- Fits and predictions ------------------------------------------------------------------

    def fit(self, X: Any, y: Any, model: Any = None, **params: Any) -> Any:
        return (self.make() if model is None else model).fit(X, y, **params)

    @cached_property
    def fitted(self) -> Any:
        """One fitted model for all cases that only predict."""
        return quietly(self.fit, self.X, self.y)

    @cached_property
    def fitted_bytes(self) -> bytes:
        """All that the fitted model is made of."""
        return pickle.dumps(pickle.loads(pickle.dumps(self.fitted)))

    @cached_property
    def n_calls_of_refit(self) -> int:
        model = pickle.loads(self.fitted_bytes)
        return count_calls(lambda: quietly(self.fit, self.X, self.y, model=model))

    @cached_property
    def fitted_on_names(self) -> Any:
        """One model fitted on a frame with the columns a, b, c."""
        return quietly(self.fit, pd.DataFrame(self.X, columns=list("abc")), self.y)

    @cached_property
    def predictions_of_equal_weights(self) -> Any:
        """Return those of a fit with a weight of 1 on each row."""
        model = quietly(self.fit, self.X, self.y, sample_weight=np.ones(len(self.y)))
        return quietly(predict, model, self.X)

    @cache  # noqa: B019 - subjects live as long as the tests
    def predictions_of_plain(self, change: Callable[[Any], Any] | None = None) -> Any:
        """Return the predictions on the plain table, or on a plain change of it."""
        X = self.X if change is None else change(self.X)
        model = self.fitted if change is None else quietly(self.fit, X, self.y)
        return quietly(predict, model, X)


def predict(model: Any, X: Any) -> Any:
    """Return the predictions for rows, or the dense form of what a transformer returns."""
    if hasattr(model, "predict"):
        return model.predict(X)
    code = model.transform(X)
    return code.toarray() if hasattr(code, "toarray") else code


def read_only(values: Any) -> Any:
    values.setflags(write=False)
    return values


def quietly(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


@cache
def subject_of(kind: type) -> Subject:
    return Subject(lambda: small_instance(kind))


def of_instance(estimator: BaseEstimator) -> Subject:
    """Return a subject for an estimator that is not public, such as one with a planted bug."""
    return Subject(lambda: clone(estimator))


ALL_KINDS: list[type] = public.estimator_classes()
