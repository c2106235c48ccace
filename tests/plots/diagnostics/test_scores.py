from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex

from nonet.plots import canvas, plot_scores

SCORES = {"tree": [0.80, 0.90], "vote": [0.95, 0.97], "knn": [0.70, 0.72]}


def labels_of(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def bold_dots(ax):
    return {
        (line.get_xdata()[0], line.get_ydata()[0]): to_hex(line.get_color())
        for line in ax.lines
        if line.get_markersize() == 9
    }


def test_plot_scores_puts_the_best_on_top():
    assert labels_of(plot_scores(SCORES)) == ["knn", "tree", "vote"]


def test_plot_scores_marks_means_and_tells_ensembles_from_members():
    dots = bold_dots(plot_scores(SCORES, ensembles=["vote"]))
    assert {(round(x, 6), y): color for (x, y), color in dots.items()} == {
        (0.71, 0): canvas.MEMBER,
        (0.85, 1): canvas.MEMBER,
        (0.96, 2): canvas.ENSEMBLE,
    }


def test_plot_scores_draws_a_line_at_the_best_member():
    ax = plot_scores(SCORES, ensembles=["vote"])
    (line,) = [line for line in ax.lines if line.get_label() == "best member"]
    assert line.get_xdata() == pytest.approx([0.85, 0.85])


def test_plot_scores_without_members_draws_no_line():
    ax = plot_scores({"vote": 0.9}, ensembles=["vote"])
    assert [line for line in ax.lines if line.get_label() == "best member"] == []


def test_plot_scores_shows_every_single_score():
    ax = plot_scores({"vote": [0.90, 0.91, 0.95]})
    (cloud,) = [line for line in ax.lines if line.get_markersize() == 4]
    np.testing.assert_array_equal(cloud.get_xdata(), [0.90, 0.91, 0.95])


def test_plot_scores_takes_plain_numbers_and_given_axes():
    _, ax = pyplot.subplots()
    assert plot_scores({"tree": 0.9}, ax, label="accuracy") is ax
    assert ax.get_xlabel() == "accuracy"
    assert [text.get_text() for text in ax.texts] == ["0.900"]


@pytest.mark.parametrize(
    ("scores", "ensembles", "sentence"),
    [
        ({}, [], "scores is empty"),
        ({"tree": 0.9}, ["vote"], r"ensembles must be names in scores \['tree'\], but got"),
        ({"tree": [0.9, np.nan]}, [], r"scores\['tree'\] must be finite numbers, but got"),
        ({"tree": []}, [], r"scores\['tree'\] must be finite numbers"),
        ({"tree": [[0.9]]}, [], r"scores\['tree'\] must be finite numbers"),
    ],
)
def test_plot_scores_rejects_bad_scores(scores, ensembles, sentence):
    with pytest.raises(ValueError, match=sentence):
        plot_scores(scores, ensembles=ensembles)


def test_boxes_show_the_quartiles_of_the_scores():
    values = np.random.default_rng(0).normal(size=41)
    ax = plot_scores({"a": values, "b": values + 1}, kind="box")
    medians = [line.get_xdata()[0] for line in ax.lines if line.get_linewidth() == 2.5]
    np.testing.assert_allclose(medians, [np.median(values), np.median(values) + 1])
    quartiles = np.quantile(values, [0.25, 0.75])
    box = ax.lines[0].get_xdata()
    np.testing.assert_allclose([min(box), max(box)], quartiles)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]


def test_kind_is_checked():
    with pytest.raises(ValueError, match="'kind' must be"):
        plot_scores({"a": [1.0]}, kind="violin")


def test_columns_of_a_frame_are_models():
    assert labels_of(plot_scores(pd.DataFrame(SCORES))) == labels_of(plot_scores(SCORES))
