"""Tests of the pace of a run: when tasks must end."""

import time

import pytest

from nonet.auto.configuration import Configuration
from nonet.auto.pace import Pace, TaskSize

BOOSTER = Configuration("b", "boosted_trees", {"n_estimators": 3000, "learning_rate": 0.07})
SIZE = TaskSize(n_rows=60, n_columns=20, n_scores=4, n_folds=8)


def seconds_until(moment):
    return moment - time.monotonic()


def test_tasks_have_no_deadline_without_a_limit():
    assert Pace(SIZE).deadline_of(BOOSTER, 0.1) is None


def test_first_task_gets_its_part_of_the_time_left():
    pace = Pace(SIZE, time_limit=1000.0)
    assert seconds_until(pace.deadline_of(BOOSTER, 0.1)) == pytest.approx(
        0.1 * pace.left(), rel=0.1
    )


def test_later_task_gets_what_tasks_like_it_take():
    pace = Pace(SIZE, time_limit=1000.0)
    pace.observe(BOOSTER, 200.0)
    found = seconds_until(pace.deadline_of(BOOSTER, 0.1))
    assert 200.0 < found <= pace.left() + 1.0


def test_no_task_may_run_past_the_end_of_the_run():
    pace = Pace(SIZE, time_limit=1000.0)
    pace.observe(BOOSTER, 1e6)
    assert pace.deadline_of(BOOSTER, 1.0) == pace.deadline
    late = Pace(SIZE, time_limit=10.0, began=time.monotonic() - 60.0)
    assert late.deadline_of(BOOSTER, 0.5) <= late.deadline
