"""Work that threads share with their caller."""

import os
import subprocess
import sys
import threading

import pytest

from nonet._base.background import SharedWork


@pytest.mark.parametrize("n_helpers", [0, 1, 3])
def test_results_come_in_the_order_of_the_arguments(n_helpers):
    assert SharedWork(abs, range(-50, 0), n_helpers).finish() == list(range(50, 0, -1))


@pytest.mark.parametrize("n_helpers", [1, 3])
def test_helpers_begin_before_the_results_are_needed(n_helpers):
    begun = threading.Event()
    work = SharedWork(lambda i: begun.set(), [1], n_helpers)
    assert begun.wait(timeout=60)
    assert work.finish() == [None]


def test_caller_makes_the_calls_that_the_thread_has_not_begun():
    is_free = threading.Event()
    busy = SharedWork(lambda i: is_free.wait(timeout=60), [1], n_helpers=1)
    while busy._waiting:
        pass
    work = SharedWork(lambda i: threading.current_thread(), [1, 2], n_helpers=1)
    assert work.finish() == [threading.current_thread()] * 2
    is_free.set()
    assert busy.finish() == [True]


@pytest.mark.parametrize("n_helpers", [0, 1, 3])
def test_first_exception_is_raised_and_ends_the_work(n_helpers):
    def fail(i):
        if i >= 3:
            raise ValueError(f"call {i}")

    work = SharedWork(fail, range(1000), n_helpers)
    with pytest.raises(ValueError, match="call 3"):
        work.finish()


@pytest.mark.parametrize("n_helpers", [0, 1, 3])
def test_stopped_work_has_no_call_that_still_runs(n_helpers):
    running = []

    def run(i):
        running.append(i)
        running.remove(i)

    work = SharedWork(run, range(10_000), n_helpers)
    work.stop()
    assert running == []
    work.stop()  # once more does no harm


SCRIPT = """
import atexit, os, warnings
warnings.simplefilter("ignore")
from nonet._base.background import SharedWork
def double(i):
    return 2 * i
SharedWork(double, [1], 1).finish()
def at_end():
    print(SharedWork(double, [2, 3], 1).finish(), flush=True)
atexit.register(at_end)
if hasattr(os, "fork"):
    child = os.fork()
    if child:
        assert os.waitpid(child, 0)[1] == 0
        print("parent", end=" ")
    else:
        print("child", SharedWork(double, [4, 5], 1).finish(), end=" ")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_process_and_end_of_the_interpreter_take_calls():
    command = [sys.executable, "-c", SCRIPT]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.split("\n")[:2] == ["child [8, 10] [4, 6]", "parent [4, 6]"]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system pins no threads")
def test_helper_keeps_from_the_core_of_the_caller():
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("one core has no other")
    for _ in range(2):  # the first work makes the thread
        work = SharedWork(lambda i: os.sched_getaffinity(0), [1], n_helpers=1)
        while work._waiting:  # so that the helper makes the call
            pass
        (mask,) = work.finish()
    assert mask < allowed
    assert os.sched_getaffinity(0) == allowed
