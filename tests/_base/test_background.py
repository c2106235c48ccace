"""Short work beside the caller's."""

import os
import subprocess
import sys
import threading

import pytest

from nonet._base.background import run_beside


def test_all_calls_have_ended_with_the_body():
    found = []
    with run_beside(found.append, [(i,) for i in range(20)]):
        found.append(-1)
    assert sorted(found) == list(range(-1, 20))


def test_calls_run_in_another_thread_while_the_body_runs():
    begun = threading.Event()
    with run_beside(begun.set, [()]):
        assert begun.wait(timeout=60)


def test_caller_makes_the_calls_that_the_thread_has_not_begun():
    is_free = threading.Event()
    threads = []
    with run_beside(is_free.wait, [()]):
        with run_beside(lambda: threads.append(threading.current_thread()), [(), ()]):
            pass
        is_free.set()
    assert threads == [threading.current_thread()] * 2


def test_exception_of_a_call_replaces_that_of_the_body():
    def fail():
        raise ValueError("of the call")

    with pytest.raises(ValueError, match="of the call"), run_beside(fail, [()]):
        raise TypeError("of the body")


def test_exception_of_the_body_is_raised_after_the_calls():
    found = []
    with pytest.raises(TypeError, match="of the body"), run_beside(found.append, [(1,)]):
        raise TypeError("of the body")
    assert found == [1]


SCRIPT = """
import atexit, os, warnings
warnings.simplefilter("ignore")
from nonet._base.background import run_beside
found = []
with run_beside(found.append, [(1,)]):
    pass
def at_end():
    with run_beside(found.append, [(2,)]):
        pass
    print(found, flush=True)
atexit.register(at_end)
if hasattr(os, "fork"):
    child = os.fork()
    if child:
        assert os.waitpid(child, 0)[1] == 0
        print("parent", end=" ")
    else:
        with run_beside(found.append, [(3,)]):
            pass
        print("child", end=" ")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_process_and_end_of_the_interpreter_take_calls():
    command = [sys.executable, "-c", SCRIPT]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.split("\n")[:2] == ["child [1, 3, 2]", "parent [1, 2]"]
