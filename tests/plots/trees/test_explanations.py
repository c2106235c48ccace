from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from nonet import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    shap_values,
    tree_dependence,
)

COLOR = np.array(["red", "blue", "green", "blue"] * 30)
TABLE = pd.DataFrame({"color": pd.Categorical(COLOR), "size": np.arange(120.0) % 7})
Y = (COLOR == "red") + TABLE["size"].to_numpy()


@pytest.fixture(scope="module")
def model():
    return HistGradientBoostingRegressor(max_iter=10).fit(TABLE, Y)


def test_one_column_is_a_curve_through_the_grid(model):
    result = tree_dependence(model, TABLE, "size")
    ax = result.plot()
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), result.grid[0])
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), result.values)
    assert ax.get_xlabel() == "size"


def test_categories_are_bars_with_names(model):
    ax = tree_dependence(model, TABLE, "color").plot()
    assert len(ax.patches) == 3
    assert [label.get_text() for label in ax.get_xticklabels()] == ["blue", "green", "red"]


def test_two_columns_are_a_map(model):
    result = tree_dependence(model, TABLE, ("color", "size"))
    ax = result.plot()
    assert ax.collections[0].get_array().shape == (7, 3)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("color", "size")
    assert ax.get_xticklabels()[0].get_text() == "blue"


def test_one_of_several_scores_is_drawn():
    y = np.digitize(Y, [2, 5])
    model = HistGradientBoostingClassifier(max_iter=5).fit(TABLE, y)
    result = tree_dependence(model, TABLE, "size")
    drawn = result.plot(score=2).lines[0].get_ydata()
    np.testing.assert_array_equal(drawn, result.values[:, 2])


def test_mean_fractions_are_bars_with_the_maximum_on_top(model):
    ax = shap_values(model, TABLE).plot()
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(widths)
    assert ax.get_yticklabels()[-1].get_text() == "size"
    assert len(shap_values(model, TABLE).plot(max_columns=1).patches) == 1
