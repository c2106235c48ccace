"""Every example runs as a user would run it, and without a warning."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib import pyplot

EXAMPLES = Path(__file__).parents[2] / "examples"
GALLERY = sorted(EXAMPLES.rglob("plot_*.py"))
CLAIMS = sorted((EXAMPLES / "claims").glob("plot_*.py"))
SCRIPTS = [script for script in GALLERY if script not in CLAIMS]


def run(script: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=folder,
        env=os.environ | {"MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_example_runs(script, tmp_path):
    finished = run(script, tmp_path)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("script", CLAIMS, ids=lambda script: script.stem)
def test_claim_runs_and_draws_a_picture(script, tmp_path, monkeypatch):
    """In this process: thirty interpreters would take longer to start than the claims to run."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    assert pyplot.get_fignums()


def test_every_claim_has_its_script():
    assert [script.stem[5:7] for script in CLAIMS] == [f"{number:02}" for number in range(1, 31)]


def test_quickstart_prints_a_table_and_saves_a_picture(tmp_path):
    finished = run(EXAMPLES / "quickstart.py", tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert "plurality" in finished.stdout
    assert (tmp_path / "quickstart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("script", GALLERY, ids=lambda script: script.stem)
def test_gallery_example_opens_with_a_title(script):
    docstring_lines = script.read_text(encoding="utf-8").split('"""')[1].strip().splitlines()
    title, rule = docstring_lines[:2]
    assert rule == "=" * len(title)
