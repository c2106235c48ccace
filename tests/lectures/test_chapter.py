"""The chapter "From the lectures": its scripts print the right numbers, and its names exist.

Every subject of five courses leads to what computes it and to a script.
"""

from __future__ import annotations

import inspect
import re
import runpy
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from matplotlib import pyplot

from contracts.quoted_numbers import quoted_numbers
from contracts.test_documents import public_paths

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
chapter = import_module("lecture_entries")
tables = import_module("lecture_tables")

ENTRIES, ERRATA, FACTS = chapter.read_entries(), chapter.read_errata(), chapter.read_facts()
DOCUMENTS = chapter.read("documents.toml")
MEASURED = chapter.read("comparisons.toml")["measured"]
SCRIPTS = sorted((ROOT / "examples" / "lectures").glob("*.py"))
PAGES = sorted((ROOT / "docs" / "lectures").glob("*.rst"))

# The inventory of the five documents: subjects by part, figures and quizzes by document.
INVENTORY = {
    *(f"A{i}" for i in range(1, 26)),  # resampling
    *(f"B{i}" for i in range(16)),  # combination rules
    *(f"C{i}" for i in range(1, 8)),  # decision rules
    *(f"D{i}" for i in range(1, 11)),  # blending
    *(f"E{i}" for i in range(1, 11)),  # stacking and meta-learning
    *(f"F{i}" for i in range(1, 15)),  # bagging, subspaces, forests
    *(f"G{i}" for i in range(1, 21)),  # boosting
    *(f"H{i}" for i in range(1, 6)),  # gradient boosting
    *(f"I{i}" for i in range(1, 6)),  # many classes
    *(f"J{i}" for i in range(1, 12)),  # diagnostics
    *(f"K{i}" for i in range(1, 16)),  # theory
    *(f"L{i}" for i in range(1, 5)),  # ensembles without labels
    *(f"M{i}" for i in range(1, 6)),  # iterated decisions and views
    *(f"N{i}" for i in range(1, 10)),  # base learners
    *(f"O-itmo-{i}" for i in range(1, 18)),
    *(f"O-raschka-{i}" for i in range(1, 7)),
    *(f"O-uestc-{i}" for i in range(1, 18)),
    *(f"O-saitta-{i}" for i in range(1, 13)),
    *(f"O-kitov-{i}" for i in range(1, 6)),
    *(f"P-uestc-{i}" for i in range(1, 12)),
    *(f"P-kitov-{i}" for i in range(1, 4)),
    *(f"S{i}" for i in range(1, 31)),  # claims
}
# Subjects that wait for a part of nonet. An entry whose part exists has to be completed.
PENDING: list[str] = []
# A picture without data: no script can show it.
WITHOUT_SCRIPT = {"O-itmo-1"}


