"""The module that all benchmarks share: parts are printed and written as they come."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from argparse import Namespace
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
SCRIPTS = sorted(BENCHMARKS.glob("*.py"))


@pytest.fixture
def command_line(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delitem(sys.modules, "command_line", raising=False)
    import command_line

    return command_line


def test_write_keeps_the_parts_of_an_interrupted_run(command_line, tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- begin one -->\nold\n<!-- end one -->\nb\n")
    monkeypatch.setattr(command_line, "PAGE", page)

    def parts():
        yield "first"
        yield "second"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        command_line.publish("one", parts(), Namespace(write=True))
    assert page.read_text() == ("a\n<!-- begin one -->\nfirst\n\nsecond\n<!-- end one -->\nb\n")


def test_without_write_the_page_stays(command_line, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command_line, "PAGE", tmp_path / "none.md")
    command_line.publish("one", ["first"], Namespace(write=False))
    assert capsys.readouterr().out == "first\n\n"


def test_section_that_is_not_there_is_named(command_line, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="no section 'two'"):
        command_line.replace_section(page, "two", "text")
    assert page.read_text() == "nothing"


def test_every_published_section_is_on_the_page():
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    sections = set()
    for script in BENCHMARKS.glob("bench_*.py"):
        sections |= set(re.findall(r'publish\(\s*"([^"]+)"', script.read_text()))
    assert len(sections) > 15
    assert {name for name in sections if f"<!-- begin {name} -->" not in page} == set()


# ---- the extra -----------------------------------------------------------------------------------


def imported_modules(path):
    """Name the first part of all imports of a file, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


def as_distribution(requirement):
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


def promised():
    """Name the distributions of the `bench` extra and those that nonet itself needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *extras["bench"], *extras["peers"], *extras["export"]]
    assert "nonet[peers]" in extras["bench"]
    assert "nonet[export]" in extras["peers"]
    # scikit-learn needs threadpoolctl, which one script imports.
    return {as_distribution(text) for text in named} | {"nonet", "threadpoolctl"}


def test_bench_extra_holds_every_import_of_the_benchmarks():
    own = {path.stem for path in SCRIPTS}
    # The contestants of a race run in environments of their own, without nonet.
    own |= {"autogluon", "flaml", "supervised"}
    own.add("lleaves")  # takes part where it can be installed: its llvmlite is older than shap's
    modules = {name for path in SCRIPTS for name in imported_modules(path)}
    modules -= own | set(sys.stdlib_module_names)
    installed = packages_distributions()
    missing = {
        name
        for name in modules
        if not {as_distribution(found) for found in installed.get(name, [name])} & promised()
    }
    assert len(modules) > 10
    assert missing == set()
