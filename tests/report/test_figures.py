"""Figures: what is drawn where, and that odd numbers draw something or nothing, but never fail."""

from __future__ import annotations

import math
import re

import pytest

from nonet._base.pictures.svg import WIDTH, element
from nonet.report.figures.bars import Bar, draw_bars
from nonet.report.figures.dots import Dot, dot_with_error, draw_dots
from nonet.report.figures.heat_map import draw_heat_map
from nonet.report.figures.histogram import Counts, draw_histogram
from nonet.report.figures.lines import Line, Marks, draw_lines
from nonet.report.figures.points import Strip, draw_strips
from nonet.report.figures.reliability import ReliabilityBin, draw_reliability
from nonet.report.figures.scale import Scale, spread
from nonet.report.figures.scatter import draw_scatter
from nonet.report.figures.sparkline import draw_sparkline
from report.page_tree import read_page

NAMES = {"key": "k", "title": "T <b>", "description": 'D "quoted"'}
AXES = {"x_label": "x", "y_label": "y"}


def svg_of(markup):
    tree = read_page(markup)
    (svg,) = tree.find("svg")
    return svg


def numbers_of(svg):
    """Return all coordinates of a picture; those of paths where a point is named."""
    attributes = ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height")
    plain = [e.attributes[name] for e in svg.walk() for name in attributes if name in e.attributes]
    paths = " ".join(e.attributes.get("d", "") for e in svg.walk())
    points = re.findall(r"[ML](-?[\d.]+)[ ,](-?[\d.]+)", paths)
    return [float(n) for n in [*plain, *(n for point in points for n in point)]]


def of_class(svg, name):
    return [e for e in svg.walk() if name in e.attributes.get("class", "").split()]


def test_scale_is_linear_and_keeps_values_inside():
    scale = Scale(10.0, 20.0, 100.0, 0.0)
    assert [scale.position(v) for v in (10.0, 15.0, 20.0, 99.0, -5.0)] == [100, 50, 0, 0, 100]


@pytest.mark.parametrize("size", [1e-9, 0.003, 1.0, 17.0, 123456.0, 1e12])
@pytest.mark.parametrize("low", [0.0, -0.37, 5.1])
def test_ticks_are_few_round_and_inside(size, low):
    scale = Scale(low * size, (low + 1.0) * size, 0.0, 100.0)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 8
    values = [value for value, _ in ticks]
    assert all(scale.low - 1e-9 * size <= v <= scale.high + 1e-9 * size for v in values)
    assert len({text for _, text in ticks}) == len(ticks)


def test_spread_of_odd_values_is_a_range():
    for values in ([], [3.0], [0.0, 0.0], [None, math.nan, math.inf], [1e300], [-1.0, 1.0]):
        low, high = spread(values)
        assert math.isfinite(low)
        assert low < high


def test_element_escapes_attributes_and_leaves_out_none():
    assert element("a", b_c='"<&', d=None) == '<a b-c="&quot;&lt;&amp;"/>'


def test_dots_stand_at_their_values_and_whiskers_at_their_ends():
    dots = [dot_with_error("a", 1.0, 0.5, strong=True), dot_with_error("b", 3.0, None)]
    svg = svg_of(draw_dots(dots, **NAMES, x_label="score"))
    (whisker,) = of_class(svg, "whisker")
    (circle,) = svg.find("circle")
    ends = float(whisker.attributes["x1"]), float(whisker.attributes["x2"])
    assert math.isclose(sum(ends) / 2, float(circle.attributes["cx"]), abs_tol=0.11)
    (reference,) = of_class(svg, "reference")
    assert reference.attributes["x1"] == circle.attributes["cx"]
    unit = (ends[1] - ends[0]) / 1.0
    square = of_class(svg, "fill-5")[0].attributes["d"]
    left, right = (float(n) for n in re.findall(r"(-?[\d.]+),", square)[:2])
    centre = float(circle.attributes["cx"]) + 2 * unit
    assert math.isclose((left + right) / 2, centre, abs_tol=0.3)


def test_bars_are_as_long_as_their_values():
    bars = [Bar("a", 1.0, "1"), Bar("b", 2.0, "2"), Bar("c", -1.0, "-1")]
    rects = svg_of(draw_bars(bars, **NAMES)).find("rect")
    widths = [float(rect.attributes["width"]) for rect in rects]
    assert math.isclose(widths[1], 2 * widths[0], abs_tol=0.3)
    assert math.isclose(widths[2], widths[0], abs_tol=0.3)
    zero = float(rects[0].attributes["x"])
    assert math.isclose(float(rects[2].attributes["x"]) + widths[2], zero, abs_tol=0.2)


def test_histogram_stacks_groups_in_bins():
    groups = [Counts("right", [0, 2, 4]), Counts("wrong", [1, 2, 0])]
    svg = svg_of(draw_histogram([0.0, 1.0, 2.0, 3.0], groups, **NAMES, x_label="x", marked=0.5))
    right, wrong = of_class(svg, "fill-0"), of_class(svg, "fill-1")
    tall = [float(e.attributes["height"]) for e in svg.find("rect")]
    assert len(tall) == 4
    assert math.isclose(tall[1], 2 * tall[0], abs_tol=0.2)
    assert float(wrong[2].attributes["y"]) < float(right[1].attributes["y"])
    assert len(of_class(svg, "reference")) == 1


def test_lines_leave_out_values_that_are_not_known():
    line = Line("a", [0.0, 1.0, 2.0, 3.0], [1.0, None, math.nan, 2.0], points=True)
    svg = svg_of(draw_lines([line], **NAMES, **AXES))
    (path,) = of_class(svg, "line")
    assert path.attributes["d"].count(",") == 2
    assert len(svg.find("circle")) == 2


