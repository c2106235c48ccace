from __future__ import annotations

import time

import joblib
import pytest
from sklearn import config_context, get_config

from nonet._base.parallel import count_jobs, run_all


def subtract(left, right):
    return left - right


def slow_first(position):
    time.sleep(0.05 if position == 0 else 0)
    return position


def assumes_finite(_):
    return get_config()["assume_finite"]


def fail(position):
    raise RuntimeError(f"member {position} fell over")


@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_predictions_come_in_the_order_of_the_calls(n_jobs):
    with joblib.parallel_config("threading"):
        assert run_all(slow_first, [(0,), (1,), (2,)], n_jobs=n_jobs) == [0, 1, 2]


def test_arguments_are_spread():
    assert run_all(subtract, [(5, 2), (1, 1)], n_jobs=None) == [3, 0]


def test_no_calls_give_no_predictions():
    assert run_all(subtract, [], n_jobs=2) == []


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_workers_keep_the_configuration_of_sklearn(n_jobs):
    with config_context(assume_finite=True), joblib.parallel_config("threading"):
        assert run_all(assumes_finite, [(0,), (1,)], n_jobs=n_jobs) == [True, True]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failure_of_a_worker_reaches_the_caller(n_jobs):
    with joblib.parallel_config("threading"), pytest.raises(RuntimeError, match="fell over"):
        run_all(fail, [(0,), (1,)], n_jobs=n_jobs)


def test_jobs_are_counted_as_joblib_does():
    assert count_jobs(None) == 1
    assert count_jobs(3) == 3
    assert count_jobs(-1) == joblib.cpu_count()
    with joblib.parallel_config(n_jobs=2):
        assert count_jobs(None) == 2


def test_counting_rejects_no_jobs():
    with pytest.raises(ValueError, match="'n_jobs' must be None, .* but got 0"):
        count_jobs(0)
