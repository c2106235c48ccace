"""Pictures of the diagnostics: what they show is what the results hold."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier

import nonet
from nonet import diagnostics, plots
from nonet.diagnostics import decompose_loss, record_predictions
from nonet.plots import canvas
from nonet.theory import majority_accuracy, majority_error

VOTES = record_predictions(
    [[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]], [1, 1, 1, 1], classes=[0, 1]
)
VALUES = record_predictions(np.random.default_rng(0).normal(size=(40, 5)), np.zeros(40))


def ticks(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


RESULTS = [
    nonet.ambiguity(VOTES),
    nonet.ambiguity(VALUES),
    nonet.possible_gains(VALUES, random_state=0),
    nonet.correctness(VOTES),
    nonet.diversity(VOTES),
    nonet.margins(VOTES),
    diagnostics.error_curve(VOTES),
    diagnostics.kappa_error(VOTES),
    diagnostics.margin_growth(VOTES),
    diagnostics.reliability_curve([0, 1, 1], [0.1, 0.6, 0.8]),
    decompose_loss([[1.0, 2.0], [2.0, 2.0]], [1.0, 3.0]),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: type(result).__name__)
def test_result_draws_itself_with_named_axes(result):
    ax = result.plot()
    assert ax.get_ylabel() or ax.get_xlabel() or ax.get_title()
    assert f">{type(result).__name__}</caption>" in result._repr_html_()
    assert str(result).startswith(type(result).__name__)


def test_margins_rise_to_one_and_cross_zero_at_the_error():
    margins = nonet.margins(VOTES)
    ax = plots.plot_margins(margins, label="vote")
    x, y = ax.lines[0].get_xdata(), ax.lines[0].get_ydata()
    assert (y[0], y[-1]) == (0, 1)
    assert y[np.searchsorted(x, 0, side="right") - 1] == margins.error
    assert legend(ax) == ["vote"]


def test_margin_growth_draws_minimum_quantiles_and_error():
    ax = plots.plot_margin_growth(diagnostics.margin_growth(VOTES))
    assert legend(ax) == [
        "minimum margin",
        "5 % of rows below",
        "25 % of rows below",
        "50 % of rows below",
        "error",
    ]


def test_parts_of_the_error_stand_on_each_other():
    results = {
        "one": decompose_loss([[1.0, 3.0]], [1.0]),
        "two": decompose_loss([[2.0, 2.0]], [1.0]),
    }
    ax = plots.plot_bias_variance(results)
    bias, variance = ax.containers[0], ax.containers[1]
    assert [bar.get_height() for bar in bias] == [1, 1]
    assert [bar.get_y() for bar in variance] == [1, 1]
    assert ticks(ax.xaxis) == ["one", "two"]
    assert legend(ax) == ["bias", "variance", "noise", "error"]


def test_negative_variance_hangs_below_zero():
    parts = decompose_loss([[0, 0, 1]], [1], loss="domingos", classes=[0, 1])
    ax = plots.plot_bias_variance(parts)
    assert ax.containers[1][0].get_height() == pytest.approx(-1 / 3)
    assert ax.containers[1][0].get_y() == 0
    assert ax.get_ylabel() == "expected 0-1 loss"


def test_complexity_is_sorted():
    results = {4: decompose_loss([[1.0, 3.0]], [1.0]), 2: decompose_loss([[2.0, 2.0]], [1.0])}
    ax = plots.plot_complexity(results, label="depth")
    assert ax.lines[0].get_xdata().tolist() == [2, 4]
    assert legend(ax) == ["error", "bias", "variance"]
    with pytest.raises(ValueError, match="results is empty"):
        plots.plot_complexity({})


def test_ambiguity_bars_lead_from_members_to_ensemble():
    result = nonet.ambiguity(VOTES)
    ax = plots.plot_ambiguity(result)
    assert ticks(ax.xaxis) == ["members, mean", "- good", "+ bad", "ensemble"]
    heights = [bar.get_height() for bars in ax.containers for bar in bars]
    np.testing.assert_allclose(
        heights, [result.member_error, result.good, result.bad, result.error]
    )


def test_heat_map_leaves_the_diagonal_out():
    ax = plots.plot_diversity(nonet.diversity(VOTES), measure="q_statistic")
    shown = ax.images[0].get_array()
    assert np.ma.getmaskarray(np.ma.masked_invalid(shown)).diagonal().all()
    assert ax.get_title() == "q statistic of pairs"
    with pytest.raises(ValueError, match="'measure' must be one of 'correlation'"):
        plots.plot_diversity(nonet.diversity(VOTES), measure="entropy")


def test_many_members_are_not_named():
    many = diagnostics.measure_diversity(np.random.default_rng(0).random((30, 25)) < 0.6)
    assert plots.plot_diversity(many).get_xlabel() == "member"


def test_kappa_error_marks_the_centre_of_the_cloud():
    result = diagnostics.kappa_error(VOTES)
    ax = plots.plot_kappa_error(result, label="bagging")
    cloud, centre = ax.lines
    assert len(cloud.get_xdata()) == 3
    assert centre.get_xdata()[0] == pytest.approx(result.kappa.mean())
    assert legend(ax) == ["bagging"]


def test_error_curve_has_a_line_for_each_kind_of_rows():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(4, random_state=0).fit(X[::2], y[::2])
    curve = diagnostics.error_curve(
        forest, X[1::2], y[1::2], train=(X[::2], y[::2]), out_of_bag=True
    )
    ax = curve.plot()
    assert legend(ax) == ["train", "out of bag", "test"]
    assert ax.get_ylabel() == "0-1 loss"
    np.testing.assert_array_equal(ax.lines[2].get_ydata(), curve.errors["test"])


def test_correctness_is_sorted_and_has_its_profiles():
    ax = plots.plot_correctness(nonet.correctness(VOTES))
    shown = np.asarray(ax.images[0].get_array())
    assert np.all(np.diff(shown.sum(axis=0)) <= 0)
    assert np.all(np.diff(shown.sum(axis=1)) <= 0)
    assert len(ax.child_axes) == 2
    above, beside = ax.child_axes
    np.testing.assert_allclose(above.lines[0].get_ydata(), [0.75, 0.75, 0.5])
    assert beside.get_xlabel() == "fraction right"


def test_rows_without_predictions_are_white():
    result = nonet.correctness(
        record_predictions([[1, 1], [0, 1]], [1, 1], present=[[True, True], [True, False]])
    )
    assert 2 in np.asarray(plots.plot_correctness(result).images[0].get_array())


def test_majority_error_curve_against_theory():
    ax = plots.plot_majority_error(5, correlations=[0, 0.2])
    curve = ax.lines[1]
    np.testing.assert_allclose(curve.get_ydata(), majority_error(curve.get_xdata(), 5))
    assert legend(ax) == ["one voter", "5 voters, independent", "5 voters, correlation 0.2"]


def test_vote_probabilities_against_theory():
    ax = plots.plot_vote_probabilities([1, 21])
    line = ax.lines[1]
    np.testing.assert_allclose(line.get_ydata(), majority_accuracy(line.get_xdata(), 21))
    assert legend(ax) == ["T = 1", "T = 21"]
    with pytest.raises(ValueError, match="sizes must be a sequence"):
        plots.plot_vote_probabilities([])


def test_reliability_dots_grow_with_rows():
    curve = diagnostics.reliability_curve([0, 0, 1, 1, 1], [0.1, 0.1, 0.2, 0.9, 0.2], n_bins=2)
    ax = plots.plot_reliability(curve, label="forest")
    sizes = ax.collections[0].get_sizes()
    assert sizes[0] > sizes[1]
    assert legend(ax) == [f"forest (off by {curve.calibration_error:.3f})"]


def test_gains_show_intervals_of_what_is_estimated():
    ax = plots.plot_gains(nonet.possible_gains(VALUES, random_state=0))
    assert ticks(ax.yaxis) == [
        "best member",
        "ever more members",
        "twice the members",
        "oracle",
    ]
    long_enough = record_predictions(np.random.default_rng(0).normal(size=(60, 3)), np.zeros(60))
    gains = nonet.possible_gains(long_enough, random_state=0)
    assert "learned weights" in ticks(plots.plot_gains(gains).yaxis)


def test_trees_of_a_forest_stand_side_by_side():
    X, y = load_iris(return_X_y=True)
    for tree in (nonet.DecisionTreeClassifier(), None):
        forest = nonet.BaggingClassifier(tree, n_estimators=3, random_state=0).fit(X, y)
        axes = plots.plot_forest(forest, trees=[0, 2], max_depth=1)
        assert [ax.get_title() for ax in axes] == ["tree 0", "tree 2"]
        assert all(len(ax.texts) == 3 for ax in axes)
    with pytest.raises(ValueError, match="'trees' must be a whole number"):
        plots.plot_forest(forest, trees=[3])


def test_colours_of_classes_are_okabe_and_ito():
    assert to_hex(canvas.colour_of(0)) == "#0072b2"
    assert canvas.colour_of(8) == canvas.colour_of(0)