def test_lines_differ_by_dash_and_marker_as_well_as_colour():
    lines = [Line(f"line {i}", [0, 1], [i, i + 1], points=True) for i in range(4)]
    curves = of_class(svg_of(draw_lines(lines, **NAMES, **AXES)), "line")
    styles = {tuple(e.attributes["class"].split()[2:]) for e in curves if e.tag == "path"}
    assert len(styles) == 4


def test_lines_have_bands_references_and_a_legend():
    first = Line("a", [0, 1], [1, 2], [0, 1], [2, 3])
    marks = Marks(verticals=[(0.5, "half")], horizontals=[(1.5, "mean")], density=[0.5, 0.5])
    svg = svg_of(draw_lines([first, Line("b", [0, 1], [0, 0])], **NAMES, **AXES, marks=marks))
    words = [text.words() for text in svg.find("text")]
    assert {"a", "b", "half", "mean"} <= set(words)
    assert (len(of_class(svg, "band")), len(of_class(svg, "rug"))) == (1, 2)


@pytest.mark.parametrize(("y", "side"), [([2.0, 1.0], "end"), ([1.0, 2.0], "start")])
def test_name_of_a_reference_line_is_where_no_line_begins(y, side):
    marks = Marks(horizontals=[(1.5, "mean")])
    svg = svg_of(draw_lines([Line("a", [0, 1], y)], **NAMES, **AXES, marks=marks))
    (name,) = [text for text in svg.find("text") if text.words() == "mean"]
    assert name.attributes["class"].split() == ["tick", side, "halo"]


def test_reliability_on_the_diagonal_is_on_the_diagonal():
    bins = [ReliabilityBin(p, p, 10, p - 0.05, p + 0.05) for p in (0.1, 0.5, 0.9)]
    svg = svg_of(draw_reliability(bins, **NAMES))
    (diagonal,) = of_class(svg, "reference")
    x1, y1, x2, y2 = (float(diagonal.attributes[name]) for name in ("x1", "y1", "x2", "y2"))
    for circle in svg.find("circle"):
        x, y = float(circle.attributes["cx"]), float(circle.attributes["cy"])
        assert math.isclose(y, y1 + (x - x1) / (x2 - x1) * (y2 - y1), abs_tol=0.2)


def test_heat_map_shades_by_size_and_colours_by_sign():
    matrix = [[1.0, 0.5, -0.25], [0.5, 1.0, None], [-0.25, None, 1.0]]
    svg = svg_of(draw_heat_map(["a", "b", "c"], matrix, **NAMES))
    cells = {
        e.attributes["class"]: e.attributes["d"].count("M")
        for e in svg.find("path")
    }  # fmt: skip
    assert cells == {"heat-10 fill-0": 5, "heat-5 fill-1": 2, "heat-0 fill-0": 2}
    assert "0.50" in [text.words() for text in svg.find("text")]


def test_heat_map_of_many_members_is_small_and_has_no_numbers():
    names = [f"member {i}" for i in range(25)]
    markup = draw_heat_map(names, [[0.5] * 25] * 25, **NAMES)
    assert len(markup) < 25_000
    assert not of_class(svg_of(markup), "cell-number")


@pytest.mark.parametrize(("n", "tag"), [(50, "path"), (5000, "rect")])
def test_scatter_of_many_points_counts_them_in_squares(n, tag):
    points = [(math.sin(i), math.cos(i * i)) for i in range(n)]
    markup = draw_scatter(points, **NAMES, **AXES)
    svg = svg_of(markup)
    assert bool(svg.find("rect")) == (tag == "rect")
    assert len(markup) < 120_000
    if tag == "rect":
        counts = [int(e.children[0].text.split()[0].replace(",", "")) for e in svg.find("rect")]
        assert sum(counts) == n


def test_strips_shade_points_by_their_position():
    strips = [Strip("a", [-1.0, 0.0, 1.0], [0.0, None, 1.0])]
    svg = svg_of(draw_strips(strips, **NAMES, x_label="x"))
    classes = [e.attributes["class"] for e in of_class(svg, "points")]
    assert {"points shade-0", "points shade-none", "points shade-4"} <= set(classes)


def test_sparkline_of_nothing_is_still_a_picture():
    assert svg_of(draw_sparkline([], "nothing")).attributes["aria-label"] == "nothing"


def test_pictures_escape_their_title_and_keep_inside_their_box():
    long = "W" * 300
    pictures = [
        draw_dots([Dot(long, 1e-300, -1e300, 1e300)], **NAMES, x_label=long),
        draw_bars([Bar(long, -1.0, "1", 5.0), Bar("b", 0.0, "0")], **NAMES),
        draw_histogram([0.0, 0.0], [Counts(long, [0])], **NAMES, x_label=long),
        draw_lines([Line(long, [1.0], [1.0]), Line(long, [], [])], **NAMES, **AXES),
        draw_scatter([], **NAMES, **AXES),
        draw_reliability([], **NAMES),
        draw_heat_map([long, long], [[None, None], [0.0, 0.0]], **NAMES),
        draw_strips([Strip(long, [], [])], **NAMES, x_label=long),
    ]
    for markup in pictures:
        assert "nan" not in markup
        svg = svg_of(markup)
        assert svg.find("title")[0].text == "T <b>"
        _, _, width, height = map(float, svg.attributes["viewbox"].split())
        assert width == WIDTH
        assert all(-1 <= n <= max(width, height) + 1 for n in numbers_of(svg)), markup
