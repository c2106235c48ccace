"""The numbers of the page are those of the facts, rounded once and the same way everywhere."""

from __future__ import annotations

import json
import math
import re

import pytest

from nonet._base.pictures.number_format import (
    format_bytes,
    format_fraction,
    format_number,
    format_seconds,
    format_with_error,
    tick_label,
)
from nonet.report.page import render_page
from report.example_facts import EXAMPLES, binary_facts, numbers_in
from report.page_tree import read_page

MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
_SUPERSCRIPTS = str.maketrans(f"⁻⁰¹²³⁴⁵⁶⁷⁸⁹{MINUS}", "-0123456789-")
_UNITS = {"": 1, "%": 0.01, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "min": 60, "h": 3600}


def _value_of(text):
    """Read a number of the page back: '1,234', '12.3 %', '3 min 20 s', a power of ten."""
    power = re.fullmatch(rf"(\S+) {TIMES} 10(\S+)", text)
    if power:
        mantissa, exponent = (part.translate(_SUPERSCRIPTS) for part in power.groups())
        return float(mantissa) * 10.0 ** int(exponent)
    parts = re.findall(rf"([{MINUS}\d.,]+) ?([a-zµ%]*)", text)
    values = [float(n.replace(",", "").translate(_SUPERSCRIPTS)) * _UNITS[u] for n, u in parts]
    assert values, text
    return sum(values)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_page_numbers_are_those_of_the_facts(name):
    facts = json.loads(json.dumps(EXAMPLES[name]()))
    known = set(map(float, numbers_in(facts)))
    shown = read_page(render_page(facts)).find("data")
    assert len(shown) > 400
    for element in shown:
        value = float(element.attributes["value"])
        assert value in known, f"{element.text} is no number of the facts"
        read = _value_of(element.text)
        microseconds = element.text.endswith(("µs", "ms", "ns"))
        wanted = value * 1e-6 if microseconds else value
        assert math.isclose(read, wanted, rel_tol=0.06, abs_tol=0.006), (value, element.text)


def test_page_shows_the_numbers_that_a_reader_looks_for():
    facts = binary_facts()
    sections = {s.attributes["id"]: s for s in read_page(render_page(facts)).find("section")}

    def values(name):
        return {float(element.attributes["value"]) for element in sections[name].find("data")}

    score = facts["result"]
    wanted = {score["score"], score["standard_error"], score["baseline"]["score"]}
    assert wanted | {score["gain"]["value"], score["gain"]["fraction"]} <= values("result")
    entries = facts["leaderboard"]["entries"]
    assert {e["score"] for e in entries if e["score"] is not None} <= values("leaderboard")
    for part in ("decomposition", "correlation", "disagreement", "margins", "members_curve"):
        numbers = numbers_in({**facts["why"][part], "mean": 0, "median": 0, "n_left_out": 0})
        left_out = {0, *facts["why"][part].get("errors", [])}
        left_out.add(facts["why"][part].get("negative_fraction"))
        left_out.add(facts["why"][part].get("full"))
        left_out.add(facts["why"][part].get("best_member", {}).get("error"))
        assert set(numbers) - left_out <= values("why"), part
    assert set(numbers_in(facts["calibration"]["bins"])) - values("calibration") <= {
        b["weight"] for b in facts["calibration"]["bins"]
    }
    assert set(numbers_in(facts["errors"]["confusion"]["counts"])) <= values("errors")
    importance = facts["columns"]["importance"]["list"]
    assert {one["value"] for one in importance} <= values("columns")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (True, "yes"),
        (None, "n/a"),
        (math.nan, "n/a"),
        (-math.inf, MINUS + "∞"),
        (1234567, "1,234,567"),
        (123456.7, "123,457"),
        (0.12345, "0.1235"),
        (0.99999, "1"),
        (9.99996, "10"),
        (-2.5, MINUS + "2.5"),
        (1e-5, f"1 {TIMES} 10⁻⁵"),
        (1.5e12, f"1.5 {TIMES} 10¹²"),
    ],
)
def test_format_number_has_four_significant_digits(value, text):
    assert format_number(value) == text


@pytest.mark.parametrize("value", [0.1 + 1e-17, 3.14159, 27182.8, 6.02e23, 1.6e-19, -273.15])
def test_format_number_is_read_back(value):
    assert math.isclose(_value_of(format_number(value)), value, rel_tol=5.1e-4)


def test_format_with_error_rounds_both_to_the_same_decimal():
    assert format_with_error(0.3123456, 0.0112) == "0.312 ± 0.011"
    assert format_with_error(-12.3456, 1.23) == MINUS + "12.3 ± 1.2"
    assert format_with_error(1234567.0, 8910.0) == "1,234,567 ± 8,910"
    assert format_with_error(2e-7, 3e-8) == f"2 {TIMES} 10⁻⁷ ± 3 {TIMES} 10⁻⁸"


@pytest.mark.parametrize("error", [None, 0.0, math.nan])
def test_format_with_error_leaves_out_an_error_that_is_not_known(error):
    assert format_with_error(0.25, error) == "0.25"


def test_format_of_units_suits_the_size():
    assert format_fraction(0.46434) == "46.4 %"
    assert [format_seconds(s) for s in (0, 4.2e-6, 0.0305, 59.94, 61, 7322)] == [
        "0 ns", "4.2 µs", "30.5 ms", "59.9 s", "1 min 1 s", "2 h 2 min",
    ]  # fmt: skip
    assert [format_bytes(n) for n in (0, 999, 1000, 2_500_000)] == [
        "0 bytes", "999 bytes", "1 kB", "2.5 MB",
    ]  # fmt: skip


def test_tick_labels_have_the_decimals_of_their_step():
    assert [tick_label(i * 0.05, 0.05) for i in range(3)] == ["0", "0.05", "0.1"]
    assert [tick_label(v, 2.5) for v in (0.0, 2.5, 5.0)] == ["0", "2.5", "5"]
    assert tick_label(0.1 + 0.2 - 0.3, 0.1) == "0"
