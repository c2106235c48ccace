"""The committed stub is the one that the module gives, in the format of the repository."""

import subprocess
import sys
from pathlib import Path

import nonet

COMMITTED = Path(nonet.__file__).with_name("_core.pyi")
SETTINGS = Path(__file__).parents[2] / "pyproject.toml"


def test_stub_is_up_to_date(tmp_path):
    fresh = tmp_path / "_core.pyi"
    python = [sys.executable, "-m"]
    subprocess.run(
        [*python, "nanobind.stubgen", "-q", "-m", "nonet._core", "-o", fresh], check=True
    )
    subprocess.run([*python, "ruff", "format", "-q", "--config", SETTINGS, fresh], check=True)
    assert COMMITTED.read_text() == fresh.read_text(), f"copy the fresh stub to {COMMITTED}"
