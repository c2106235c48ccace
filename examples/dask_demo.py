"""Fit a booster on a cluster of two processes, kill one of them, and get the same model.

Two classes of 200,000 rows in 8 partitions. The model of the cluster equals that of one process,
although a worker is killed during the fit; predictions are lazy.

    make demo-dask
    python examples/dask_demo.py --rows 20000     fewer rows
"""

import argparse
import os
import signal
import threading
import time

import dask.array
import numpy as np
from distributed import Client, LocalCluster
from sklearn.datasets import make_classification

import nonet
import nonet.dask

SETTINGS = {"max_iter": 30, "early_stopping": True, "random_state": 0}


def kill_a_worker(client):
    """Kill one of the processes as the system does when memory runs out."""
    pid = next(iter(client.run(os.getpid).values()))
    print(f"   (killing the worker process {pid})")
    os.kill(pid, signal.SIGKILL)


def timed(what, work):
    begin = time.perf_counter()
    found = work()
    print(f"{what}: {time.perf_counter() - begin:.1f} s")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=200_000)
    n_rows = parser.parse_args().rows
    X, y = make_classification(n_rows, 20, n_informative=10, flip_y=0.1, random_state=0)
    local = nonet.HistGradientBoostingClassifier(**SETTINGS)
    timed("one process", lambda: local.fit(X, y))
    settings = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "silence_logs": 50}
    with (
        LocalCluster(**settings, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        rows = dask.array.from_array(X, chunks=(n_rows // 8, 20))
        labels = dask.array.from_array(y, chunks=n_rows // 8)
        model = nonet.dask.HistGradientBoostingClassifier(**SETTINGS)
        threading.Timer(1.5, kill_a_worker, [client]).start()
        timed("two workers, one of them killed", lambda: model.fit(rows, labels))
        lazy = nonet.dask.predict_proba(model, rows)
        print(f"predictions: {lazy}")
        same = np.array_equal(lazy.compute(), local.predict_proba(X))
    print(f"the same probabilities, bit for bit: {same}")
    print(f"the model: {type(model.to_local())}, {model.n_iter_} rounds")


if __name__ == "__main__":
    main()
