"""Tables of results in a notebook."""

from __future__ import annotations

from xml.etree import ElementTree

from nonet._base.pictures.html_table import facts_table, rows_table

ROWS = [["forest <1>", "0.9", "120 rows"], ["tree", "-0.85", "60 rows"], ["none", "-", "7 rows"]]


def cells_of(html):
    tree = ElementTree.fromstring(html)
    return [[cell.text for cell in row] for row in tree.iter("tr")]


def test_facts_are_rows_of_a_name_and_a_value():
    html = facts_table("Interval & more", [("low", "<2>"), ("high", "8\x00")])
    assert ElementTree.fromstring(html).find("caption").text == "Interval & more"
    assert cells_of(html) == [["low", "<2>"], ["high", "8\N{REPLACEMENT CHARACTER}"]]


def test_rows_stand_below_the_names_of_their_columns():
    html = rows_table("Scores", ["name", "score", "rows"], ROWS)
    assert cells_of(html) == [["name", "score", "rows"], *ROWS]


def test_numbers_alone_are_aligned_to_the_right():
    tree = ElementTree.fromstring(rows_table("Scores", ["name", "score", "rows"], ROWS))
    for row in tree.iter("tr"):
        sides = [cell.attrib["style"].split("text-align:")[1][:4] for cell in row]
        assert sides == ["left", "righ", "left"]


def test_table_without_rows_has_its_names():
    assert cells_of(rows_table("Scores", ["name", "score"], [])) == [["name", "score"]]


def test_headings_name_their_scope():
    facts = ElementTree.fromstring(facts_table("Interval", [("low", "2")]))
    rows = ElementTree.fromstring(rows_table("Scores", ["name", "score"], ROWS[:0]))
    assert [cell.attrib["scope"] for cell in facts.iter("th")] == ["row"]
    assert [cell.attrib["scope"] for cell in rows.iter("th")] == ["col", "col"]
