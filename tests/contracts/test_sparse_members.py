"""The sparse format of X is the user's: members see CSR as CSR and CSC as CSC.

Issue 18, item A.12: CSC reached the members as CSR.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression, Ridge

import nonet

X, Y = load_iris(return_X_y=True)


class WatchingClassifier(LogisticRegression):
    """Remembers the formats of the tables that it was fitted on and predicted."""

    def fit(self, X, y, sample_weight=None):
        self.formats_ = {X.format}
        return super().fit(X, y, sample_weight)

    def predict_proba(self, X):
        self.formats_.add(X.format)
        return super().predict_proba(X)


class WatchingRegressor(Ridge):
    def fit(self, X, y, sample_weight=None):
        self.formats_ = {X.format}
        return super().fit(X, y, sample_weight)

    def predict(self, X):
        self.formats_.add(X.format)
        return super().predict(X)


LINE = WatchingClassifier(max_iter=500)
SLOPE = WatchingRegressor(alpha=0.1)
ENSEMBLES = [
    nonet.BaggingClassifier(LINE, 3, max_features=0.5, random_state=0, oob_score=True),
    nonet.BaggingRegressor(SLOPE, 3, bootstrap_features=True, random_state=0),
    nonet.RandomSubspaceClassifier(LINE, 3, random_state=0),
    nonet.AdaBoostClassifier(LINE, n_estimators=3, random_state=0),
    nonet.AdaBoostRegressor(SLOPE, n_estimators=3, random_state=0),
    nonet.VotingClassifier([("line", LINE)], voting="soft"),
    nonet.VotingRegressor([("slope", SLOPE)], weights="simplex"),
    nonet.StackingClassifier([("line", LINE)], cv=3),
    nonet.BlendingRegressor([("slope", SLOPE)], cv=3),
    nonet.OneVsRestClassifier(LINE, decoding="probabilities"),
    nonet.OneVsOneClassifier(LINE, decoding="coupling"),
]


@pytest.mark.filterwarnings("ignore:.*rows are in the bag of every member")
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_array, sparse.csc_matrix])
@pytest.mark.parametrize("ensemble", ENSEMBLES, ids=lambda model: type(model).__name__)
def test_members_see_the_format_of_the_user(ensemble, kind):
    table = kind(X)
    ensemble.fit(table, Y)
    said = ensemble.predict(table)
    seen = [member.formats_ for member in ensemble.estimators_]
    assert seen == [{table.format}] * len(seen)
    np.testing.assert_allclose(said, ensemble.predict(sparse.csr_array(X)))
