"""Tests of the memory that tasks are predicted to take."""

import json
import subprocess
import sys

import pytest

from nonet.auto.configuration import Configuration, read_portfolio
from nonet.auto.member_family import MemberFamily
from nonet.auto.pace import TaskSize
from nonet.auto.task_memory import predict_task_bytes

FIT = """
import json, sys
import numpy as np
from nonet.auto.configuration import read_portfolio
from nonet.auto.families import MemberFacts, make_member
from nonet.auto.fold_task import predict_rows

name, task, n_rows = json.loads(sys.argv[1])
configuration = {one.name: one for one in read_portfolio(task)}[name]
rng = np.random.default_rng(0)
X = np.hstack([rng.normal(size=(n_rows, 6)), rng.integers(0, 20, (n_rows, 4))])
is_code = np.arange(10) > 5
y = X[:, 0] + rng.normal(size=n_rows)
y = y if task == "regression" else (y > 0).astype(int)

def fit(X, y):
    model = make_member(configuration, MemberFacts(task, is_code, 0))
    for step in [model[-1], getattr(model[-1], "regressor", None)]:
        if hasattr(step, "max_iter"):
            step.max_iter = 2  # memory does not grow with it
    predict_rows(model.fit(X, y), X[:100])

def memory(field):
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(field)).split()[1])

fit(X[:300], y[:300])
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
before = memory("VmRSS")
fit(X, y)
print(memory("VmHWM") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("name", "task", "n_rows"),
    [
        ("splines_10", "classification", 20_000),
        ("network_tanh", "classification", 20_000),
        ("extra_trees_all", "classification", 4_000),
        ("linear", "regression", 40_000),
        ("near_5", "regression", 20_000),
        ("random_forest_all", "regression", 4_000),
    ],
)
def test_prediction_against_the_peak_of_a_process(name, task, n_rows):
    command = [sys.executable, "-W", "ignore", "-c", FIT, json.dumps([name, task, n_rows])]
    measured = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    size = TaskSize(n_rows, 10, 1, 5, 0, 6, 6 + 4 * 20, task == "classification")
    configuration = {one.name: one for one in read_portfolio(task)}[name]
    predicted = predict_task_bytes(configuration, size)
    assert 0.15 * predicted < measured < 1.1 * predicted


def test_nothing_is_known_of_guests():
    guest = Configuration("mine", "mine", {}, MemberFamily(lambda facts, params: None, {}))
    assert predict_task_bytes(guest, TaskSize(1000, 10, 1, 5)) == 0


def test_splines_take_more_than_lines_and_prepared_columns_count():
    size = TaskSize(1000, 10, 1, 5, n_prepared=30, n_numbers=10, n_dense=10)
    line = Configuration("linear", "linear", {})
    splines = Configuration("splines", "linear", {"n_knots": 5})
    assert predict_task_bytes(splines, size) > 2 * predict_task_bytes(line, size)
    booster = Configuration("b", "boosted_trees", {"n_estimators": 9})
    prepared = Configuration("b", "boosted_trees", {"n_estimators": 9}, prep="numbers")
    assert predict_task_bytes(prepared, size) > predict_task_bytes(booster, size)
