from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from nonet.plots import plot_risk_coverage


@pytest.fixture
def curve():
    return SimpleNamespace(
        coverage=np.array([0.25, 0.5, 1.0]), risk=np.array([0.0, 0.1, 0.2]), area=0.08
    )


def test_plot_risk_coverage_draws_risk_over_coverage(curve):
    (line,) = plot_risk_coverage(curve).lines
    np.testing.assert_array_equal(line.get_xdata(), curve.coverage)
    np.testing.assert_array_equal(line.get_ydata(), curve.risk)


def test_plot_risk_coverage_names_both_axes(curve):
    ax = plot_risk_coverage(curve)
    assert ax.get_xlabel().startswith("coverage")
    assert ax.get_ylabel().startswith("risk")
    assert ax.get_xlim() == (0, 1)
    assert ax.get_ylim()[0] == 0


def test_plot_risk_coverage_draws_on_given_axes_and_labels_curves_by_area(curve):
    ax = plot_risk_coverage(curve, label="one")
    assert plot_risk_coverage(curve, ax, label="two") is ax
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["one (area 0.0800)", "two (area 0.0800)"]


def test_plot_risk_coverage_without_label_has_no_legend(curve):
    assert plot_risk_coverage(curve).get_legend() is None


def test_plot_risk_coverage_leaves_room_for_a_higher_second_curve(curve):
    ax = plot_risk_coverage(curve)
    higher = SimpleNamespace(coverage=curve.coverage, risk=3 * curve.risk, area=0.24)
    assert plot_risk_coverage(higher, ax).get_ylim()[1] > higher.risk.max()


def test_plot_risk_coverage_draws_a_curve_without_risk():
    flawless = SimpleNamespace(coverage=np.array([0.5, 1.0]), risk=np.zeros(2), area=0.0)
    assert plot_risk_coverage(flawless).get_ylim()[1] > 0
