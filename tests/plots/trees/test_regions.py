from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from sklearn.datasets import make_blobs
from sklearn.ensemble import AdaBoostClassifier, BaggingRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression

import nonet
from nonet.decide import Abstain
from nonet.plots import canvas, plot_boosting_rounds, plot_decision_regions, plot_member_regions
from nonet.plots.boosting.boosting_rounds import row_weights
from nonet.plots.plane import Grid

X, CODES = make_blobs(90, centers=3, random_state=0)
Y = np.array(["a", "b", "c"])[CODES]
LINE = LogisticRegression().fit(X, Y)


def docs(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_every_class_has_its_dots_and_name():
    ax = plot_decision_regions(LINE, X, Y, resolution=30)
    dots = ax.lines
    assert [len(line.get_xdata()) for line in dots] == [30, 30, 30]
    assert [to_hex(line.get_color()) for line in dots] == list(canvas.CLASSES[:3])
    assert len({line.get_marker() for line in dots}) == 3
    assert docs(ax) == ["a", "b", "c"]


def test_regions_are_shaded_or_only_separated():
    filled = plot_decision_regions(LINE, X, resolution=30)
    lines = plot_decision_regions(LINE, X, resolution=30, fill=False)
    assert len(filled.collections) == len(lines.collections) + 1
    assert len(lines.collections) == 2
    assert lines.get_legend() is None


def test_names_of_columns_stand_at_the_axes():
    frame = pd.DataFrame(X, columns=["width", "height"])
    model = LogisticRegression().fit(frame, Y)
    ax = plot_decision_regions(model, frame, Y, resolution=9, title="plane")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("width", "height", "plane")


def test_silence_leaves_the_plane_white():
    model = nonet.VotingClassifier(
        [("line", LogisticRegression())], combine="mean", decide=Abstain(0.99, abstain_label="?")
    ).fit(X, Y)
    ax = plot_decision_regions(model, X, resolution=30)
    shades = [to_hex(colour) for colour in ax.collections[0].get_facecolor()]
    assert shades[0] == "#ffffff"


def test_grid_covers_all_rows():
    grid = Grid.around(X, 7)
    assert grid.points.shape == (49, 2)
    assert np.all(grid.points.min(axis=0) < X.min(axis=0))
    assert np.all(grid.points.max(axis=0) > X.max(axis=0))


def test_members_stand_beside_their_ensemble():
    forest = RandomForestClassifier(4, random_state=0).fit(X, Y)
    axes = plot_member_regions(forest, X, Y, members=[0, 3], resolution=15)
    assert [ax.get_title() for ax in axes] == [
        "DecisionTreeClassifier[0]",
        "DecisionTreeClassifier[3]",
        "RandomForestClassifier",
    ]
    assert axes[0].get_legend() is None
    assert axes[-1].get_legend() is not None


def test_regions_reject_what_cannot_be_drawn():
    with pytest.raises(ValueError, match=r"two columns, but X has shape \(90, 1\)"):
        plot_decision_regions(LINE, X[:, :1])
    with pytest.raises(ValueError, match="'resolution' must be"):
        plot_decision_regions(LINE, X, resolution=1)
    forest = RandomForestClassifier(2, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="'members' must be a whole number of at least 0 and at"):
        plot_member_regions(forest, X, members=[2])
    with pytest.raises(TypeError, match="draws a fitted ensemble of classifiers"):
        plot_member_regions(BaggingRegressor(n_estimators=2).fit(X, CODES), X, members=[0])


def test_point_areas_are_the_weights_of_the_round():
    boosted = AdaBoostClassifier(n_estimators=4, random_state=0).fit(X, Y)
    axes = plot_boosting_rounds(boosted, X, Y, rounds=[1, 3], resolution=9)
    assert [ax.get_title() for ax in axes] == ["round 1", "round 3"]
    first, third = (ax.collections[-1].get_sizes() for ax in axes)
    np.testing.assert_allclose(first, 60)
    assert third.max() > third.min()
    np.testing.assert_allclose(third.mean(), 60)


def test_weights_of_rows_against_the_formula():
    wrong = np.array([[True, False], [False, True], [False, False], [False, False]])
    weights = row_weights(wrong, [np.log(3), 1.0])
    np.testing.assert_allclose(weights[:, 0], 0.25)
    np.testing.assert_allclose(weights[:, 1], [1 / 2, 1 / 6, 1 / 6, 1 / 6])


def test_boosting_rounds_reject_other_ensembles_and_rounds():
    with pytest.raises(TypeError, match="draws a fitted AdaBoost classifier"):
        plot_boosting_rounds(RandomForestClassifier(2).fit(X, Y), X, Y)
    boosted = AdaBoostClassifier(n_estimators=2, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="'rounds' must be a whole number of at least 1"):
        plot_boosting_rounds(boosted, X, Y, rounds=[0])
