from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from nonet.diagnostics import roc_band

RANDOM = np.random.default_rng(0)
Y = RANDOM.integers(2, size=200)
SCORES = RANDOM.normal(size=200) + 1.2 * Y
FOLDS = np.arange(200) % 4


def test_area_and_curve_against_sklearn():
    band = roc_band(Y, SCORES, n_resamples=50, random_state=0)
    assert band.roc_auc == pytest.approx(roc_auc_score(Y, SCORES))
    fpr, tpr, _ = roc_curve(Y, SCORES, drop_intermediate=False)
    np.testing.assert_allclose(band.tpr[1:], np.interp(band.fpr[1:], fpr, tpr))
    assert band.tpr[0] == 0
    assert band.tpr[-1] == 1


def test_folds_are_averaged_vertically_and_never_mixed():
    shifted = SCORES + 100 * FOLDS  # scores of different folds have no common scale
    band = roc_band(Y, shifted, folds=FOLDS, n_resamples=50, random_state=0)
    areas = [roc_auc_score(Y[fold == FOLDS], SCORES[fold == FOLDS]) for fold in range(4)]
    np.testing.assert_allclose(band.fold_auc, areas)
    assert band.roc_auc == pytest.approx(np.mean(areas))
    np.testing.assert_allclose(band.tpr, band.fold_tpr.mean(axis=0))
    pooled = roc_band(Y, shifted, n_resamples=50, random_state=0)
    assert pooled.roc_auc < band.roc_auc - 0.1


def test_interval_of_the_area_covers_the_truth():
    """Normal scores 1.2 apart: the area is Phi(1.2 / sqrt 2); 60 samples of 120 rows."""
    from scipy.stats import norm

    truth = norm.cdf(1.2 / np.sqrt(2))
    held = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        y = np.repeat([0, 1], 60)
        scores = random.normal(size=120) + 1.2 * y
        band = roc_band(y, scores, n_resamples=200, random_state=seed)
        held += band.auc_low < truth < band.auc_high
    assert held >= 52


def test_band_holds_the_curve_and_narrows_with_rows():
    few = roc_band(Y[:60], SCORES[:60], n_resamples=200, random_state=0)
    many = roc_band(Y, SCORES, n_resamples=200, random_state=0)
    assert (many.low <= many.tpr).mean() > 0.95
    assert (many.high >= many.tpr).mean() > 0.95
    assert (many.high - many.low).mean() < (few.high - few.low).mean()


def test_positive_label_may_be_the_first():
    names = np.array(["ill", "well"])[Y]
    usual = roc_band(names, SCORES, n_resamples=20)
    other = roc_band(names, -SCORES, pos_label="ill", n_resamples=20)
    assert usual.roc_auc == pytest.approx(other.roc_auc)


def test_is_deterministic():
    one, other = (roc_band(Y, SCORES, n_resamples=20, random_state=4) for _ in range(2))
    np.testing.assert_array_equal(one.low, other.low)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1, 2], [1, 2, 3]), {}, "two classes"),
        (([0, 1], [1, 2, 3]), {}, "one score"),
        (([0, 1], [1, np.nan]), {}, "finite"),
        (([0, 1, 0, 1], [1, 2, 3, 4]), {"folds": [0, 1, 2, 2]}, "both classes"),
        (([0, 1], [1, 2]), {"pos_label": 3}, "pos_label"),
        (([0, 1], [1, 2]), {"confidence_level": 1}, "confidence_level"),
        (([0, 1], [1, 2]), {"n_resamples": 1}, "n_resamples"),
    ],
)
def test_rejects(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        roc_band(*arguments, **options)


@pytest.mark.parametrize(
    ("y", "scores", "message"),
    [
        (Y, ["a"] * 200, "y_score must be numbers"),
        (None, None, "one label, one score|must be numbers"),
        ([None, *Y[1:]], SCORES, "y_true is missing in row 0"),
    ],
)
def test_rejects_what_is_not_labels_and_scores(y, scores, message):
    with pytest.raises((TypeError, ValueError), match=message):
        roc_band(y, scores)
