"""Workers that are killed, restarted or added late change nothing of the model."""

from __future__ import annotations

import os
import signal
import time

import dask.array
import distributed
import numpy as np
import pytest
from sklearn.datasets import make_classification

import nonet
from nonet.dask import HistGradientBoostingClassifier
from nonet_dask.conftest import SETTINGS as CLUSTER
from nonet_dask.same_trees import assert_same_trees

X, Y = make_classification(20_000, 10, n_informative=6, flip_y=0.1, random_state=1)
SETTINGS = {"max_iter": 12, "random_state": 0, "early_stopping": True}


@pytest.fixture(scope="module")
def here():
    return nonet.HistGradientBoostingClassifier(**SETTINGS).fit(X, Y)


@pytest.fixture
def own_client():
    """A cluster that a test may ruin."""
    with distributed.LocalCluster(**CLUSTER) as cluster, distributed.Client(cluster) as client:
        yield client
    # A client that a test has closed may stay the scheduler of later tests.
    dask.config.config.pop("scheduler", None)


def fit(client):
    rows, labels = dask.array.from_array(X, (2_500, 10)), dask.array.from_array(Y, 2_500)
    return HistGradientBoostingClassifier(**SETTINGS).fit(rows, labels, client=client)


class Disturbance:
    """Calls a function during a fit, once its workers have begun."""

    def __init__(self, disturb, monkeypatch, rounds=(3,)):
        from nonet.boosting.gradient.summed_stage import SummedStage

        self.n_times, plain = 0, SummedStage.add_round

        def add_round(stage, number):
            if number in rounds:
                self.n_times += 1
                disturb()
            return plain(stage, number)

        monkeypatch.setattr(SummedStage, "add_round", add_round)


def kill_one(client):
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    time.sleep(0.2)


def test_workers_that_are_killed_again_and_again(own_client, here, monkeypatch):
    disturbed = Disturbance(lambda: kill_one(own_client), monkeypatch, rounds=(2, 6))
    there = fit(own_client)
    assert disturbed.n_times == 2
    assert_same_trees(there, here)
    np.testing.assert_array_equal(there.validation_score_, here.validation_score_)


def test_a_worker_that_leaves_and_one_that_comes(own_client, here, monkeypatch):
    def replace_one():
        cluster = own_client.cluster
        cluster.scale(3)
        own_client.wait_for_workers(3)
        leaving = next(iter(own_client.scheduler_info(n_workers=-1)["workers"]))
        own_client.retire_workers([leaving], close_workers=True)

    disturbed = Disturbance(replace_one, monkeypatch)
    assert_same_trees(fit(own_client), here)
    assert disturbed.n_times == 1


def test_workers_that_are_restarted(own_client, here, monkeypatch):
    disturbed = Disturbance(own_client.restart, monkeypatch)
    assert_same_trees(fit(own_client), here)
    assert disturbed.n_times == 1


def test_a_client_that_is_closed_during_the_fit(own_client, monkeypatch):
    Disturbance(own_client.close, monkeypatch)
    with pytest.raises(RuntimeError, match="client was closed during the fit"):
        fit(own_client)
