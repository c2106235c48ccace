"""`make demo-dask`: the script runs, on few rows, and ends with equal probabilities."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_demo_ends_with_the_model_of_one_process():
    script = ROOT / "examples" / "dask_demo.py"
    command = [sys.executable, str(script), "--rows", "4000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "bit for bit: True" in done.stdout
