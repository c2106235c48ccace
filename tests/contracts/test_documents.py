"""The pages people read first: their code runs, their links lead somewhere."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from contracts import public

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDE = sorted((DOCS / "guide").glob("*.rst"))
FIRST_STEPS = [
    DOCS / f"{name}.rst"
    for name in ("index", "install", "getting_started", "howto", "lectures/index")
]
PAGES = [*GUIDE, *FIRST_STEPS, DOCS / "glossary.rst"]
MARKDOWN = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [*GUIDE, *FIRST_STEPS], ids=shown)
def test_code_of_the_guide_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finished = doctest.testfile(str(page), module_relative=False, optionflags=OPTIONS)
    assert finished.failed == 0
    assert finished.attempted > 0, f"{shown(page)} shows no code"


def test_code_of_the_readme_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize(
    "page", [page for page in MARKDOWN if "_build" not in page.parts], ids=shown
)
def test_links_between_pages_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_references_lead_to_public_names(page):
    targets = re.findall(r":(?:class|func):`~?([\w.]+)`", page.read_text(encoding="utf-8"))
    assert sorted(set(targets) - public_paths()) == []


def public_paths() -> set[str]:
    """Every path under which the API page lists a class or a function."""
    paths, module = set(), ""
    for line in (DOCS / "api" / "index.rst").read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            module = line.split()[-1]
        elif re.fullmatch(r"   \w+", line):
            paths.add(f"{module}.{line.strip()}")
    return paths


@pytest.mark.parametrize("page", ["README.md", "docs/index.rst", "docs/guide/formula.rst"])
def test_known_limits_are_linked_from_the_pages_read_first(page):
    assert "known_limits" in (ROOT / page).read_text(encoding="utf-8")


def test_every_guide_page_is_in_the_table_of_contents():
    listed = re.findall(r"^ +guide/(\w+)$", (ROOT / "docs" / "index.rst").read_text(), re.MULTILINE)
    assert sorted(listed) == [page.stem for page in GUIDE]


def test_every_decision_is_listed_once():
    folder = ROOT / "docs" / "decisions"
    pages = sorted(page.name for page in folder.glob("[0-9]*.md"))
    listed = re.findall(r"\]\((\d{4}-[a-z0-9-]+\.md)\)", (folder / "README.md").read_text())
    assert listed == pages
    assert [page[:4] for page in pages] == [f"{i:04}" for i in range(1, len(pages) + 1)]


def listed_things(page: Path) -> list[object]:
    """What the autosummary lists of a page name, each resolved in its current module."""
    things, module = [], None
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            module = import_module(line.split()[-1])
        elif re.fullmatch(r"   \w+", line):
            things.append(getattr(module, line.strip()))
    return things


def test_api_page_lists_every_public_name_once():
    listed = [id(thing) for thing in listed_things(ROOT / "docs" / "api" / "index.rst")]
    assert len(listed) == len(set(listed))
    known = [*public.everything().values(), *public.members_of(public.DASK).values()]
    assert set(listed) == {id(thing) for thing in known}


def table_rows(page: Path) -> list[list[str]]:
    lines = page.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]


def measured_ratios() -> dict[str, set[str]]:
    """The last column of the benchmark tables, for each rule; a blank cell repeats the rule."""
    ratios: dict[str, set[str]] = {}
    rule = ""
    for row in table_rows(ROOT / "docs" / "benchmarks.md"):
        rule = row[0] or rule
        ratios.setdefault(rule, set()).add(row[-1])
    return ratios


def test_speeds_in_the_readme_are_those_of_the_benchmarks():
    measured = measured_ratios()
    quoted = [row for row in table_rows(ROOT / "README.md") if row[0] in measured and len(row) == 4]
    claims = [(row[0], cell) for row in quoted for cell in row[1:] if re.fullmatch(r"[\d.]+", cell)]
    assert len(claims) >= 10
    assert [claim for claim in claims if claim[1] not in measured[claim[0]]] == []
