from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from nonet._base.results import PlottableResult, Result


@dataclass(frozen=True)
class Study(Result):
    _shown: ClassVar[tuple[str, ...]] = ("score", "weights", "curve", "label")

    score: float
    weights: Any
    curve: Any
    label: str
    hidden: int = 0


STUDY = Study(2 / 3, np.array([0.25, 0.5]), np.zeros((30, 2)), "<best> & last", hidden=77)


def test_result_is_frozen():
    with pytest.raises(FrozenInstanceError, match="score"):
        STUDY.score = 1.0


def test_result_reads_as_aligned_lines():
    assert str(STUDY).splitlines() == [
        "Study",
        "  score    0.6667",
        "  weights  [0.25, 0.5 ]",
        "  curve    array of shape (30, 2)",
        "  label    <best> & last",
    ]


def test_result_of_a_numpy_float_is_rounded_too():
    assert "  score    0.3333" in str(Study(np.float32(1 / 3), None, None, ""))


def test_result_without_shown_fields_is_its_name():
    assert str(Result()) == "Result"


def test_result_in_a_notebook_is_an_escaped_table():
    html = STUDY._repr_html_()
    assert ">Study</caption>" in html
    assert "&lt;best&gt; &amp; last" in html
    assert html.count("<tr ") == 4
    assert "77" not in html


def test_result_without_a_picture_offers_none():
    assert not hasattr(STUDY, "plot")


def test_result_is_drawn_by_the_function_it_names(monkeypatch):
    class Drawn(PlottableResult):
        _plot = "plot_study"

    def plot_study(result, ax=None, **style):
        return result, ax, style

    monkeypatch.setattr("nonet.plots.plot_study", plot_study, raising=False)
    drawn = Drawn()
    assert drawn.plot("axes", color="red") == (drawn, "axes", {"color": "red"})
