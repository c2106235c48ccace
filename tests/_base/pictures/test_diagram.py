"""The diagram of members, F and C, on the page and in a notebook."""

from __future__ import annotations

import re

import pytest

from nonet._base.pictures.diagram import describe, diagram_html, draw_diagram
from report.example_facts import HOSTILE_NAMES, binary_facts
from report.page_tree import read_page


def parts_of(weights, **rules):
    members = [{"name": f"member {i}", "kind": "Tree", "weight": w} for i, w in enumerate(weights)]
    return {"members": members, "n_members": len(members), "n_left_out": 0, "combine": "mean",
            "decide": "class of the highest support", **rules}  # fmt: skip


def words_of(markup):
    return [text.words() for text in read_page(markup).find("text")]


def test_diagram_names_members_weights_and_both_rules():
    words = words_of(draw_diagram(binary_facts()["why"]["parts"]))
    assert {"boosted 1", "41 %", "F: combine", "C: decide"} <= set(words)
    assert "weighted mean of probabilities" in " ".join(words)


def test_diagram_draws_weights_as_widths():
    tree = read_page(draw_diagram(parts_of([0.6, 0.3, 0.1])))
    bars = [r for r in tree.find("rect") if "fill-opacity" in r.attributes["style"]]
    widths = [float(bar.attributes["width"]) for bar in bars]
    assert widths[1] == pytest.approx(widths[0] / 2, abs=0.1)
    strokes = [
        e.attributes["style"] for e in tree.find("path") if "opacity" in e.attributes["style"]
    ]
    wide = [float(re.search(r"stroke-width:([\d.]+)", style)[1]) for style in strokes]
    assert wide == sorted(wide, reverse=True)


def test_diagram_of_many_members_counts_the_rest():
    parts = parts_of([(50 - i) / 1275 for i in range(50)], n_members=500)
    assert "and 488 more" in words_of(draw_diagram(parts))
    assert describe(parts).startswith("500 members: member 0 (3.92 %)")


def test_diagram_of_equal_members_shows_few_of_them():
    words = words_of(draw_diagram(parts_of([1 / 50] * 50, n_members=500)))
    assert [word for word in words if word.startswith("member ")] == [
        f"member {i}" for i in range(5)
    ]
    assert "and 495 more" in words


def test_diagram_hides_no_single_member():
    assert not [word for word in words_of(draw_diagram(parts_of([None] * 6))) if "more" in word]


def test_diagram_without_weights_shows_none():
    assert not [word for word in words_of(draw_diagram(parts_of([None, None]))) if "%" in word]


def test_diagram_of_one_member_and_of_none():
    assert describe(parts_of([1.0])).startswith("1 member: member 0 (100 %). F: mean.")
    assert "F: combine" in words_of(draw_diagram(parts_of([])))


def test_diagram_wraps_long_rules_and_escapes_hostile_names():
    parts = parts_of([0.5] * len(HOSTILE_NAMES), combine="word " * 200, decide="x" * 10_000)
    for member, name in zip(parts["members"], HOSTILE_NAMES, strict=True):
        member["name"] = name
    markup = draw_diagram(parts)
    tree = read_page(markup)
    assert "script" not in {e.tag for e in tree.walk()}
    assert max(len(word) for word in words_of(markup)) < 40
    assert len(markup) < 40_000


def test_diagram_depends_on_no_style_sheet():
    markup = diagram_html(parts_of([1.0]), title="Voting<Classifier>")
    tree = read_page(markup)
    assert tree.find("b")[0].text == "Voting<Classifier>"
    for drawn in tree.find("rect") + tree.find("path") + tree.find("text"):
        assert "style" in drawn.attributes
    assert "var(--tone-0, #2f7fc2)" in markup  # its own colour where the page sets none


def test_diagrams_with_two_keys_have_different_ids():
    one, two = (read_page(draw_diagram(parts_of([1.0]), key=key)) for key in ("a", "b"))

    def ids(tree):
        return {e.attributes["id"] for e in tree.walk() if "id" in e.attributes}

    assert not ids(one) & ids(two)
