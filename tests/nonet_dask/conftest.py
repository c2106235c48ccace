"""A cluster of processes on this machine, over the loopback interface alone."""

from __future__ import annotations

import pytest

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

SETTINGS = {
    "n_workers": 2,
    "threads_per_worker": 1,
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",  # a free port: others may test at the same time
    "scheduler_kwargs": {"dashboard": False},
    "silence_logs": 50,
}


@pytest.fixture(scope="session")
def cluster():
    with distributed.LocalCluster(**SETTINGS) as found:
        yield found


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as found:
        yield found
    # A client that a test has closed may stay the scheduler of later tests.
    dask.config.config.pop("scheduler", None)
