"""Every example runs as a user would run it, and without a warning."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib import pyplot

from contracts.quoted_numbers import quoted_numbers

EXAMPLES = Path(__file__).parents[2] / "examples"
GALLERY = sorted(EXAMPLES.rglob("plot_*.py"))
CLAIMS = sorted((EXAMPLES / "claims").glob("plot_*.py"))
SCRIPTS = sorted(EXAMPLES.glob("plot_*.py"))  # those of the lectures run in tests/lectures


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


def disagreements(text: str, found: list[float]) -> list[str]:
    """Report where the numbers of a text are not those of a run."""
    quoted = quoted_numbers(text)
    if len(quoted) != len(found):
        return [f"the text quotes {[q.words for q in quoted]}, the run gives {list(found)}"]
    pairs = zip(quoted, found, strict=True)
    return [f"{q.words} should be {number:.5g}" for q, number in pairs if not q.agrees(number)]


@pytest.mark.parametrize("script", CLAIMS, ids=lambda script: script.stem)
def test_claim_draws_a_picture_and_its_text_quotes_the_run(script, monkeypatch):
    """Issue 18, item A.21: two claims did not run in their folder, four quoted other numbers.

    They run in this process: thirty interpreters would take longer to start than the claims to run.
    """
    monkeypatch.chdir(script.parent)
    run_of = runpy.run_path(script.name, run_name="__main__")
    assert pyplot.get_fignums()
    assert disagreements(run_of["__doc__"], run_of.get("quoted", [])) == []


@pytest.mark.parametrize("script", [s for s in CLAIMS if "sys.argv" in s.read_text()])
def test_claim_finds_its_table_from_any_folder(script, tmp_path):
    finished = run(script, tmp_path)
    assert finished.returncode == 0, finished.stderr


def test_numbers_in_messages_are_distinguished_from_other_digits():
    text = "10-fold, 3/8 of 8 rows: 0.17 against 0.2 on 1,500 rows, 12 % (p = 0.1), 7 %."
    assert [quoted.words for quoted in quoted_numbers(text)] == [
        "0.17",
        "0.2",
        "1,500",
        "12%",
        "0.1",
        "7%",
    ]
    assert disagreements("0.17 and 12 %", [0.1749, 0.1151]) == []
    assert disagreements("0.17 and 12 %", [0.182, 0.12]) == ["0.17 should be 0.182"]
    assert disagreements("0.17", []) == ["the text quotes ['0.17'], the run gives []"]


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
