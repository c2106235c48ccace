"""Thread control, and how the pool lives with forks, other threads and Ctrl-C.

What needs a process of its own runs in one: a fork of pytest's workers, or a signal to them, would
touch more than the test.
"""

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nonet import _core
from nonet._native import runtime
from nonet._native import vote as vote_kernels

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and POSIX signals")


def run_python(script, **environment):
    """Run a script in a fresh interpreter and give what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**os.environ, "NONET_NUM_THREADS": "3", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def no_thread_variables(monkeypatch):
    monkeypatch.delenv("NONET_NUM_THREADS", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)


@pytest.mark.usefixtures("no_thread_variables")
class TestNumberOfThreads:
    def test_default_is_the_available_cores(self):
        assert runtime.get_num_threads() == runtime.available_cores()

    def test_own_variable_comes_before_that_of_openmp(self, monkeypatch):
        monkeypatch.setenv("OMP_NUM_THREADS", "5")
        assert runtime.get_num_threads() == 5
        monkeypatch.setenv("NONET_NUM_THREADS", "7")
        assert runtime.get_num_threads() == 7

    @pytest.mark.parametrize(("text", "n_threads"), [("4,2", 4), (" 3 ", 3)])
    def test_variable_of_openmp_may_be_a_list(self, monkeypatch, text, n_threads):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert runtime.get_num_threads() == n_threads

    @pytest.mark.parametrize("text", ["", "many", "0", "-1"])
    def test_unfit_variable_of_openmp_is_passed_over(self, monkeypatch, text):
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert runtime.get_num_threads() == runtime.available_cores()

    @pytest.mark.parametrize("text", ["many", "0", "-1", "1.5"])
    def test_own_variable_rejects_what_is_no_positive_integer(self, monkeypatch, text):
        monkeypatch.setenv("NONET_NUM_THREADS", text)
        with pytest.raises(ValueError, match=f"must be a positive integer, got '{text}'; unset it"):
            runtime.get_num_threads()

    def test_smallest_of_nested_limits_counts(self, monkeypatch):
        monkeypatch.setenv("NONET_NUM_THREADS", "8")
        with runtime.limit_threads(2):
            with runtime.limit_threads(5):
                assert runtime.get_num_threads() == 2
            with runtime.limit_threads(1):
                assert runtime.get_num_threads() == 1
            assert runtime.get_num_threads() == 2
        assert runtime.get_num_threads() == 8

    def test_limit_ends_with_an_exception(self, monkeypatch):
        monkeypatch.setenv("NONET_NUM_THREADS", "8")
        with pytest.raises(KeyError), runtime.limit_threads(1):
            raise KeyError
        assert runtime.get_num_threads() == 8


@pytest.mark.parametrize("n_threads", [0, -1, 1.5, "2", None, True])
def test_limit_threads_rejects_what_is_no_positive_integer(n_threads):
    with pytest.raises(ValueError, match="must be a positive integer, got"):
        runtime.limit_threads(n_threads).__enter__()


NO_QUOTA = 2**31 - 1


@pytest.mark.parametrize(
    ("files", "groups", "cores"),
    [
        ({}, "0::/job", NO_QUOTA),
        ({"cpu.max": "max 100000"}, "0::/", NO_QUOTA),
        ({"cpu.max": "150000 100000"}, "0::/", 2),  # one and a half need two
        ({"cpu.max": "20000 100000"}, "0::/", 1),
        ({"job/cpu.max": "300000 100000"}, "0::/job", 3),
        ({"job/cpu.max": "300000 100000", "cpu.max": "200000 100000"}, "0::/job", 2),
        ({"job/cpu.max": "100000 100000", "job/step/cpu.max": "max 100000"}, "0::/job/step", 1),
        ({"other/cpu.max": "100000 100000"}, "0::/job", NO_QUOTA),
        (
            {"cpu/job/cpu.cfs_quota_us": "400000", "cpu/job/cpu.cfs_period_us": "100000"},
            "7:memory:/job\n4:cpu,cpuacct:/job",
            4,
        ),
        (
            {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
            "4:cpu,cpuacct:/",
            NO_QUOTA,
        ),
    ],
)
def test_quota_of_a_container_counts_as_its_cores(tmp_path, files, groups, cores):
    root = tmp_path / "groups"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "list").write_text(groups)
    assert _core.quota_cores(str(root), str(tmp_path / "list")) == cores


@posix
def test_cores_outside_the_affinity_mask_do_not_count():
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system has no affinity masks")
    printed = run_python("""
        import os
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        from nonet import _core
        from nonet._native import runtime
        print(runtime.available_cores())
    """)
    assert printed == "1"


def test_pool_never_holds_more_threads_than_requested():
    printed = run_python("""
        import numpy as np
        from nonet import _core
        from nonet._native import runtime
        from nonet._native import vote as vote_kernels
        sizes = [_core.pool_size()]
        vote_kernels.weighted_sum(np.ones((100, 4)))
        sizes.append(_core.pool_size())
        with runtime.limit_threads(2):
            vote_kernels.weighted_sum(np.ones((100_000, 40)))
        sizes.append(_core.pool_size())
        vote_kernels.weighted_sum(np.ones((100_000, 40)))
        sizes.append(_core.pool_size())
        print(*sizes)
    """)
    assert printed == "0 0 1 2"  # none yet, a small input, the caller and one, the caller and two


@pytest.mark.usefixtures("four_threads")
def test_kernels_called_from_several_threads_agree(rng):
    outputs = rng.random((30_000, 11))
    expected = vote_kernels.weighted_sum(outputs)
    with ThreadPoolExecutor(6) as executor:
        for sums in executor.map(lambda _: vote_kernels.weighted_sum(outputs), range(60)):
            np.testing.assert_array_equal(sums, expected)


@posix
def test_child_of_a_fork_can_use_its_own_pool():
    printed = run_python("""
        import multiprocessing, warnings
        import numpy as np
        from nonet import _core
        from nonet._native import runtime
        from nonet._native import vote as vote_kernels
        warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads is the point

        outputs = np.ones((100_000, 20))
        def work(_):
            return vote_kernels.weighted_sum(outputs).sum(), _core.pool_size()

        work(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(set(pool.map(work, range(6))))
    """)
    assert printed in ("{(np.float64(2000000.0), 2)}", "{(2000000.0, 2)}")


@posix
def test_fork_while_the_pool_is_busy_leaves_the_child_usable():
    printed = run_python("""
        import os, threading, warnings
        import numpy as np
        from nonet._native import vote as vote_kernels
        warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads is the point

        outputs = np.ones((100_000, 20))
        done = threading.Event()
        def keep_busy():
            while not done.is_set():
                vote_kernels.weighted_sum(outputs)

        busy = threading.Thread(target=keep_busy)
        busy.start()
        statuses = set()
        for _ in range(10):
            child = os.fork()
            if child == 0:
                os._exit(0 if vote_kernels.weighted_sum(outputs).sum() == 2e6 else 1)
            statuses.add(os.waitpid(child, 0)[1])
        done.set()
        busy.join()
        print(statuses)
    """)
    assert printed == "{0}"


@posix
@pytest.mark.parametrize("n_threads", [1, 2])
def test_interrupt_stops_a_kernel_in_the_middle(n_threads):
    # Pages of zeros that are only read take no memory, so that the call can be long.
    printed = run_python(f"""
        import signal
        import numpy as np
        from nonet import _core

        stack = np.zeros((100, 3_000_000, 1))
        out = np.full((3_000_000, 1), np.nan)
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            _core.weighted_quantile(stack, True, np.ones(100), 0.5, False, {n_threads}, out)
        except KeyboardInterrupt:
            print("interrupted", bool(np.isnan(out).any()))

        again = np.empty((1000, 1))
        _core.weighted_sum(np.ones((3, 1000, 1)), True, np.ones(3), 1.0, 2, again)
        print(again.sum())
    """)
    assert printed.split("\n") == ["interrupted True", "3000.0"]


@posix
def test_exception_of_another_signal_handler_reaches_the_caller():
    printed = run_python("""
        import signal
        import numpy as np
        from nonet import _core

        def handler(number, frame):
            raise LookupError("from the handler")

        signal.signal(signal.SIGALRM, handler)
        out = np.full((3_000_000, 1), np.nan)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            _core.weighted_quantile(
                np.zeros((100, 3_000_000, 1)), True, np.ones(100), 0.5, False, 2, out
            )
        except LookupError as error:
            print(error, bool(np.isnan(out).any()))
    """)
    assert printed == "from the handler True"
