"""The page of a report: one file, in order, with headings, names and captions for everybody."""

from __future__ import annotations

import json
import re
import sys
from itertools import pairwise

import pytest

from nonet.report.page import LARGEST_PAGE, render_page
from report.example_facts import (
    EXAMPLES,
    SECTIONS,
    binary_facts,
    facts_with_missing_parts,
    missing_facts,
    regression_facts,
)
from report.page_tree import read_page

_WANTED_SIZE = 400_000
_ALWAYS_KNOWN = {"edges", "counts", "count", "grid", "positions", "by_prediction"}


@pytest.fixture(scope="module", params=sorted(EXAMPLES))
def page(request):
    return render_page(EXAMPLES[request.param]())


def test_page_is_one_file_that_loads_and_runs_nothing(page):
    tree = read_page(page)
    tags = {element.tag for element in tree.walk()}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form"}
    assert not re.findall(r"url\(|@import|https?://|javascript:", page)
    for element in tree.walk():
        assert not [name for name in element.attributes if name.startswith("on")]
        assert not {"src", "srcset"} & set(element.attributes)
        assert element.attributes.get("href", "#").startswith("#")


def test_page_is_small(page):
    assert len(page.encode()) < _WANTED_SIZE < LARGEST_PAGE


def test_page_has_all_sections_in_the_order_of_the_facts(page):
    tree = read_page(page)
    assert [section.attributes["id"] for section in tree.find("section")] == SECTIONS
    links = [a.attributes["href"] for nav in tree.find("nav") for a in nav.find("a")]
    assert links == [f"#{name}" for name in SECTIONS]


