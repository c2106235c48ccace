from __future__ import annotations

import numpy as np

from nonet.plots import plot_jackknife
from nonet.resampling.bootstrap.jackknife import jackknife

X = np.array([1.0, 4, 7, 9, 30])


def test_heights_are_the_influence():
    result = jackknife(X, "mean")
    ax = plot_jackknife(result)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), X - X.mean())


def test_most_influential_rows_are_named():
    ax = plot_jackknife(jackknife(X, "mean"), n_named=2)
    assert [text.get_text() for text in ax.texts] == ["4", "0"]


def test_component_of_a_vector_is_drawn():
    ax = plot_jackknife(jackknife(np.column_stack([X, -X]), "mean"), component=1)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), X.mean() - X)


def test_result_draws_itself():
    assert jackknife(X, "mean").plot().get_ylabel() == "influence on the estimate"