def flatten(value: object) -> list[float]:
    """List the numbers of a fact, in their order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in flatten(item)]
    return [float(value)]


def read_number(word: str) -> float:
    return {"True": 1.0, "False": 0.0}[word] if word in ("True", "False") else float(word)


def printed_values(output: str) -> dict[str, list[float]]:
    """Read lines of a name ("fact" or "name.key") and its values; other lines are prose."""
    lines = [line.split() for line in output.splitlines() if line.strip()]
    keys = {f"{name}.{key}" for name, values in MEASURED.items() for key in values}
    return {
        words[0]: [read_number(word) for word in words[1:]]
        for words in lines
        if words[0].partition(".")[0] in FACTS or words[0] in keys
    }


def expected_values(name: str) -> list[float]:
    """Return what a line with this name should print."""
    fact, _, key = name.partition(".")
    expected = FACTS[fact]["expected"]
    return flatten(expected[key] if key else expected)


def agrees(name: str, values: list[float]) -> bool:
    """Return whether printed values are within the tolerance; expected ones have ten digits."""
    fact = FACTS[name.partition(".")[0]]
    is_count = isinstance(fact["expected"], int)
    tolerance = fact["tolerance"] if is_count else max(fact["tolerance"], 5e-10)
    expected = expected_values(name)
    pairs = zip(values, expected, strict=False)
    return len(values) == len(expected) and all(abs(v - e) <= tolerance for v, e in pairs)


def names_of(fact: str) -> set[str]:
    """Return the names under which a fact may be printed in parts."""
    expected = FACTS[fact]["expected"]
    return {f"{fact}.{key}" for key in expected} if isinstance(expected, dict) else {fact}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_prints_its_facts_against_lecture(script, tmp_path, monkeypatch, capsys):
    """It runs in any folder; a figure script draws, and its text quotes the numbers of the run."""
    monkeypatch.chdir(tmp_path)
    run = runpy.run_path(str(script), run_name="__main__")
    printed = printed_values(capsys.readouterr().out)
    of_facts = {name: v for name, v in printed.items() if name.partition(".")[0] in FACTS}
    assert [name for name, values in of_facts.items() if not agrees(name, values)] == []
    own = [name for name, fact in FACTS.items() if fact["script"] == f"lectures/{script.stem}"]
    assert [
        fact for fact in own if not ({fact} <= set(printed) or names_of(fact) <= set(printed))
    ] == []
    if script.stem.startswith("plot_"):
        quoted, found = quoted_numbers(run["__doc__"]), run.get("quoted", ())
        assert pyplot.get_fignums()
        assert len(quoted) == len(found)
        assert all(q.agrees(number) for q, number in zip(quoted, found, strict=True))
    if script.stem == "compare_methods":
        check_measured({name: v for name, v in printed.items() if name not in of_facts})


def check_measured(printed: dict[str, list[float]]) -> None:
    """The numbers that the lists of comparisons quote are those of the run, rounded."""
    recorded = {
        f"{name}.{key}": v for name, values in MEASURED.items() for key, v in values.items()
    }
    assert printed.keys() == recorded.keys()
    for name, value in recorded.items():
        n_digits = 2 if name.endswith(("bias", "variance")) else 4
        assert round(printed[name][0], n_digits) == value, name


def test_every_fact_is_printed_by_a_script_of_its_entries():
    without = [name for name, fact in FACTS.items() if fact["script"] is None]
    assert without == ["ada_star_table"]  # its data are not published
    quoted = {fact for entry in [*ENTRIES, *ERRATA] for fact in entry.get("facts", [])}
    assert sorted(set(FACTS) - quoted) == without
    missing = [
        (entry["id"], fact)
        for entry in [*ENTRIES, *ERRATA]
        for fact in entry.get("facts", [])
        if FACTS[fact]["script"] not in entry["scripts"]
    ]
    assert missing == []


def test_every_subject_of_the_inventory_has_one_entry():
    ids = [entry["id"] for entry in ENTRIES]
    assert len(ids) == len(set(ids))
    assert set(ids) == INVENTORY


def test_every_erratum_is_explained():
    assert [erratum["id"] for erratum in ERRATA] == [f"R{i}" for i in range(1, 37)]
    for erratum in ERRATA:
        assert {"where", "printed", "correct", "student", "scripts"} <= erratum.keys()
        assert len(erratum["student"].split()) >= 5


def test_every_section_of_a_document_has_entries():
    sections = [f"{key} {number}" for key, d in DOCUMENTS.items() for number, _ in d["sections"]]
    named = {where for entry in ENTRIES for where in entry["where"]}
    assert sorted(named - set(sections)) == []
    assert sorted(set(sections) - named) == []
    assert {erratum["where"] for erratum in ERRATA} <= set(sections)


def test_entries_are_complete():
    for entry in ENTRIES:
        assert entry["kind"] in chapter.KINDS
        assert entry.keys() <= {
            *("id", "kind", "name", "where", "api", "scripts", "facts", "note", "pending")
        }
        is_shown = bool(entry.get("scripts"))
        assert is_shown != (entry["id"] in WITHOUT_SCRIPT), entry["id"]
        computes = entry.get("api") or entry["kind"] in ("figure", "claim") or "pending" in entry
        assert computes, entry["id"]


def test_every_script_exists_and_every_script_of_the_lectures_is_used():
    used = {script for entry in [*ENTRIES, *ERRATA] for script in entry.get("scripts", [])}
    missing = [name for name in used if not (ROOT / "examples" / f"{name}.py").exists()]
    assert missing == []
    assert {f"lectures/{script.stem}" for script in SCRIPTS} - used == set()


def test_scripts_of_an_entry_use_a_name_of_the_entry():
    unused = []
    for entry in ENTRIES:
        names = {path.partition("(")[0].rpartition(".")[2] for path in entry.get("api", [])}
        scripts = [ROOT / "examples" / f"{name}.py" for name in entry.get("scripts", [])]
        words = {w for script in scripts for w in re.findall(r"\w+", script.read_text("utf-8"))}
        if names and scripts and not names & words:
            unused.append(entry["id"])
    assert unused == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_opens_with_a_title(script):
    title, rule = script.read_text(encoding="utf-8").split('"""')[1].strip().splitlines()[:2]
    assert rule == "=" * len(title)


