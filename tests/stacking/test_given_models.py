"""What the ensembles of given models share, and what each of them is spared.

Issue 19, part 2: arbiter, cascade, gates, routers and views inherited voting and switched parts of
it off.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import (
    ArbiterClassifier,
    CascadeClassifier,
    GatedClassifier,
    GatedRegressor,
    RoutedClassifier,
    RoutedRegressor,
    StackingClassifier,
    ViewsClassifier,
    ViewsRegressor,
    honest_score,
)

X, Y = make_classification(200, n_informative=4, n_classes=3, flip_y=0.2, random_state=0)
NAMES = np.array(["a", "b", "c"])[Y]
VOTING = {"voting", "flatten_transform", "le_"}
PREFIT = {"prefit"}
WEIGHTS = {"weights", "weights_"}
LEDGER = {"from_ledger"}
SPARED = {
    ArbiterClassifier: VOTING | PREFIT | WEIGHTS | {"decide", "combine"},
    CascadeClassifier: VOTING | PREFIT | WEIGHTS | LEDGER | {"cv", "combine"},
    GatedClassifier: VOTING | PREFIT | WEIGHTS | {"combine"},
    GatedRegressor: VOTING | PREFIT | WEIGHTS | {"combine"},
    RoutedClassifier: VOTING | PREFIT | WEIGHTS | LEDGER | {"cv", "combine"},
    RoutedRegressor: VOTING | PREFIT | WEIGHTS | LEDGER | {"cv", "combine"},
    ViewsClassifier: VOTING | PREFIT | LEDGER,
    ViewsRegressor: VOTING | PREFIT | LEDGER,
    StackingClassifier: VOTING | WEIGHTS,
    nonet.SelectionClassifier: VOTING | {"weights", "combine"},
}
TAKES_GROUPS = {
    ArbiterClassifier: True,
    CascadeClassifier: False,
    GatedClassifier: True,
    GatedRegressor: True,
    RoutedClassifier: False,
    RoutedRegressor: False,
}


def members():
    return [
        ("line", LogisticRegression(max_iter=500)),
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]


@pytest.mark.parametrize("kind", SPARED)
def test_ensemble_has_no_attribute_without_a_meaning(kind):
    assert not issubclass(kind, (nonet.VotingClassifier, nonet.VotingRegressor))
    assert {name for name in SPARED[kind] if name in dir(kind)} == set()
    assert set(kind._rules) & SPARED[kind] == set()


@pytest.mark.parametrize("kind", TAKES_GROUPS)
def test_groups_are_required_where_rows_are_held_out(kind):
    requests = kind(members())._get_metadata_request().fit.requests
    assert ("groups" in requests) == TAKES_GROUPS[kind]


MODELS = [
    ArbiterClassifier(members(), dispute="tie", cv=3),
    ArbiterClassifier(members(), partition=True, arbiter_tree=True, random_state=0),
    CascadeClassifier(members()),
    GatedClassifier(members(), cv=3),
    GatedClassifier(members(), gate=DecisionTreeClassifier(max_depth=2), select="best", cv=3),
    RoutedClassifier(members()),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_prediction_is_the_decision_on_the_combined_outputs(model):
    model.fit(X, NAMES)
    support = model.combine_(model.member_outputs(X), X)
    np.testing.assert_array_equal(model.decide_(support, X), model.predict(X))


def test_groups_of_the_score_do_not_reach_an_ensemble_without_folds():
    """A cascade refused the groups that honest_score passed on to it."""
    groups = np.arange(len(Y)) % 10
    model = CascadeClassifier(members())
    result = honest_score(model, X, NAMES, cv=GroupKFold(3), groups=groups)
    assert 0 < result.score <= 1
