"""Every benchmark runs on tiny data (issue 19, part 3): without this, nobody saw one break."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.tiny_tables import write_tiny_tables

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FOLDER = "a folder of tiny tables"
# Who takes part in the plain run need not do so in each of the others.
WITHOUT = ("--without", "LightGBM, row-wise", "LightGBM, column-wise", "LightGBM, quantised")
WITHOUT += ("XGBoost, by leaf", "XGBoost, by depth", "CatBoost", "scikit-learn", "YDF")
OTHER_QUESTIONS = [
    ("bench_boosting.py", "--classic"),
    ("bench_boosting.py", "--growth"),
    ("bench_boosting.py", "--memory", *WITHOUT),
    ("bench_boosting.py", "--seeds", "2", *WITHOUT),
    ("bench_boosting.py", "--real", FOLDER, *WITHOUT),
    ("bench_boosting_accuracy.py", "--million"),
    ("bench_clustering.py", "--memory"),
    ("bench_engine.py", "--load"),
    ("bench_leaf_replay.py", "--blends"),
    ("bench_stacking.py", "--data", FOLDER),
    ("portfolio_scores.py",),
    ("select_portfolio.py",),
]
RUNS = [*((path.name,) for path in sorted(BENCHMARKS.glob("bench_*.py"))), *OTHER_QUESTIONS]


@pytest.mark.parametrize("words", RUNS, ids=lambda words: " ".join(words[:2]))
def test_benchmark_runs(words, tmp_path):
    if FOLDER in words:
        write_tiny_tables(tmp_path)
    script, *options = (str(tmp_path) if word == FOLDER else word for word in words)
    command = [sys.executable, str(BENCHMARKS / script), "--quick", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| --- |" in done.stdout


def test_help_is_the_docstring_of_the_script():
    command = [sys.executable, str(BENCHMARKS / "bench_bagging.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--quick" in done.stdout
    assert "Time of bagging other people's learners" in done.stdout


def test_benchmark_of_real_tables_wants_their_folder():
    command = [sys.executable, str(BENCHMARKS / "bench_tree_accuracy.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "give the folder of the data, or --quick" in done.stderr
