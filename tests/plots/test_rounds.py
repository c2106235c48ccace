from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from nonet.plots import plot_rounds


def log(held_out_error=None):
    return SimpleNamespace(
        training_error=np.array([0.3, 0.1]),
        product_bound=np.array([0.9, 0.7]),
        held_out_error=held_out_error,
    )


def test_plot_rounds_draws_error_and_bound_from_round_one():
    bound, error = plot_rounds(log()).lines
    np.testing.assert_array_equal(error.get_xdata(), [1, 2])
    np.testing.assert_array_equal(error.get_ydata(), [0.3, 0.1])
    np.testing.assert_array_equal(bound.get_ydata(), [0.9, 0.7])


def test_plot_rounds_adds_the_held_out_error_if_there_is_one():
    ax = plot_rounds(log(np.array([0.4, 0.35])))
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["bound: product of Z", "training error", "held-out error"]
