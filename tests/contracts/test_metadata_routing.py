"""Groups under scikit-learn's metadata routing: the splitter's, unless fit requests them.

Issue 18, item A.15: `cross_validate` with groups raised UnsetMetadataPassedError.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate

import nonet
from contracts.instances import every_instance

X, Y = load_iris(return_X_y=True)
GROUPS = np.arange(len(Y)) % 10
LINE = ("line", LogisticRegression(max_iter=500))
ENSEMBLES = [
    nonet.RandomForestClassifier(5, random_state=0),
    nonet.StackingClassifier([LINE]),
    nonet.StackingClassifier([("forest", nonet.RandomForestClassifier(5, random_state=0))]),
    nonet.BaggingClassifier(n_estimators=3, random_state=0),
    nonet.AdaBoostClassifier(n_estimators=3),
    nonet.BoostedTreesClassifier(n_estimators=3),
]


def cross_validated(ensemble):
    result = cross_validate(
        ensemble, X, Y, params={"groups": GROUPS}, cv=GroupKFold(3), return_estimator=True
    )
    return result["estimator"]


@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda model: type(model).__name__)
def test_groups_of_a_splitter_need_no_request(ensemble):
    with config_context(enable_metadata_routing=True):
        assert len(cross_validated(ensemble)) == 3


@pytest.mark.parametrize("estimator", every_instance(), ids=lambda model: type(model).__name__)
def test_no_estimator_leaves_groups_undecided(estimator):
    request = estimator._get_metadata_request().fit.requests
    assert request.get("groups", False) is False


def test_requested_groups_reach_fit():
    with config_context(enable_metadata_routing=True):
        stack = nonet.StackingClassifier([LINE], cv=GroupKFold(2)).set_fit_request(groups=True)
        assert len(cross_validated(stack)) == 3
