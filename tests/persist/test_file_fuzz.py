"""Mutated files: refused in one sentence, or a model; never a crash, a hang, or much memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "file_fuzz.py"
MAX_MEGABYTES = 512


def fuzz(n_files, seed, folder):
    command = [sys.executable, str(SCRIPT), str(n_files), str(seed)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def check(found, n_files):
    # Many files with repaired checksums must get through, or nothing behind them is tried.
    assert found["read"] > 0.1 * n_files
    assert found["refused"] > 0.5 * n_files
    assert found["MB of memory added"] < MAX_MEGABYTES


def test_mutated_files_are_refused_or_models(tmp_path):
    check(fuzz(3000, 0, tmp_path), 3000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_more_mutated_files_are_refused_or_models(seed, tmp_path):
    check(fuzz(10_000, seed, tmp_path), 10_000)
