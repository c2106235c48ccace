from __future__ import annotations

import numpy as np

from nonet.plots import plot_bootstrap
from nonet.resampling.bootstrap.bootstrap import bootstrap

X = np.random.default_rng(0).exponential(size=30)
RESULT = bootstrap(X, "mean", n_resamples=400, random_state=0)


def test_histogram_holds_all_resamples():
    ax = plot_bootstrap(RESULT, bins=20)
    heights = [patch.get_height() for patch in ax.patches[:20]]
    np.testing.assert_allclose(sum(heights), 1)


def test_estimate_and_interval_are_marked():
    ax = plot_bootstrap(RESULT, method="bca", confidence_level=0.9, bins=20)
    assert ax.lines[0].get_xdata()[0] == RESULT.estimate
    low, high = RESULT.interval("bca", 0.9)
    box = ax.patches[20].get_extents().transformed(ax.transData.inverted())
    np.testing.assert_allclose([box.x0, box.x1], [low, high])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "90% bca",
        f"estimate {RESULT.estimate:.4g}",
    ]


def test_exact_probabilities_are_the_heights():
    exact = bootstrap(X[:4], "mean")
    ax = plot_bootstrap(exact, bins=1)
    np.testing.assert_allclose(ax.patches[0].get_height(), 1)


def test_component_of_a_vector_is_drawn():
    result = bootstrap(np.column_stack([X, -X]), "mean", n_resamples=100, random_state=0)
    ax = plot_bootstrap(result, component=1)
    np.testing.assert_allclose(ax.lines[0].get_xdata()[0], -X.mean())


def test_result_draws_itself_on_given_axes():
    ax = RESULT.plot()
    assert RESULT.plot(ax) is ax
