"""Tests of the metric of a run and its standard error."""

import numpy as np
import pytest
from sklearn.metrics import (
    f1_score,
    get_scorer_names,
    jaccard_score,
    log_loss,
    mean_absolute_error,
    precision_score,
    recall_score,
    roc_auc_score,
    root_mean_squared_error,
)

from nonet.auto.metric import check_metric, resolve_metric

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 2, 400)
SECOND = np.clip(0.5 + 0.3 * (CODES - 0.5) + 0.2 * RNG.standard_normal(400), 0.01, 0.99)
PROBABILITIES = np.column_stack([1 - SECOND, SECOND])
LABELS = np.array(["no", "yes"])
VALUES = RNG.standard_normal(400)
GUESSES = VALUES + RNG.standard_normal(400)


@pytest.mark.parametrize("name", [None, "log_loss", "neg_log_loss"])
def test_log_loss_against_sklearn(name):
    metric = resolve_metric(name, "classification", LABELS)
    assert metric.loss(CODES, PROBABILITIES) == pytest.approx(log_loss(CODES, PROBABILITIES))
    assert (metric.name, metric.better) == ("log_loss", "smaller")


def test_scores_are_shown_with_their_own_sign_against_sklearn():
    auc = resolve_metric("roc_auc", "classification", LABELS)
    assert auc.shown(auc.loss(CODES, PROBABILITIES)) == pytest.approx(roc_auc_score(CODES, SECOND))
    mae = resolve_metric("neg_mean_absolute_error", "regression", None)
    expected = mean_absolute_error(VALUES, GUESSES)
    assert mae.shown(mae.loss(VALUES, GUESSES)) == pytest.approx(expected)
    assert (auc.better, mae.better) == ("larger", "smaller")


@pytest.mark.parametrize("classes", [["no", "yes"], [2, 1], [1, 2], [-1, 1], [False, True]])
@pytest.mark.parametrize(
    ("name", "score"),
    [
        ("f1", f1_score),
        ("precision", precision_score),
        ("recall", recall_score),
        ("jaccard", jaccard_score),
    ],
)
def test_scores_of_one_class_are_about_the_last_one_against_sklearn(name, score, classes):
    metric = resolve_metric(name, "classification", np.array(classes))
    expected = score(CODES, PROBABILITIES.argmax(axis=1), pos_label=1)
    assert metric.shown(metric.loss(CODES, PROBABILITIES)) == pytest.approx(expected)


def test_scorer_of_the_user_gets_the_labels():
    seen = []

    def fraction_of_yes(model, X, y):
        seen.append(set(y) | set(model.predict(X)))
        return float(np.mean(model.predict(X) == "yes"))

    metric = resolve_metric(fraction_of_yes, "classification", LABELS)
    assert metric.shown(metric.loss(CODES, PROBABILITIES)) == np.mean(SECOND > 0.5)
    assert seen == [{"no", "yes"}]


@pytest.mark.parametrize("name", ["f1", "precision", "recall", "jaccard", "roc_auc"])
def test_score_of_two_classes_is_refused_for_three_with_those_that_are_not(name):
    three = resolve_metric(name, "classification", np.array(["a", "b", "c"]))
    with pytest.raises(ValueError, match=f"this target has 3; choose {name}_") as caught:
        check_metric(three, np.arange(9) % 3, 3)
    words = str(caught.value).replace(",", " ").rstrip(".").split()
    named = [word for word in words if word.startswith(f"{name}_")]
    assert len(named) >= 2
    assert set(named) <= set(get_scorer_names())
    for other in named:
        check_metric(resolve_metric(other, "classification", three.classes), np.arange(9) % 3, 3)


def test_score_that_constant_predictions_do_not_define_is_checked_without_a_warning():
    check_metric(resolve_metric("precision", "classification", LABELS), CODES, 2)


def test_root_mean_squared_error_with_weights_against_sklearn():
    weight = RNG.random(400)
    metric = resolve_metric(None, "regression", None)
    expected = root_mean_squared_error(VALUES, GUESSES, sample_weight=weight)
    assert metric.loss(VALUES, GUESSES, weight) == pytest.approx(expected)


def test_standard_error_of_a_mean_against_theory():
    metric = resolve_metric(None, "classification", LABELS)
    losses = -np.log(PROBABILITIES[np.arange(400), CODES])
    theory = losses.std(ddof=1) / np.sqrt(400)
    assert metric.standard_error(CODES, PROBABILITIES) == pytest.approx(theory, rel=0.25)


def test_standard_error_of_groups_is_that_of_their_means():
    groups = np.repeat(np.arange(40), 10)
    y = np.repeat(np.random.default_rng(1).standard_normal(40), 10)
    metric = resolve_metric("neg_mean_absolute_error", "regression", None)
    alone = metric.standard_error(y, np.zeros(400))
    together = metric.standard_error(y, np.zeros(400), groups=groups)
    assert together > 2 * alone


def test_difference_of_equal_predictions_has_no_error():
    metric = resolve_metric(None, "regression", None)
    assert metric.standard_error(VALUES, GUESSES, reference=GUESSES) == 0


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_metric_rejects_unknown_names_and_those_of_the_other_task(task):
    wrong = "rmse" if task == "classification" else "log_loss"
    for name in ("no_such_metric", wrong, 3):
        with pytest.raises(ValueError, match="metric"):
            resolve_metric(name, task, None)


@pytest.mark.parametrize("metric", [None, "accuracy", "roc_auc"])
def test_standard_error_of_flawless_predictions_is_not_zero(metric):
    y = np.arange(60) % 2
    sure = np.where(y[:, np.newaxis] == np.arange(2), 0.99, 0.01)
    resolved = resolve_metric(metric, "classification", np.array(["no", "yes"]))
    error = resolved.standard_error(y, sure)
    one_wrong = {None: np.log(2 * 61) / 61, "accuracy": 1 / 61, "roc_auc": 1 / 31}[metric]
    assert error == pytest.approx(one_wrong, rel=0.05)
    unsure = 0.5 + 0.3 * np.sin(np.arange(60.0))
    two = np.column_stack([1 - unsure, unsure])
    own_loss = -np.log(two[np.arange(60), y])
    if metric is None:  # usual errors stay as they are
        assert resolved.standard_error(y, two) == pytest.approx(own_loss.std() / 60**0.5, rel=0.2)


@pytest.mark.parametrize("n_positive", [20, 40])
def test_standard_error_of_flawless_recall_is_not_zero_whatever_class_is_larger(n_positive):
    y = (np.arange(60) < n_positive).astype(int)
    sure = np.where(y[:, np.newaxis] == np.arange(2), 0.99, 0.01)
    recall = resolve_metric("recall", "classification", LABELS)
    assert recall.standard_error(y, sure) == pytest.approx(1 / (n_positive + 1))


@pytest.mark.parametrize("name", ["log_loss", "rmse"])
def test_sums_of_own_losses_against_naive(name):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400) if name == "log_loss" else rng.normal(size=400)
    predictions = rng.dirichlet(np.ones(3), 400) if name == "log_loss" else rng.normal(size=400)
    weight = rng.uniform(0.5, 2.0, 400)
    part = np.arange(400) % 7
    classes = np.arange(3) if name == "log_loss" else None
    task = "regression" if classes is None else "classification"
    metric = resolve_metric(name, task, classes)
    naive = [metric.loss(y[part != p], predictions[part != p], weight[part != p]) for p in range(7)]
    np.testing.assert_allclose(metric._losses_without(part, y, predictions, weight), naive)
