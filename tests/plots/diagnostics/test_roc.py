from __future__ import annotations

import numpy as np
import pytest

from nonet import plots
from nonet.diagnostics import roc_band

Y = np.tile([0, 1], 30)
SCORES = np.random.default_rng(0).normal(size=60) + Y
BAND = roc_band(Y, SCORES, folds=np.repeat([0, 1, 2], 20), n_resamples=30, random_state=0)


def test_curve_folds_and_chance_level_are_drawn():
    ax = BAND.plot()
    assert len(ax.lines) == 3 + 1 + 1
    np.testing.assert_array_equal(ax.lines[3].get_ydata(), BAND.tpr)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [f"AUC = {BAND.roc_auc:.2f}", "chance level (AUC = 0.50)"]


def test_several_models_have_one_line_and_one_band_each():
    ax = plots.plot_roc({"a": BAND, "b": BAND})
    assert len(ax.lines) == 3
    assert len(ax.collections) == 2


def test_rejects_nothing_and_other_things():
    with pytest.raises(ValueError, match="empty"):
        plots.plot_roc({})
    with pytest.raises(TypeError, match="plot_roc draws a ROCBand"):
        plots.plot_roc(3)
