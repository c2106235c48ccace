"""A Sphinx directive that writes the tables of the chapter "From the lectures" from its data.

``.. lecture-table:: document itmo`` (or ``kind figure``, ``errata``, ``comparisons``).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from lecture_entries import (
    data_files,
    entries_of,
    errata_of,
    read,
    read_comparisons,
    read_entries,
    read_errata,
    read_facts,
)
from sphinx.util.docutils import SphinxDirective

MOST_NUMBERS = 5


def list_table(header: list[str], widths: str, rows: Iterable[list[str]]) -> str:
    """Write a table in reStructuredText; a cell may have several lines."""
    options = ["   :class: lecture", "   :header-rows: 1", f"   :widths: {widths}"]
    lines = [".. list-table::", *options, ""]
    for row in [header, *rows]:
        for number, cell in enumerate(row):
            start = "   * - " if number == 0 else "     - "
            lines.append(start + cell.replace("\n", "\n       "))
    return "\n".join([*lines, "", ""])


def api_link(path: str) -> str:
    """Link to a public name; a parameter is shown after it, other libraries as code."""
    name, _, parameter = path.partition("(")
    if not name.startswith("nonet."):
        return f"``{name}``"
    shown = f" (``{parameter[:-1]}``)" if parameter else ""
    return f":py:obj:`~{name}`{shown}"


def script_link(script: str) -> str:
    """Link to the gallery page of a script."""
    return f":doc:`{script.rpartition('/')[2]} </gallery/{script}>`"


def stack(lines: Iterable[str]) -> str:
    """Put each line on a line of its own within a cell."""
    return "\n".join(f"| {line}" for line in lines)


def show_number(value: Any) -> str:
    """Write a number with five digits, a count in full."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.5g}"


def show_values(values: list[Any]) -> str:
    """Write the first of some numbers."""
    shown = [show_number(value) for value in values[:MOST_NUMBERS]]
    return ", ".join(shown + ["..."] * (len(values) > MOST_NUMBERS))


def show_fact(name: str, fact: dict[str, Any]) -> str:
    """Write a fact with the first numbers of its parts."""
    expected = fact["expected"]
    if not isinstance(expected, dict):
        expected = {"": expected}
    parts = [
        f"{key}: {show_values(value if isinstance(value, list) else [value])}".removeprefix(": ")
        for key, value in expected.items()
    ]
    dots = ["..."] * (len(parts) > MOST_NUMBERS)
    return f"``{name}``: {'; '.join(parts[:MOST_NUMBERS] + dots)}"


def entry_row(entry: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    """Write the row of an entry: what it is, what computes it, script and numbers."""
    notes = [entry["note"]] if "note" in entry else []
    if "pending" in entry:
        notes.append(f"Not yet in nonet: {entry['pending']['item']}.".replace("`", "``"))
    what = " ".join([f"**{entry['name']}** ({entry['kind']}, {entry['id']}).", *notes])
    scripts = [script_link(script) for script in entry.get("scripts", [])]
    numbers = [show_fact(name, facts[name]) for name in entry.get("facts", [])]
    return [what, stack(map(api_link, entry.get("api", []))), stack(scripts + numbers)]


def entry_table(entries: Iterable[dict[str, Any]]) -> str:
    """Write a table of entries."""
    facts = read_facts()
    header = ["what", "computed by", "scripts, and numbers they print"]
    return list_table(header, "36 27 37", [entry_row(entry, facts) for entry in entries])


def errata_table(errata: Iterable[dict[str, Any]]) -> str:
    """Write a table of errata."""
    documents = read("documents.toml")
    rows = []
    for erratum in errata:
        document, _, section = erratum["where"].partition(" ")
        source = f"**{erratum['id']}**. {documents[document]['title']}, {section}"
        scripts = ", ".join(script_link(script) for script in erratum["scripts"])
        correct = f"{erratum['correct']} ({scripts})"
        rows.append([source, erratum["printed"], correct, erratum["student"]])
    header = ["where", "printed", "correct", "for the student"]
    return list_table(header, "16 21 30 33", rows)


def document_page(key: str) -> str:
    """Write the sections of a document, with their entries and errata."""
    parts = []
    for number, title in read("documents.toml")[key]["sections"]:
        heading = f"{number}  {title}"
        parts.append(f"{heading}\n{'-' * len(heading)}\n\n{entry_table(entries_of(key, number))}")
        errata = [f":doc:`{erratum['id']} <errata>`" for erratum in errata_of(key, number)]
        if errata:
            parts.append(f"Errata: {', '.join(errata)}.\n")
    return "\n".join(parts)


def kind_page(kind: str) -> str:
    """Write all entries of a kind, document by document."""
    parts = []
    for key, document in read("documents.toml").items():
        of_document = [
            e for e in read_entries() if e["kind"] == kind and e["where"][0].startswith(key)
        ]
        if of_document:
            title = document["title"]
            parts.append(f"{title}\n{'-' * len(title)}\n\n{entry_table(of_document)}")
    return "\n".join(parts)


def comparison_page() -> str:
    """Write the lists of comparisons, each row with its evidence."""
    documents, parts = read("documents.toml"), []
    for comparison in read_comparisons():
        title, (document, _, section) = comparison["title"], comparison["where"].partition(" ")
        source = f"{documents[document]['title']}, section {section}."
        table = list_table(["as taught", "measured", "verdict"], "34 46 20", comparison["rows"])
        parts.append(f"{title}\n{'-' * len(title)}\n\n{source}\n\n{table}")
    return "\n".join(parts)


def page(subject: str, argument: str = "") -> str:
    """Write what the directive stands for, in reStructuredText."""
    if subject == "document":
        return document_page(argument)
    if subject == "kind":
        return kind_page(argument)
    if subject == "errata":
        return errata_table(read_errata())
    if subject == "comparisons":
        return comparison_page()
    raise ValueError(
        f"lecture-table knows document, kind, errata and comparisons, not {subject!r}."
    )


class LectureTable(SphinxDirective):
    """The directive ``lecture-table``."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Parse the written page where the directive stands."""
        for file in data_files():
            self.env.note_dependency(str(file))
        return self.parse_text_to_nodes(page(*self.arguments), allow_section_headings=True)


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("lecture-table", LectureTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
