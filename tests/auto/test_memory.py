"""Limits of memory, what is available, and what fits take."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

import nonet
from nonet._base.errors import ParameterError
from nonet._base.memory import available_bytes
from nonet.auto.memory import predict_bytes, read_memory_limit

# ---- Limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (1000, 1000),
        (np.int64(5), 5),
        (4e9, 4_000_000_000),
        ("4 GB", 4_000_000_000),
        ("4gb", 4_000_000_000),
        (" 1.5MB ", 1_500_000),
        ("2 GiB", 2 * 1024**3),
        ("512", 512),
        (".5 TB", 500_000_000_000),
        ("10 B", 10),
    ],
)
def test_limit_is_read(given, expected):
    assert read_memory_limit(given) == expected


@pytest.mark.parametrize(
    "given", ["", "GB", "4 pounds", "-4 GB", 0, -1, True, "0 GB", "4 GB 2", np.nan, np.inf, [4]]
)
def test_rejects_what_is_no_limit(given):
    with pytest.raises(ParameterError, match="'memory_limit' must be None, a positive number"):
        read_memory_limit(given)


def test_no_limit_is_what_is_available():
    assert 2**20 < read_memory_limit(None) < 2**50


# ---- What there is -------------------------------------------------------------------------------

GB = 10**9


def make_files(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def group(folder, limit, used, cached=0, version=2):
    names = {
        1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        2: ("memory.max", "memory.current", "inactive_file"),
    }[version]
    return {
        f"{folder}/{names[0]}": f"{limit}\n",
        f"{folder}/{names[1]}": f"{used}\n",
        f"{folder}/memory.stat": f"anon 7\n{names[2]} {cached}\n",
    }


MACHINE = {"proc/meminfo": "MemTotal:  32000000 kB\nMemAvailable:   16000000 kB\n"}


def test_machine_without_container(tmp_path):
    make_files(tmp_path, MACHINE)
    assert available_bytes(tmp_path) == 16_000_000 * 1024


@pytest.mark.parametrize("path", ["/a/b", "/not/seen/here"])
def test_container_limits_what_is_available(tmp_path, path):
    make_files(tmp_path, MACHINE | {"proc/self/cgroup": f"0::{path}\n"})
    make_files(tmp_path, group("sys/fs/cgroup", "max", 9 * GB))
    make_files(tmp_path, group("sys/fs/cgroup/a", 4 * GB, 3 * GB, cached=GB // 2))
    make_files(tmp_path, group("sys/fs/cgroup/a/b", 8 * GB, 1 * GB))
    expected = GB + GB // 2 if path == "/a/b" else 16_000_000 * 1024
    assert available_bytes(tmp_path) == expected


def test_container_of_version_one_seen_as_root(tmp_path):
    groups = "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n1:name=systemd:/\n"
    make_files(tmp_path, MACHINE | {"proc/self/cgroup": groups})
    make_files(tmp_path, group("sys/fs/cgroup/memory", 2 * GB, GB, version=1))
    assert available_bytes(tmp_path) == GB


def test_full_container_has_at_least_a_byte(tmp_path):
    make_files(tmp_path, MACHINE | {"proc/self/cgroup": "0::/\n"})
    make_files(tmp_path, group("sys/fs/cgroup", GB, 2 * GB))
    assert available_bytes(tmp_path) == 1


def test_system_without_proc_counts_its_pages(tmp_path):
    assert 2**20 < available_bytes(tmp_path) < 2**50


# ---- What fits take ------------------------------------------------------------------------------


def test_prediction_grows_with_everything():
    base = {"n_rows": 10**6, "n_columns": 20, "n_scores": 3, "n_threads": 4, "n_bags": 2}
    expected = predict_bytes(**base)
    for name, value in base.items():
        assert predict_bytes(**base | {name: 2 * value}) > expected
    assert predict_bytes(**base, n_leaves=31) < expected


FIT = """
import json, sys
import numpy as np
import nonet
n_rows, n_columns, n_classes = json.loads(sys.argv[1])
X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
y = np.digitize(X[:, 0], np.linspace(-1, 1, n_classes - 1))
model = nonet.BoostedTreesClassifier(n_estimators=3, num_leaves=31)
model.fit(X[:500], y[:500])

def memory(field):
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(field)).split()[1])

open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
before = memory("VmRSS")
model.fit(X, y)
print(memory("VmHWM") - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(("n_rows", "n_columns", "n_classes"), [(400_000, 10, 2), (80_000, 40, 4)])
def test_prediction_against_the_peak_of_a_process(n_rows, n_columns, n_classes):
    facts = json.dumps([n_rows, n_columns, n_classes])
    command = [sys.executable, "-c", FIT, facts]
    measured = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    n_scores = 1 if n_classes == 2 else n_classes
    predicted = predict_bytes(
        n_rows, n_columns, n_scores, nonet.get_num_threads(), n_bags=1, n_leaves=31
    )
    assert 0.4 * predicted < measured < predicted
