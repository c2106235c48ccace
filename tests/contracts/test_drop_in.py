"""A class with the name of one of scikit-learn's has its parameters, methods and attributes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.utils.discovery import all_estimators

import nonet
from contracts import public
from contracts.instances import (
    DRAWS_ROWS,
    DRAWS_SPLITS,
    LEARNERS,
    MEETS_TIES,
    MEMBERS,
    SETTINGS,
    make,
)

THEIRS = dict(all_estimators())
PAIRS = [
    pytest.param(kind, THEIRS[kind.__name__], id=kind.__name__)
    for kind in public.estimator_classes()
    if kind.__name__ in THEIRS
]


def parameters(function):
    return list(inspect.signature(function).parameters.values())


def without_annotations(parameters):
    return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]


SLIPS = {"param"}  # the variable of a loop, left in the body of one of scikit-learn's classes


def public_names(kind):
    return {name for name in dir(kind) if not name.startswith("_")} - SLIPS


def method_names(kind):
    return {name for name in public_names(kind) if callable(getattr(kind, name, None))}


def reference_of(ours, theirs):
    """Return scikit-learn's model in the same setting."""
    if ours in MEMBERS:
        return theirs(MEMBERS[ours]())
    if ours in LEARNERS:
        return theirs(LEARNERS[ours](), **SETTINGS[ours][0])
    return theirs(random_state=0)


def mine_of(ours):
    return make(ours, **SETTINGS[ours][0]) if ours in LEARNERS else make(ours)


def fitted(estimator):
    X, y = make_classification(n_samples=60, random_state=0)
    return estimator.fit(X, y)


def fitted_names(estimator):
    own = {name for name in dir(estimator) if name.endswith("_") and not name.startswith("_")}
    return {name for name in own if hasattr(estimator, name)}


def test_voting_classes_are_compared_with_sklearn():
    assert {pair.id for pair in PAIRS} >= {"VotingClassifier", "VotingRegressor"}


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_parameters_against_sklearn_come_first_with_their_defaults(ours, theirs):
    shared = parameters(theirs.__init__)
    assert without_annotations(parameters(ours.__init__)[: len(shared)]) == without_annotations(
        shared
    )


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_added_parameters_are_keyword_only_and_optional(ours, theirs):
    added = parameters(ours.__init__)[len(parameters(theirs.__init__)) :]
    assert {parameter.kind for parameter in added} <= {inspect.Parameter.KEYWORD_ONLY}
    assert inspect.Parameter.empty not in {parameter.default for parameter in added}


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_methods_against_sklearn_are_all_there(ours, theirs):
    assert public_names(theirs) - public_names(ours) == set()


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_method_parameters_against_sklearn_are_the_same(ours, theirs):
    for name in sorted(method_names(theirs)):
        shared = without_annotations(parameters(getattr(theirs, name)))
        mine = without_annotations(parameters(getattr(ours, name)))
        in_place = [one for one in shared if one[1] != inspect.Parameter.KEYWORD_ONLY]
        assert mine[: len(in_place)] == in_place, name
        assert set(mine) >= set(shared), name


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_fitted_attributes_against_sklearn_are_all_there(ours, theirs):
    reference = reference_of(ours, theirs)
    assert fitted_names(fitted(reference)) - fitted_names(fitted(mine_of(ours))) == set()


# Draws, and ties between splits, are settled otherwise than by scikit-learn; the tests of their
# rooms compare these classes.
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [pair for pair in PAIRS if pair.values[0] not in DRAWS_ROWS + DRAWS_SPLITS + MEETS_TIES],
)
def test_predictions_against_sklearn_are_equal(ours, theirs):
    X, y = make_classification(n_samples=200, n_classes=2, random_state=1)
    mine = mine_of(ours).fit(X, y)
    reference = reference_of(ours, theirs).fit(X, y)
    # scikit-learn sums gradients in single precision.
    tolerance = 1e-7 if ours is nonet.HistGradientBoostingRegressor else 0
    np.testing.assert_allclose(mine.predict(X), reference.predict(X), rtol=0, atol=tolerance)
    if hasattr(theirs, "transform"):
        np.testing.assert_array_equal(mine.transform(X), reference.transform(X))
