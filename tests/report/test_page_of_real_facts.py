"""Pages of real reports: what `make_report` collects is what the page reads."""

from __future__ import annotations

import json

import pytest

from report.example_facts import SECTIONS, numbers_in
from report.facts_cases import MODELS, report_on, report_on_run
from report.page_tree import read_page


def _saved(report, folder):
    """Return the facts and the page that a report has written."""
    report.save(folder / "page.html", facts_path=folder / "facts.json")
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    return facts, (folder / "page.html").read_text(encoding="utf-8")


def _check(facts, page):
    sections = {s.attributes["id"]: s for s in read_page(page).find("section")}
    assert list(sections) == SECTIONS
    shown = {name: _numbers(section) for name, section in sections.items()}
    known = set(map(float, numbers_in(facts)))
    for name, section in sections.items():
        assert shown[name] <= known
        if name != "reproduction":  # whose settings may be None
            assert "None" not in section.words()
        if "missing" in facts[name]:
            assert facts[name]["missing"] in section.words()
    score = facts["result"]
    assert {score["score"], score["baseline"]["score"]} - {None} <= shown["result"]
    assert len(page.encode()) < 400_000


def _numbers(section):
    return {float(element.attributes["value"]) for element in section.find("data")}


@pytest.mark.parametrize("name", sorted(MODELS))
def test_page_of_a_model_shows_its_facts(name, tmp_path):
    _check(*_saved(report_on(name), tmp_path))


@pytest.mark.parametrize("target", ["churn", "price"])
def test_page_of_a_run_shows_its_facts(target, tmp_path):
    _check(*_saved(report_on_run(target), tmp_path))


def test_page_of_a_run_draws_every_part_of_an_ensemble(tmp_path):
    facts, page = _saved(report_on_run("churn"), tmp_path)
    ids = {e.attributes.get("id") for e in read_page(page).walk()}
    parts = {"parts", "decomposition", "correlation", "disagreement", "agreement", "margins"}
    drawn = {part for part in parts if "missing" not in facts["why"][part]}
    assert len(drawn) >= 4
    assert {f"figure-{part}-title" for part in drawn} <= ids