def resolve(path: str) -> object:
    """Return what a dotted path names; raise AttributeError if it names nothing."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def named_paths() -> Iterator[str]:
    """Yield all names that the chapter mentions, in entries, notes and pages."""
    yield from (path for entry in ENTRIES for path in entry.get("api", []))
    prose = [str(entry.get("note", "")) for entry in ENTRIES]
    prose += [page.read_text(encoding="utf-8") for page in PAGES]
    yield from re.findall(r":(?:class|func|py:obj|obj):`~?([\w.]+)`", "\n".join(prose))


def test_every_name_that_the_chapter_mentions_exists():
    listed = public_paths()
    for path in named_paths():
        name, _, parameter = path.partition("(")
        thing = resolve(name)
        assert name in listed or not name.startswith("nonet."), f"{name} is not on the API page"
        if parameter:
            assert parameter.rstrip(")") in inspect.signature(thing).parameters, path


def public_surface() -> Iterator[str]:
    """Yield public names with their attributes, parameters and docstrings, one string each."""
    for path in sorted(public_paths()):
        thing = resolve(path)
        yield from described(path, thing)
        if inspect.isclass(thing):
            fields = getattr(thing, "__dataclass_fields__", {})
            for name in {*fields, *(a for a in dir(thing) if not a.startswith("_"))}:
                yield from described(f"{path}.{name}", getattr(thing, name, None))


def described(path: str, thing: object) -> Iterator[str]:
    """Yield a path, the path with each parameter, and the docstring."""
    yield path
    is_exception = inspect.isclass(thing) and issubclass(thing, BaseException)
    if inspect.isfunction(thing) or (inspect.isclass(thing) and not is_exception):
        yield from (f"{path}({name})" for name in inspect.signature(thing).parameters)
        yield f"doc:{path}:{' '.join((thing.__doc__ or '').split())}"


def test_pending_entries_wait_for_parts_that_do_not_exist():
    """A part that was added meanwhile belongs into its entry: fill it in, and take it off here."""
    pending = {entry["id"]: entry["pending"] for entry in ENTRIES if "pending" in entry}
    assert sorted(pending) == sorted(PENDING)
    surface = list(public_surface())
    found = {
        key: match
        for key, part in pending.items()
        for match in surface
        if re.search(part["pattern"], match)
    }
    assert found == {}


def test_pages_show_every_entry_and_erratum():
    pages = "".join(tables.page("document", key) for key in DOCUMENTS)
    for entry in ENTRIES:
        assert f", {entry['id']})" in pages, entry["id"]
    assert [e["id"] for e in ERRATA if f"* - **{e['id']}**" not in tables.page("errata")] == []
    for kind in ("figure", "quiz", "exercise"):
        shown = tables.page("kind", kind)
        assert [
            e["id"] for e in ENTRIES if e["kind"] == kind and f", {e['id']})" not in shown
        ] == []
    assert "{" not in tables.page("comparisons") + tables.page("errata")


def test_tables_refuse_other_subjects():
    with pytest.raises(ValueError, match="lecture-table knows document, kind"):
        tables.page("chapter")


def test_chapter_is_in_the_table_of_contents():
    front = (ROOT / "docs" / "index.rst").read_text(encoding="utf-8")
    listed = re.findall(r"^ +lectures/(\w+)$", front, re.MULTILINE)
    assert sorted(listed) == [page.stem for page in PAGES]
