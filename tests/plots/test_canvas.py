from __future__ import annotations

import sys

import pytest

from nonet.plots import canvas, plot_scores


def test_prepare_hides_the_frame_that_carries_no_information():
    ax = canvas.prepare(None)
    assert not ax.spines["top"].get_visible()
    assert not ax.spines["right"].get_visible()


def test_missing_matplotlib_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"run `pip install nonet\[plots\]`"):
        plot_scores({"tree": 0.9})


def test_rejects_axes_of_another_kind():
    with pytest.raises(TypeError, match="ax must be None or matplotlib Axes, but got 'x'"):
        plot_scores({"tree": 0.9}, ax="x")
