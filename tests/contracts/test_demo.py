"""`make demo`: the commands of its recipe work, on the tables that are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from nonet.cli.main import main

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
BUNDLED = ["penguins.csv", "penguins_unsexed.csv"]


def demo_commands(folder):
    """Return the words of each `nonet` command of the recipe, with its results in a folder."""
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.MULTILINE)[1]
    written = re.findall(r"^\t\$\(BIN\)/nonet (.*)$", recipe, flags=re.MULTILINE)
    return [shlex.split(line.replace("$(DEMO)", str(folder))) for line in written]


def test_demo_takes_a_table_to_predictions_and_a_report(tmp_path, monkeypatch, capfd):
    pytest.importorskip("jinja2")
    monkeypatch.chdir(ROOT)
    fit, predict, report = demo_commands(tmp_path)
    fit[fit.index("--max-tasks") + 1] = "8"
    assert main(fit) == 0
    capfd.readouterr()
    assert main(predict) == 0
    assert len(capfd.readouterr().out.splitlines()) == 12  # a header and the 11 penguins
    assert main(report) == 0
    page = Path(capfd.readouterr().out.strip())
    assert page.parent == tmp_path / "penguins.run"
    assert "<h1" in page.read_text(encoding="utf-8")


def test_demo_is_installed_with_what_its_commands_need():
    rule = re.search(r"^\$\(VENV\)/\.demo:.*\n((?:\t.*\n)+)", MAKEFILE, flags=re.MULTILINE)[1]
    assert '".[app]"' in rule


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_tables_name_their_source(name):
    assert (ROOT / "examples/data" / name).exists()
    sources = (ROOT / "examples/data/SOURCES.md").read_text(encoding="utf-8")
    assert f"| `{name}` |" in sources
    assert "CC0" in sources


def test_unsexed_penguins_are_the_rows_without_a_sex():
    first, second = (
        (ROOT / "examples/data" / name).read_text(encoding="utf-8").splitlines() for name in BUNDLED
    )
    assert [row.removesuffix(",") for row in first if row.endswith(",")] == second[1:]
    assert first[0] == second[0] + ",sex"
