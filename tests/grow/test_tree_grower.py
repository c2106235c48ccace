"""A grower that lives across trees, and how growing lives with signals, forks and other threads."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower, grow_tree

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and POSIX signals")
HANG_GUARD = 300  # seconds; an interrupt that is not handled must not stop the test run

TASKS = [
    ("gini", {}),
    ("newton", {"max_leaf_nodes": 9}),
    ("squared_error", {"max_depth": 4}),
    ("poisson", {"max_leaf_nodes": 4}),
    ("gini", {"columns_per_split": 2}),
]


def make_rows(n_rows=3000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 5))
    return X, X[:, 0] + rng.normal(size=n_rows)


def grow_with(grow, signal, criterion, limits, **arrays):
    target = {
        "gini": (signal > 0).astype(np.int32),
        "poisson": np.abs(signal),
    }.get(criterion, signal)
    hessians = np.ones(len(signal)) if criterion == "newton" else None
    return grow(target, GrowParams(**limits), criterion=criterion, hessians=hessians, **arrays)


@pytest.mark.parametrize("max_bins", [255, 1000])
def test_used_memory_changes_no_tree(max_bins):
    X, signal = make_rows()
    dataset = BinnedDataset(X, max_bins=max_bins)
    grower = TreeGrower(dataset)
    few = (np.arange(len(X)) % 7 == 0).astype(np.uint32)
    for counts in (None, few, None):
        for criterion, limits in TASKS:
            again = grow_with(grower.grow, signal, criterion, limits, counts=counts)
            fresh = grow_with(
                lambda *a, **k: grow_tree(dataset, *a, **k),
                signal,
                criterion,
                limits,
                counts=counts,
            )
            assert again.to_bytes() == fresh.to_bytes()


def test_several_python_threads_share_a_grower():
    X, signal = make_rows()
    grower = TreeGrower(BinnedDataset(X))
    tasks = TASKS * 6
    expected = [grow_with(grower.grow, signal, *task).to_bytes() for task in tasks]
    with ThreadPoolExecutor(4) as executor:
        trees = executor.map(lambda task: grow_with(grower.grow, signal, *task).to_bytes(), tasks)
        assert list(trees) == expected


def test_params_of_another_tree_are_those_replaced():
    params = GrowParams(max_depth=3, columns_per_split=1, seed=5, interactions=[[0], [1]])
    first = params.of_tree(1)
    again = pickle.loads(pickle.dumps(first)).of_tree(2)
    assert first == replace(params, tree=1)
    assert again == replace(params, tree=2)
    assert first._native().tree == 1
    assert again._native().tree == 2
    assert replace(first, max_depth=4)._native().max_depth == 4


def test_grower_keeps_its_dataset_alive():
    X, signal = make_rows(200)
    grower = TreeGrower(BinnedDataset(X))  # nobody else holds the dataset
    assert grow_with(grower.grow, signal, "gini", {}).n_leaves > 1


def test_leaves_of_rows_out_of_the_bag_are_minus_one():
    X, signal = make_rows()
    grower = TreeGrower(BinnedDataset(X))
    counts = np.random.default_rng(1).integers(0, 3, size=len(X)).astype(np.uint32)
    leaves = np.zeros(len(X), dtype=np.int32)
    grow_with(grower.grow, signal, "newton", {"max_leaf_nodes": 9}, counts=counts, leaves=leaves)
    np.testing.assert_array_equal(leaves == -1, counts == 0)


def test_rejects_leaves_of_another_length():
    X, signal = make_rows(50)
    with pytest.raises(ValueError, match="Leaves must have one entry for each row"):
        grow_tree(BinnedDataset(X), signal, criterion="squared_error", leaves=np.zeros(3, np.int32))


# ---- Processes of their own --------------------------------------------------------------------

PROLOGUE = """
import os, signal, sys, threading, time, warnings
import numpy as np
import nonet
from nonet import _core
from nonet._native.runtime import limit_threads
from nonet._native.data import BinnedDataset
from nonet._native.grow import GrowParams, TreeGrower
warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads is the point

rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 10)).astype(np.float32)
y = X[:, 0] + rng.normal(size=len(X))
grower = TreeGrower(BinnedDataset(X))

def grow(limits, n_threads=2):
    with limit_threads(n_threads):
        return grower.grow(y, GrowParams(**limits), criterion="squared_error")

small = {"max_leaf_nodes": 31}
expected = grow(small).to_bytes()
"""


def run_python(script, **environment):
    """Run the prologue and a script in a fresh interpreter; give what they print."""
    done = subprocess.run(
        [sys.executable, "-c", PROLOGUE + textwrap.dedent(script)],
        env={**os.environ, "NONET_NUM_THREADS": "2", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_GUARD,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@posix
@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("limits", [{}, {"max_leaf_nodes": 20_000}])
def test_interrupt_stops_a_tree_and_the_next_one_grows(n_threads, limits):
    # A timer of the main thread's own would need its attention; another thread sends the signal.
    printed = run_python(f"""
        def interrupt():
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        n_grown = 0
        try:
            threading.Thread(target=interrupt).start()
            while True:
                grow({limits}, {n_threads})
                n_grown += 1
        except KeyboardInterrupt:
            print("interrupted")
        print(grow(small).to_bytes() == expected)
    """)
    assert printed == ["interrupted", "True"]


@posix
def test_interrupt_reaches_a_tree_in_the_middle():
    # The tree alone takes longer than the pause before the signal, and is never finished.
    printed = run_python("""
        start = time.perf_counter()
        grow({})
        alone = time.perf_counter() - start
        big = np.tile(X, (20, 1))
        many = TreeGrower(BinnedDataset(big))
        target = np.random.default_rng(1).normal(size=len(big))

        def interrupt():
            time.sleep(max(alone, 0.1))
            os.kill(os.getpid(), signal.SIGINT)

        finished = False
        try:
            threading.Thread(target=interrupt).start()
            many.grow(target, criterion="squared_error")
            finished = True
        except KeyboardInterrupt:
            pass
        print(finished, grow(small).to_bytes() == expected)
    """)
    assert printed == ["False", "True"]


@posix
def test_trees_grow_in_the_child_of_a_fork():
    printed = run_python("""
        child = os.fork()
        if child == 0:
            os._exit(0 if grow(small).to_bytes() == expected else 1)
        print(os.waitpid(child, 0)[1], grow(small).to_bytes() == expected)
    """)
    assert printed == ["0", "True"]


@posix
def test_fork_while_trees_grow_leaves_the_child_usable():
    printed = run_python("""
        done = threading.Event()
        def keep_busy():
            while not done.is_set():
                grow(small)

        busy = threading.Thread(target=keep_busy)
        busy.start()
        statuses = set()
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if TreeGrower(grower.dataset).grow(
                    y, GrowParams(**small), criterion="squared_error"
                ).to_bytes() == expected else 1)
            statuses.add(os.waitpid(child, 0)[1])
        done.set()
        busy.join()
        print(statuses)
    """)
    assert printed == ["{0}"]


def test_many_python_threads_share_one_pool():
    # Six threads request three threads each; the pool has the two that one of them may request.
    printed = run_python(
        """
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(6) as executor:
            trees = list(executor.map(lambda _: grow(small, 3), range(18)))
        print({tree.to_bytes() == expected for tree in trees}, _core.pool_size())
        """,
        NONET_NUM_THREADS="3",
    )
    assert printed == ["{True}", "2"]


def test_workers_of_joblib_keep_to_their_fraction_of_the_cores():
    printed = run_python(
        """
        import joblib
        def threads():
            from nonet._native.runtime import get_num_threads
            return get_num_threads()

        del os.environ["NONET_NUM_THREADS"]
        with joblib.parallel_config("loky", inner_max_num_threads=1):
            counts = joblib.Parallel(n_jobs=2)(joblib.delayed(threads)() for _ in range(4))
        print(set(counts))
        """
    )
    assert printed == ["{1}"]
