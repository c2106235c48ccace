"""Tests of the blend: weights, and predictions that no weight was fitted on."""

import numpy as np
import pytest

from nonet.auto.blend import PRIOR_ROWS, find_blend, smooth
from nonet.auto.fold_blend import SmoothedCombination
from nonet.auto.held_out import Page
from nonet.auto.metric import resolve_metric


def make_page(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.standard_normal(n_rows)
    noise = rng.standard_normal((n_rows, 3)) * [0.5, 0.5, 3.0]
    outputs = (y[:, np.newaxis] + noise)[:, :, np.newaxis]
    folds = np.arange(n_rows) % 5
    page = Page(["a", "b", "bad"], np.arange(n_rows), folds, outputs, list(range(5)))
    return page, y


METRIC = resolve_metric(None, "regression", None)


def test_blend_of_two_good_members_beats_each_and_leaves_out_the_bad():
    page, y = make_page()
    blend = find_blend(page, y, METRIC)
    alone = [METRIC.loss(y, page.outputs[:, m, 0]) for m in range(2)]
    assert blend.loss < min(alone)
    assert blend.weights[blend.names.index("a")] == pytest.approx(0.5, abs=0.15)
    assert "bad" not in blend.names or blend.weights[-1] < 0.1


def test_predictions_of_a_fold_do_not_depend_on_its_targets():
    page, y = make_page()
    before = find_blend(page, y, METRIC).support
    changed = y.copy()
    held = page.folds == 2
    changed[held] += 0.01 * np.random.default_rng(3).standard_normal(held.sum())
    after = find_blend(page, changed, METRIC).support
    np.testing.assert_array_equal(before[held], after[held])
    assert (before[~held] != after[~held]).any()


def test_temperature_softens_probabilities_that_are_too_sure():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 2000)
    right = np.where(rng.random(2000) < 0.7, y, 1 - y)
    second = np.where(right == 1, 0.99, 0.01)
    outputs = np.column_stack([1 - second, second])[:, np.newaxis]
    page = Page(["sure"], np.arange(2000), np.arange(2000) % 5, outputs, list(range(5)))
    metric = resolve_metric(None, "classification", np.array([0, 1]))
    blend = find_blend(page, y, metric)
    assert blend.temperature is not None
    assert blend.support[:, 1].max() == pytest.approx(0.7, abs=0.03)


def test_files_of_earlier_versions_smooth_by_one_row():
    """A file that knows no ``prior_rows`` predicts what it did when it was written."""
    known = {"combination": lambda outputs, X: outputs[:, 0], "temperature": None, "n_rows": 9.0}
    former = object.__new__(SmoothedCombination)
    former.__dict__.update(known)
    outputs = np.array([[[0.0, 1.0]]])
    np.testing.assert_allclose(former(outputs), [[0.05, 0.95]])
    now = SmoothedCombination(**known, prior_rows=PRIOR_ROWS)
    np.testing.assert_array_equal(now(outputs), smooth(outputs[:, 0], 9.0))
    assert now(outputs)[0, 0] < former(outputs)[0, 0]
