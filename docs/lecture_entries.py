"""Read the data of the chapter "From the lectures": entries, errata, comparisons and numbers.

An entry has an ``id`` (letter and number; figures and quizzes carry their document), a ``kind``, a
``name`` in our words, and ``where`` it stands ("document section"). ``api`` lists what computes it
("nonet.name" or "nonet.name(parameter)"), ``scripts`` the scripts under ``examples/``, ``facts``
the numbers in ``tests/lectures/facts.json`` that these print. ``pending`` marks what nonet cannot
do yet: the ``item`` in words, and a ``pattern`` that its public name would match.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

CHAPTER = Path(__file__).parent / "lectures"
FACTS = Path(__file__).parents[1] / "tests" / "lectures" / "facts.json"
KINDS = ("term", "formula", "table", "figure", "quiz", "exercise", "claim")


def data_files() -> list[Path]:
    """List the files that the pages of the chapter are made of."""
    return [*sorted(CHAPTER.rglob("*.toml")), FACTS]


def read(name: str) -> dict[str, Any]:
    """Read one file of the chapter."""
    return tomllib.loads((CHAPTER / name).read_text(encoding="utf-8"))


def read_facts() -> dict[str, Any]:
    """Read what each fact should be: ``expected``, ``tolerance`` and ``status``."""
    return json.loads(FACTS.read_text(encoding="utf-8"))


@cache
def read_entries() -> list[dict[str, Any]]:
    """Read all entries, in the order of the files and within them."""
    files = sorted((CHAPTER / "entries").glob("*.toml"))
    return [entry for file in files for entry in read(f"entries/{file.name}")["entry"]]


@cache
def read_errata() -> list[dict[str, Any]]:
    """Read the errata, with the recomputed numbers filled in."""
    numbers = quotable_numbers()
    return [
        erratum | {key: fill_in(erratum[key], numbers) for key in ("correct", "student")}
        for erratum in read("errata.toml")["erratum"]
    ]


def read_comparisons() -> list[dict[str, Any]]:
    """Read the lists of comparisons, with the measured numbers filled in."""
    numbers = quotable_numbers()
    return [
        comparison
        | {"rows": [[fill_in(cell, numbers) for cell in row] for row in comparison["rows"]]}
        for comparison in read("comparisons.toml")["list"]
    ]


def quotable_numbers() -> dict[str, Any]:
    """Return the numbers that errata and comparisons may quote: facts and measured values."""
    facts = {name: by_number(fact["expected"]) for name, fact in read_facts().items()}
    return facts | read("comparisons.toml")["measured"]


def by_number(expected: Any) -> Any:
    """Turn keys that are numbers into integers, as ``{fact[10]}`` looks them up."""
    if not isinstance(expected, dict):
        return expected
    return {int(key) if key.isdigit() else key: value for key, value in expected.items()}


def fill_in(text: str, numbers: dict[str, Any]) -> str:
    """Replace ``{fact[key]:.3f}`` by the number."""
    return text.format_map(numbers)


def entries_of(document: str, section: str) -> Iterator[dict[str, Any]]:
    """Yield the entries of a section, terms and formulas first."""
    position = f"{document} {section}"
    entries = sorted(read_entries(), key=lambda entry: KINDS.index(entry["kind"]))
    yield from (entry for entry in entries if position in entry["where"])


def errata_of(document: str, section: str) -> Iterator[dict[str, Any]]:
    """Yield the errata of a section."""
    position = f"{document} {section}"
    yield from (erratum for erratum in read_errata() if erratum["where"] == position)
