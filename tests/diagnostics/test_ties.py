"""Issue 18, items A.4 and A.6: one rule for ties, and no part that depends on their order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone

import nonet
from diagnostics.matrices import LABELS, NAMES, VOTES, X
from nonet.diagnostics import decompose_loss, error_curve, margin_growth, record_predictions
from nonet.diagnostics.ties import find_leaders, first_leader, split_ties

TRAIN, TEST = slice(0, 200), slice(200, 300)
MODELS = {name: model for name, model in VOTES.items() if "adaboost" not in name}


def errors_of(model, X, y, **settings):
    """Return the error of the same ensemble on the same rows, as each diagnostic reports it."""
    curve = {"X": X, "y": y} if not settings else {"train": (X, y), **settings}
    return {
        "ambiguity": nonet.ambiguity(model, X, y, **settings).error,
        "error_curve": list(error_curve(model, **curve).errors.values())[-1][-1],
        "margins": nonet.margins(model, X, y, **settings).error,
        "strength": nonet.strength_correlation(model, X, y, **settings).error,
        "correctness": 1 - nonet.correctness(model, X, y, **settings).accuracy,
        "gains": nonet.possible_gains(model, X, y, n_parts=2, random_state=0, **settings).error,
    }


@pytest.mark.parametrize("name", MODELS)
def test_all_diagnostics_report_the_error_of_the_ensemble(name):
    """Issue 18, item A.6: a forest had three errors on the same rows."""
    model = clone(MODELS[name]).fit(X[TRAIN], NAMES[TRAIN])
    error = np.mean(model.predict(X[TEST]) != NAMES[TEST])
    found = errors_of(model, X[TEST], NAMES[TEST])
    assert found == pytest.approx(dict.fromkeys(found, error), abs=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        nonet.RandomForestClassifier(10, oob_score=True, random_state=0),
        nonet.RandomForestClassifier(10, max_depth=2, oob_score=True, random_state=0),
        nonet.BaggingClassifier(n_estimators=16, oob_score=True, random_state=0),
    ],
)
def test_all_diagnostics_report_the_same_error_out_of_bag(model):
    model.fit(X, NAMES)
    found = errors_of(model, X, NAMES, out_of_bag=True)
    assert found == pytest.approx(dict.fromkeys(found, 1 - model.oob_score_), abs=1e-12)


@given(LABELS)
def test_curve_of_votes_gives_a_tie_to_the_first_class_against_naive(labels):
    truth = labels[:, 0]
    predictions = record_predictions(labels, truth, classes=[0, 1, 2])
    naive = [
        np.mean([np.bincount(row[:t]).argmax() != y for row, y in zip(labels, truth, strict=True)])
        for t in range(1, labels.shape[1] + 1)
    ]
    np.testing.assert_allclose(error_curve(predictions).errors["test"], naive)
    np.testing.assert_allclose(margin_growth(predictions).error, naive)


def test_curve_of_a_forest_averages_the_probabilities_of_its_first_trees():
    forest = nonet.RandomForestClassifier(7, max_depth=2, random_state=0)
    forest.fit(X[TRAIN], NAMES[TRAIN])
    trees = [tree.predict_proba(X[TEST]) for tree in forest.estimators_]
    naive = [
        np.mean(forest.classes_[np.mean(trees[:t], axis=0).argmax(axis=1)] != NAMES[TEST])
        for t in range(1, 8)
    ]
    curve = error_curve(forest, X[TEST], NAMES[TEST])
    np.testing.assert_allclose(curve.errors["test"], naive)
    assert curve.loss == "zero_one"


def test_leaders_are_equal_up_to_rounding():
    votes = np.array([[0.3, 0.1 + 0.2, 0.0], [0.1, 0.2, 0.7]])
    assert find_leaders(votes).tolist() == [[True, True, False], [False, False, True]]
    assert first_leader(votes).tolist() == [0, 2]
    assert split_ties(votes).tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


@pytest.mark.parametrize("y", [0, 1])
def test_domingos_splits_a_tie_of_the_main_prediction(y):
    """Issue 18, item A.4: bias was 0 for one label and 1 for the other."""
    parts = decompose_loss([[0, 1, 0, 1]], [y], loss="domingos", classes=[0, 1])
    assert (parts.error, parts.bias, parts.variance, parts.noise) == (0.5, 0.5, 0.0, 0.0)


@given(LABELS)
def test_domingos_does_not_depend_on_the_order_of_labels(labels):
    """Issue 18, item A.4, with replicates, whose best label may be tied too."""
    mirrored = 2 - labels
    one, other = (
        decompose_loss(table[:, 1:], table[:, :2], loss="domingos", classes=[0, 1, 2])
        for table in (labels, mirrored)
    )
    for part in ("error", "bias", "variance", "noise"):
        np.testing.assert_allclose(one.by_row[part], other.by_row[part], atol=1e-12)


def test_domingos_takes_a_main_prediction_that_is_as_good_as_the_best_for_unbiased():
    parts = decompose_loss([[1, 1, 1]], [[0, 1]], loss="domingos", classes=[0, 1])
    assert (parts.bias, parts.variance, parts.noise) == (0.0, 0.0, 0.5)
