"""Members, folds and resamples as tasks: joblib's Dask backend gives the bits of one process."""

from __future__ import annotations

import joblib
import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier

import nonet
from nonet._native.runtime import get_num_threads

X, Y = make_classification(600, 8, n_informative=5, random_state=0)


def models():
    return [
        ("tree", nonet.DecisionTreeClassifier(max_depth=4, random_state=0)),
        ("near", KNeighborsClassifier()),
        ("forest", nonet.RandomForestClassifier(10, random_state=0)),
        ("booster", nonet.HistGradientBoostingClassifier(max_iter=5, random_state=0)),
    ]


ENSEMBLES = {
    "bagging": lambda n_jobs: nonet.BaggingClassifier(
        nonet.DecisionTreeClassifier(), n_estimators=6, random_state=0, n_jobs=n_jobs
    ),
    "voting": lambda n_jobs: nonet.VotingClassifier(models(), voting="soft", n_jobs=n_jobs),
    "stacking": lambda n_jobs: nonet.StackingClassifier(
        models(), final_estimator=nonet.DecisionTreeClassifier(max_depth=3), cv=3, n_jobs=n_jobs
    ),
}


@pytest.mark.parametrize("name", ENSEMBLES)
def test_ensembles_equal_those_of_one_process(client, name):
    here = ENSEMBLES[name](1).fit(X, Y).predict_proba(X)
    with joblib.parallel_config("dask"):
        there = ENSEMBLES[name](2).fit(X, Y).predict_proba(X)
    np.testing.assert_array_equal(there, here)


def test_ledgers_equal_those_of_one_process(client):
    here = nonet.make_ledger(models(), X, Y, cv=3, n_jobs=1)
    with joblib.parallel_config("dask"):
        there = nonet.make_ledger(models(), X, Y, cv=3, n_jobs=2)
    np.testing.assert_array_equal(there.outputs, here.outputs)


def test_data_that_are_scattered_give_the_same_members(client):
    here = ENSEMBLES["bagging"](1).fit(X, Y).predict_proba(X)
    with joblib.parallel_config("dask", scatter=[X, Y]):
        there = ENSEMBLES["bagging"](2).fit(X, Y).predict_proba(X)
    np.testing.assert_array_equal(there, here)


def test_members_run_on_the_workers(client):
    from sklearn.base import clone

    with joblib.parallel_config("dask"):
        found = nonet.VotingClassifier([("a", WhereAmI()), ("b", WhereAmI())], n_jobs=2).fit(X, Y)
    pids = set(client.run(_pid).values())
    assert {model.pid_ for model in found.estimators_} <= pids
    assert clone(found).n_jobs == 2


def test_a_worker_of_one_thread_computes_with_one(client):
    assert set(client.run(get_num_threads).values()) == {1}


def _pid():
    import os

    return os.getpid()


class WhereAmI(nonet.DecisionTreeClassifier):
    """Notes the process that fits it."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        self.pid_ = _pid()
        return self