def test_page_has_one_first_heading_and_skips_no_level(page):
    levels = [int(e.tag[1]) for e in read_page(page).walk() if re.fullmatch("h[1-6]", e.tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_page_has_landmarks_a_language_and_a_link_that_skips(page):
    tree = read_page(page)
    assert tree.find("html")[0].attributes["lang"] == "en"
    assert all(len(tree.find(tag)) == 1 for tag in ("header", "nav", "main", "footer"))
    assert tree.find("head")[0].find("title")[0].text.strip()
    skip = next(a for a in tree.find("a") if a.attributes.get("class") == "skip")
    assert skip.attributes["href"] == f"#{tree.find('main')[0].attributes['id']}"


def test_page_ids_are_unique_and_references_find_them(page):
    elements = read_page(page).walk()
    ids = [e.attributes["id"] for e in elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    names = ("aria-labelledby", "aria-describedby", "for")
    referred = [i for e in elements for n in names for i in e.attributes.get(n, "").split()]
    referred += [e.attributes["href"][1:] for e in elements if "href" in e.attributes]
    assert set(referred) <= set(ids)


def test_page_pictures_have_a_title_and_a_description(page):
    pictures = read_page(page).find("svg")
    assert len(pictures) > 20
    for svg in pictures:
        assert svg.attributes["role"] == "img"
        if "aria-label" not in svg.attributes:
            title, description = svg.children[:2]
            assert (title.tag, description.tag) == ("title", "desc")
            assert title.text.strip()
            assert description.text.strip()


def test_page_figures_have_captions_that_name_their_rows(page):
    for figure in read_page(page).find("figure"):
        (caption,) = figure.find("figcaption")
        assert re.search(r"On .*1,200", caption.words()), caption.words()


def test_page_tables_have_heads_with_a_scope_and_scroll_by_themselves(page):
    tree = read_page(page)
    regions = [e for e in tree.find("div") if e.attributes.get("class") == "scroll"]
    assert len([t for region in regions for t in region.find("table")]) == len(tree.find("table"))
    for region in regions:
        assert region.attributes["tabindex"] == "0"
        assert region.attributes["aria-label"].strip()
    for head in tree.find("th"):
        assert head.attributes["scope"] in ("col", "row")
        assert head.words().strip()
    for table in tree.find("table"):
        widths = {len(line.find("th") + line.find("td")) for line in table.find("tr")}
        assert len(widths) == 1


def test_page_facts_that_are_missing_are_replaced_with_their_sentence():
    facts = missing_facts()
    sections = read_page(render_page(facts)).find("section")
    for section in sections:
        assert facts[section.attributes["id"]]["missing"] in section.words()


def test_page_parts_that_are_missing_are_replaced_with_their_sentence():
    facts = facts_with_missing_parts()
    words = read_page(render_page(facts)).words()
    del facts["errors"]["residuals"]  # which a classification does not have
    sentences = re.findall(r'"missing": "([^"]*)"', json.dumps(facts))
    assert len(sentences) > 15
    assert [sentence for sentence in sentences if sentence not in words] == []


@pytest.mark.parametrize(
    ("facts", "section", "part"),
    [
        (binary_facts(), "errors", "residuals"),
        (regression_facts(), "errors", "confusion"),
        (regression_facts(), "why", "margins"),
    ],
)
def test_page_is_silent_about_parts_that_only_the_other_task_has(facts, section, part):
    sentence = "This part is of the other task."
    facts[section][part] = {"missing": sentence}
    assert sentence not in read_page(render_page(facts)).words()


@pytest.mark.parametrize("has_costs", [False, True])
def test_leaderboard_has_a_column_of_costs_where_one_is_known(has_costs):
    facts = binary_facts()
    if not has_costs:
        for entry in facts["leaderboard"]["entries"]:
            entry["us_per_row"] = None
    heads = {head.words() for head in read_page(render_page(facts)).find("th")}
    assert ("per row" in heads) == has_costs


def test_command_has_no_line_end_inside_an_option():
    facts = binary_facts()
    facts["reproduction"]["command"] = "nonet fit a.csv --target b"
    words = [
        e
        for e in read_page(render_page(facts)).find("span")
        if "word" in e.attributes.get("class", "")
    ]
    assert [e.words() for e in words] == ["nonet", "fit", "a.csv", "--target", "b"]


def test_years_in_columns_have_no_comma():
    facts = regression_facts()
    column = {"name": "year", "kind": "number", "n_missing": 0, "missing_fraction": 0.0,
              "n_distinct": 3, "minimum": 2003.0, "maximum": 20090.0, "mean": 2006.0,
              "standard_deviation": 2.0, "quantiles": {"0.5": 2006.0},
              "histogram": None}  # fmt: skip
    facts["table"]["columns"] = [column]
    words = read_page(render_page(facts)).words()
    assert "2003" in words
    assert "2,003" not in words
    assert "20,090" in words


def test_page_without_any_facts_names_what_is_missing():
    words = read_page(render_page({"format": 1, "title": "Empty"})).words()
    assert words.count("The facts of this section are not in the report.") == len(SECTIONS)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
@pytest.mark.parametrize("section", SECTIONS)
def test_page_writes_numbers_that_are_not_known(name, section):
    facts = EXAMPLES[name]()
    facts[section] = _without_numbers(facts[section])
    (found,) = [s for s in read_page(render_page(facts)).find("section") if
                s.attributes["id"] == section]  # fmt: skip
    words = found.words()
    assert "None" not in words
    assert "nan" not in words
    if (
        section not in ("warnings", "leaderboard", "reproduction")
        and "missing" not in facts[section]
    ):
        assert "n/a" in words


def _without_numbers(value, key=""):
    """Return facts in which every measured number is null; rows, bins and grids are kept."""
    if key in _ALWAYS_KNOWN or key.startswith("n_"):
        return value
    if isinstance(value, dict):
        return {k: _without_numbers(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_numbers(item, key) for item in value]
    return None if isinstance(value, float) else value


def test_page_is_deterministic():
    assert render_page(binary_facts()) == render_page(binary_facts())


def test_page_changes_nothing_in_the_facts():
    facts = regression_facts()
    before = json.dumps(facts)
    render_page(facts)
    assert json.dumps(facts) == before


def test_page_reads_facts_that_went_through_json():
    facts = json.loads(json.dumps(binary_facts()))
    assert render_page(facts) == render_page(binary_facts())


def test_page_names_the_extra_without_jinja2(monkeypatch):
    monkeypatch.delitem(sys.modules, "nonet.report.page_template", raising=False)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"needs jinja2.*pip install nonet\[app\]"):
        render_page(binary_facts())
