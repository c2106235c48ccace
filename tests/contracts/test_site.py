"""The pages that a newcomer of the site reads, beyond what `test_documents` checks on all pages.

Issue 20, items 3 and 4: the front page was a bare list, there were no recipes for common tasks and
no glossary, and formulas needed a network.
"""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def sections(page: str) -> dict[str, str]:
    """The text of each section of a page, under its title."""
    text = (DOCS / page).read_text(encoding="utf-8")
    parts = re.split(r"^(?=[^\n]+\n-{3,}\n)", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part for part in parts}


TASKS = sections("howto.rst")


@pytest.mark.parametrize("task", TASKS)
def test_code_of_each_task_runs_on_its_own(task, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    code = doctest.DocTestParser().get_doctest(TASKS[task], {}, task, "howto.rst", 0)
    n_lines = sum(example.source.count("\n") for example in code.examples)
    assert 3 <= n_lines <= 12
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(code).failed == 0


def test_the_common_tasks_have_recipes():
    expected = "imbalanced categorical missing early groups time save faster reproducible memory "
    expected += "scikit-learn xgboost loss metric calibrated abstain importances out-of-bag stack "
    expected += "threads quantiles monotone outputs"
    titles = " ".join(TASKS).lower()
    assert [word for word in expected.split() if word not in titles] == []


def glossary_terms() -> list[str]:
    text = (DOCS / "glossary.rst").read_text(encoding="utf-8").replace("\\_", "_")
    return re.findall(r"^   (?! |:)(.+)$", text, flags=re.MULTILINE)


def test_the_words_of_the_library_and_their_synonyms_are_defined():
    own = ["ledger", "plan", "support", "member", "combine", "decide", "abstain", "silence"]
    own += ["draw rule", "round_log_", "class code"]
    field = ["one-vs-all", "stacked generalisation", "uniform blending", "pasting", "subagging"]
    field += ["random patches", "mixture of experts", "super learner", "committee", "arcing"]
    field += ["reject option", "GOSS", "DART", "real AdaBoost", "ECOC", "quorum", "stump"]
    assert sorted({*own, *field} - set(glossary_terms())) == []


def test_no_term_is_defined_twice():
    terms = [term.lower() for term in glossary_terms()]
    assert sorted({term for term in terms if terms.count(term) > 1}) == []


def benchmark_rows() -> list[dict[str, str]]:
    """The rows of all tables of the benchmarks, with section and task (a blank cell repeats it)."""
    rows, header, section, title, task = [], [], "", "", ""
    for line in (DOCS / "benchmarks.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("<!-- begin"):
            section = line.removeprefix("<!-- begin ").removesuffix(" -->")
        if re.fullmatch(r"\*\*.*\*\*", line):
            title = line.strip("*")
        cells = [cell.strip() for cell in line.strip("|").split("|")] if "|" in line else []
        if not cells or not header:
            header, task = cells, ""
        elif not line.startswith("| ---"):
            task = cells[0] or task
            named = dict(zip(header[::-1], cells[::-1], strict=True))  # the first of equal names
            named |= {"section": section, "task": title if header[0] == "by" else task}
            rows.append(named)
    return rows


# A task of the front page: section and task in the benchmarks, and the column with the ratio.
QUOTED = {
    "gradient boosting, 100,000 rows": (
        "bench_boosting, medium",
        "two classes, 100,000 x 28",
        "times nonet's",
    ),
    "gradient boosting, 1,000,000 rows": (
        "bench_boosting, large",
        "two classes, 1,000,000 x 28",
        "times nonet's",
    ),
    "random forest, 100,000 rows": ("forest", "2 classes, 100,000 rows, full", "times ours"),
    "extra trees, 100,000 rows": (
        "forest",
        "extra trees, 2 classes, 100,000 rows, full",
        "times ours",
    ),
    "hard voting, 100 members, 1,000,000 rows": (
        "bench_combine",
        "plurality of labels",
        "times nonet's wall",
    ),
}
NOT_LIBRARIES = ("nonet", "scikit-learn", "NumPy")


def quoted_rows() -> dict[str, list[str]]:
    text = (DOCS / "index.rst").read_text(encoding="utf-8")
    table = text[text.index("list-table") :].partition("\n\n\n")[0]
    rows = re.findall(r"^   \* - (.*)\n     - (.*)\n     -(.*)$", table, flags=re.MULTILINE)
    return {task: [sklearn, other.strip()] for task, sklearn, other in rows}


@pytest.mark.parametrize("task", QUOTED)
def test_front_page_quotes_the_benchmarks(task):
    section, name, column = QUOTED[task]
    rows = [row for row in benchmark_rows() if (row["section"], row["task"]) == (section, name)]
    ratios = {row["by"]: row[column] for row in rows if column in row}
    sklearn = next(ratio for by, ratio in ratios.items() if by.startswith("scikit-learn"))
    others = {by: ratio for by, ratio in ratios.items() if not by.startswith(NOT_LIBRARIES)}
    fastest = min(others, key=lambda by: float(others[by]))
    assert quoted_rows()[task] == [
        sklearn,
        f"{others[fastest]} ({re.sub(r' .time.*', '', fastest)})",
    ]


def test_front_page_quotes_the_ratio_of_adaboost():
    position = ("adaboost", "100,000 rows, depth 1")
    (row,) = [row for row in benchmark_rows() if (row["section"], row["task"]) == position]
    assert quoted_rows()["AdaBoost of stumps, 100,000 rows"] == [row["ratio, 2 threads"], ""]
    assert len(quoted_rows()) == len(QUOTED) + 2  # with the header: no ratio is unchecked


def test_formulas_are_written_without_a_network(tmp_path):
    (tmp_path / "index.rst").write_text("Page\n====\n\n.. math:: \\frac{a}{b} = :math:\n")
    settings = [
        "-D",
        "extensions=sphinx.ext.autodoc,mathml",
        "-D",
        "html_theme=basic",
        "-D",
        "templates_path=",
    ]
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-c", str(DOCS)]
    subprocess.run([*command, *settings, str(tmp_path), str(tmp_path / "built")], check=True)
    page = (tmp_path / "built" / "index.html").read_text()
    assert "<mfrac>" in page
    assert re.findall(r"<(?:script|link|img)[^>]*https?://[^>]*>", page) == []
