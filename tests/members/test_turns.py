"""Calls that take turns in threads: results, errors, interrupts, and who runs when."""

from __future__ import annotations

import _thread
import threading
import time

import pytest
import sklearn

from nonet import get_num_threads, limit_threads
from nonet.members.turns import pass_turn, run_in_turns


@pytest.mark.parametrize("n_at_once", [1, 2, 3, 10])
def test_results_are_in_the_order_of_the_calls(n_at_once):
    assert run_in_turns(pow, [(i, 2) for i in range(7)], n_at_once) == [i**2 for i in range(7)]


def test_no_more_calls_run_at_once_than_allowed():
    lock, running, most = threading.Lock(), [0], [0]

    def work():
        for _ in range(20):
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
            time.sleep(0.002)
            with lock:
                running[0] -= 1
            pass_turn()

    run_in_turns(work, [()] * 5, 2)
    assert most == [2]


def test_the_last_calls_share_the_processors():
    steps = []

    def work(call):
        for _ in range(4):
            time.sleep(0.025)
            steps.append(call)
            pass_turn()

    run_in_turns(work, [(0,), (1,), (2,)], 2)
    # Alone at the end, the last call would take its four steps after all others.
    assert 2 in steps[:6]


def test_calls_that_come_out_even_do_not_pass_their_turn():
    steps = []

    def work(call):
        for _ in range(3):
            time.sleep(0.025)
            steps.append(call)
            pass_turn()

    run_in_turns(work, [(i,) for i in range(4)], 2)
    assert set(steps[:5]) == {0, 1}


def test_the_first_error_is_raised_and_others_end():
    n_steps = []

    def work(call):
        if call == 0:
            raise ValueError("call 0 is bad")
        for step in range(1000):
            time.sleep(0.001)
            n_steps.append(step)
            pass_turn()

    with pytest.raises(ValueError, match="call 0 is bad"):
        run_in_turns(work, [(0,), (1,), (2,)], 2)
    assert len(n_steps) < 1000


def test_an_interrupt_ends_all_calls():
    n_steps = []

    def work(call):
        for step in range(5000):
            if call == 0 and step == 5:
                _thread.interrupt_main()
            time.sleep(0.001)
            n_steps.append(step)
            pass_turn()

    with pytest.raises(KeyboardInterrupt):
        run_in_turns(work, [(0,), (1,), (2,)], 2)
    assert len(n_steps) < 5000


def test_threads_and_settings_of_the_caller_are_passed_on():
    def look():
        return get_num_threads(), sklearn.get_config()["assume_finite"]

    with limit_threads(1), sklearn.config_context(assume_finite=True):
        assert run_in_turns(look, [()] * 3, 2) == [(1, True)] * 3
    assert run_in_turns(look, [()] * 2, get_num_threads() * 2) == [(1, False)] * 2


def test_pass_turn_does_nothing_elsewhere():
    pass_turn()
