"""Kill writers of a run at random moments, and check what is left: run by test_killed_runs.

The writer is a child made by fork, so that each of many kills costs milliseconds. Called with the
folder of the run, the number of kills and a seed; prints what was found, as JSON.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

import nonet
from nonet.auto.run_store import RunStore

X = np.random.default_rng(0).normal(size=(40, 3))
STUMP = nonet.DecisionStump().fit(X, X[:, 0] > 0)


def expected_array(number):
    return np.random.default_rng(number).normal(size=(1 + number % 50, 100))


def write_until_killed(folder, first, acknowledge):
    """Finish tasks first, first + 1, ..., and report each when it is finished."""
    with RunStore.open(folder) as store:
        for number in range(first, first + 10_000):
            store.mark(f"k{number}", "stump", 0, "running")
            store.finish(
                f"k{number}",
                "stump",
                0,
                arrays={"a": expected_array(number), "number": np.array([number])},
                model=STUMP if number % 2 else None,
                seconds=0.1,
                peak_bytes=1,
            )
            store.save_array("last", np.array([number]))
            store.update_facts(last=number)
            os.write(acknowledge, f"{number}\n".encode())


def kill_one_writer(folder, first, n_before, fraction):
    """Start a writer, kill it some tasks later, and return the numbers that it reported.

    The moment counts in tasks, not in seconds, so that a slow machine meets the same moments.
    """
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        write_until_killed(folder, first, write_end)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        times, lines = [time.perf_counter()], []
        for _ in range(n_before):
            lines.append(pipe.readline())
            times.append(time.perf_counter())
        time.sleep(fraction * (times[-1] - times[-2] if n_before else 0.01))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        lines += pipe.readlines()
    return [int(line) for line in lines]


def check(folder, reported):
    """Check every task that is there, and return (number of tasks, what was wrong)."""
    wrong = []
    with RunStore.open(folder) as store:
        found = {int(task.key[1:]) for task in store.records()}
        wrong += [f"task {number} was lost" for number in reported - found]
        for number in found:
            arrays = store.arrays(f"k{number}")
            if not np.array_equal(arrays["a"], expected_array(number)):
                wrong.append(f"task {number} has other numbers")
            if store.has_model(f"k{number}") != bool(number % 2):
                wrong.append(f"task {number} has lost its model")
            elif number % 2:
                store.model(f"k{number}").predict(X)
        if {task.state for task in store.records()} - {"done"}:
            wrong.append("a task that was under way is still there")
        if reported and store.facts.get("last", -1) < max(reported):
            wrong.append("a fact was lost")
        if reported and store.load_array("last")[0] < max(reported):
            wrong.append("data was lost")
        n_named = len(store._database.files())
    n_files = sum(
        path.is_file() for room in ("tasks", "data") for path in (folder / room).iterdir()
    )
    if n_files != n_named:
        wrong.append(f"{n_files} files, of which {n_named} belong to a task")
    return max(found, default=-1) + 1, wrong


def main(folder, n_kills, seed):
    draw = random.Random(seed)
    RunStore.create(folder, {}).close()
    reported, n_tasks, wrong, cut_off = set(), 0, [], 0
    for _ in range(n_kills):
        reported |= set(kill_one_writer(folder, n_tasks, draw.randrange(5), draw.random()))
        leftovers = list(folder.glob("*/.*.part"))
        cut_off += bool(leftovers)
        n_tasks, found_wrong = check(folder, reported)
        wrong += found_wrong
    print(json.dumps({"n_tasks": n_tasks, "wrong": wrong, "cut_off": cut_off}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
