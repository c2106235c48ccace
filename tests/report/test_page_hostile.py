"""Hostile names of columns, classes and members: escaped, on one line, shortened, kept in full."""

from __future__ import annotations

import html
import re

import pytest

from nonet._base.pictures.labels import clean, fit_width, shorten, text_width
from nonet.report.page import LARGEST_PAGE, render_page
from report.example_facts import (
    HOSTILE_NAMES,
    SCRIPT,
    binary_facts,
    hostile_facts,
)
from report.page_tree import read_page


@pytest.fixture(scope="module")
def page():
    return render_page(hostile_facts())


def test_hostile_names_add_no_element_and_no_attribute(page):
    def shapes(tree):
        return {(e.tag, name) for e in tree.walk() for name in ("", *e.attributes)}

    plain = shapes(read_page(render_page(binary_facts())))
    tooltips = {("bdi", "title"), ("span", "title")}
    assert shapes(read_page(page)) <= plain | tooltips


def test_hostile_markup_is_text(page):
    assert "<script" not in page.lower()
    assert html.escape(SCRIPT, quote=False)[:20] in page
    assert "{{ 7 * 7 }}" in html.unescape(page)  # not computed by the template


def test_hostile_names_are_there_in_full_as_tooltips(page):
    tree = read_page(page)
    tooltips = {e.attributes["title"] for e in tree.find("bdi") if "title" in e.attributes}
    long = next(name for name in HOSTILE_NAMES if len(name) == 10_000)
    assert any(long[:9_999] in tooltip for tooltip in tooltips)


def test_hostile_names_are_short_where_they_are_read(page):
    assert max(len(e.text) for e in read_page(page).find("bdi")) <= 120


def test_hostile_names_do_not_turn_or_break_lines(page):
    assert not re.findall("[\u202a-\u202e\u2066-\u2069\x00-\x08]", page)
    assert all("\n" not in e.text for e in read_page(page).find("bdi"))


def test_hostile_names_can_be_written_to_a_file(tmp_path):
    facts = binary_facts()
    facts["table"]["columns"][0]["name"] = "half \ud83d of a pair"
    (tmp_path / "page.html").write_text(render_page(facts), encoding="utf-8")


def test_hostile_names_of_many_columns_still_fit_on_the_page():
    facts = binary_facts()
    column = facts["table"]["columns"][0]
    facts["table"]["columns"] = [{**column, "name": f"{i}" + "x" * 9_990} for i in range(300)]
    page = render_page(facts)
    assert len(page.encode()) <= LARGEST_PAGE
    assert page.count("<bdi title=") >= 300


def test_facts_that_fit_on_no_page_are_refused_in_a_sentence():
    facts = binary_facts()
    facts["table"]["columns"] = facts["table"]["columns"] * 1000
    with pytest.raises(ValueError, match=r"page of 2,000,000 bytes, but got .*shorten the lists"):
        render_page(facts)


def test_clean_keeps_what_readers_need():
    assert clean("naïve Straße 東京 👍 שלום") == "naïve Straße 東京 👍 שלום"
    assert clean(" a\r\n\r\n b\u2028c ") == "a ⏎ b ⏎ c"


@pytest.mark.parametrize("text", ["short", "W" * 500, "東" * 100, "i" * 300, "👍" * 50])
def test_fit_width_fits(text):
    fitted = fit_width(text, 120)
    assert text_width(fitted) <= 120
    assert fitted == text or fitted.endswith("…")


def test_shorten_counts_characters():
    assert shorten("x" * 40) == "x" * 40
    assert shorten("x" * 41) == "x" * 39 + "…"
