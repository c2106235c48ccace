"""Greedy selection against a brute-force version, with scorers, bags and ties."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, make_scorer, max_error, roc_auc_score

from nonet.combine.blend_scores import ReadyClassifier, log_loss_scores, squared_error_scores
from nonet.combine.greedy import select_greedily
from nonet.combine.held_out import check_held_out
from nonet.combine.weights import BestMember, GreedySelection

CLASSES = np.array(["a", "b", "c"])


def draw_regression(seed=0, n=40, k=5):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y[:, np.newaxis] + rng.normal(size=(n, k)) * rng.uniform(0.3, 1.5, size=k), y


def draw_probabilities(seed=0, n=60, k=5, c=3):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % c)
    scores = rng.normal(size=(n, k, c)) + (np.arange(c) == y[:, np.newaxis, np.newaxis])
    exponents = np.exp(scores * rng.uniform(0.5, 2, size=(k, 1)))
    return exponents / exponents.sum(axis=2, keepdims=True), y


def select_naively(outputs, score, n_rounds):
    """Caruana's loop, written out: each blend is averaged and scored from scratch."""
    picks, reached = [], []
    for _ in range(n_rounds):
        scores = [score(outputs[:, [*picks, m]].mean(axis=1)) for m in range(outputs.shape[1])]
        picks.append(int(np.argmax(scores)))
        reached.append(max(scores))
    kept = picks[: int(np.argmax(reached)) + 1]
    return np.bincount(kept, minlength=outputs.shape[1]) / len(kept)


@pytest.mark.parametrize("seed", range(5))
def test_squared_error_against_naive(seed):
    outputs, y = draw_regression(seed)
    naive = select_naively(outputs, lambda blend: -np.mean((blend - y) ** 2), 20)
    np.testing.assert_allclose(GreedySelection(n_rounds=20).find(outputs, y), naive)


@pytest.mark.parametrize("seed", range(5))
def test_log_loss_against_naive(seed):
    outputs, y = draw_probabilities(seed)
    naive = select_naively(outputs, lambda blend: -log_loss(y, blend), 20)
    np.testing.assert_allclose(GreedySelection(n_rounds=20).find(outputs, y, CLASSES), naive)


def test_roc_auc_against_naive():
    outputs, y = draw_probabilities(c=2)
    naive = select_naively(outputs, lambda blend: roc_auc_score(y, blend[:, 1]), 10)
    finder = GreedySelection("roc_auc", n_rounds=10)
    np.testing.assert_allclose(finder.find(outputs, y, ["no", "yes"]), naive)


@pytest.mark.parametrize("weighted", [False, True])
def test_default_scores_are_those_of_sklearn_scorers(weighted):
    weight = np.random.default_rng(0).uniform(size=60) if weighted else None
    outputs, y = draw_probabilities(1)
    default, named = GreedySelection(n_rounds=15), GreedySelection("neg_log_loss", n_rounds=15)
    np.testing.assert_allclose(
        default.find(outputs, y, CLASSES, weight), named.find(outputs, y, CLASSES, weight)
    )
    outputs, y = draw_regression(1, n=60)
    named = GreedySelection("neg_root_mean_squared_error", n_rounds=15)
    np.testing.assert_allclose(
        default.find(outputs, y, None, weight), named.find(outputs, y, None, weight)
    )


@pytest.mark.parametrize(
    ("scoring", "n_classes"),
    [
        ("accuracy", 3),
        ("balanced_accuracy", 2),
        ("f1_macro", 3),
        ("neg_log_loss", 3),
        ("neg_brier_score", 2),
        ("roc_auc", 2),
        ("roc_auc_ovr", 3),
        ("average_precision", 2),
        ("top_k_accuracy", 3),
        (make_scorer(f1_score, pos_label="b"), 2),
        (lambda estimator, X, y: np.mean(estimator.predict(X) == y), 3),
    ],
)
@pytest.mark.parametrize("finder", [GreedySelection, BestMember])
def test_scorers_of_classification_work(finder, scoring, n_classes):
    outputs, y = draw_probabilities(2, c=n_classes)
    # Scorers with the default pos_label=1 want numbers as labels, ours names the label "b".
    classes = np.arange(n_classes) if isinstance(scoring, str) else CLASSES[:n_classes]
    found = finder(scoring).find(outputs, y, classes)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "scoring",
    ["r2", "neg_root_mean_squared_error", "neg_median_absolute_error", "explained_variance"],
)
@pytest.mark.parametrize("n_targets", [1, 2])
def test_scorers_of_regression_work(scoring, n_targets):
    outputs, y = draw_regression(3, n=60)
    shaped = outputs.reshape(-1, n_targets, 5).transpose(0, 2, 1)
    found = GreedySelection(scoring, n_rounds=5).find(shaped, y.reshape(-1, n_targets))
    assert found.sum() == pytest.approx(1)


def test_blend_is_never_worse_than_best_member():
    for seed in range(10):
        outputs, y = draw_regression(seed, k=3)
        for n_init in (1, 3):
            found = GreedySelection(n_init=n_init).find(outputs, y)
            best = np.mean((outputs - y[:, np.newaxis]) ** 2, axis=0).min()
            assert np.mean((outputs @ found - y) ** 2) <= best + 1e-12


def test_sorted_start_takes_best_members_in_order():
    outputs, y = draw_regression(4)
    scores = squared_error_scores(check_held_out(outputs, y))
    way = select_greedily(scores, 5, n_rounds=8, n_init=4)
    errors = np.mean((outputs - y[:, np.newaxis]) ** 2, axis=0)
    np.testing.assert_array_equal(way.order[:4], np.argsort(errors)[:4])
    means = [np.mean((outputs[:, way.order[:r]].mean(axis=1) - y) ** 2) for r in range(1, 9)]
    np.testing.assert_allclose(way.scores, -np.array(means), rtol=1e-9)


def test_copies_go_to_the_first_and_stay_with_the_used():
    outputs, y = draw_regression(5, k=2)
    alone = GreedySelection().find(outputs, y)
    with_copies = GreedySelection().find(outputs[:, [0, 1, 0, 1, 1]], y)
    np.testing.assert_allclose(with_copies, [*alone, 0, 0, 0])


def test_equal_scores_prefer_used_member():
    # Member 2 is best alone; then 0 and 2 are equally good additions, and 2 is in the blend.
    scores = {0: np.array([0.0, 0.0, 1.0]), 1: np.array([2.0, 0.0, 2.0])}
    way = select_greedily(
        lambda counts, candidates: scores[int(counts.sum())][candidates], 3, n_rounds=2
    )
    np.testing.assert_array_equal(way.order, [2, 2])


def test_bags_average_selections_of_parts_against_naive():
    outputs, y = draw_regression(6, k=6)
    finder = GreedySelection(n_bags=4, bag_fraction=0.5, n_rounds=10, random_state=1)
    bags = finder._bags(check_held_out(outputs, y))
    assert [len(bag) for bag in bags] == [3, 3, 3, 3]
    assert len({tuple(bag) for bag in bags}) > 1
    expected = np.zeros(6)
    for bag in bags:
        expected[bag] += GreedySelection(n_rounds=10).find(outputs[:, bag], y) / 4
    np.testing.assert_allclose(finder.find(outputs, y), expected)


def test_bags_is_deterministic_and_more_bags_keep_the_first():
    outputs, y = draw_regression(7, k=8)
    held_out = check_held_out(outputs, y)
    few = GreedySelection(n_bags=3, random_state=5)
    many = GreedySelection(n_bags=6, random_state=5)
    np.testing.assert_array_equal(few._bags(held_out), many._bags(held_out)[:3])
    np.testing.assert_array_equal(few.find(outputs, y), few.find(outputs, y))


def test_whole_bags_are_no_bags():
    outputs, y = draw_regression(8)
    np.testing.assert_allclose(
        GreedySelection(n_bags=3, bag_fraction=1.0, random_state=0).find(outputs, y),
        GreedySelection().find(outputs, y),
    )


def test_log_loss_does_not_depend_on_blocks(monkeypatch):
    outputs, y = draw_probabilities(3)
    held_out = check_held_out(outputs, y, CLASSES)
    whole = log_loss_scores(held_out)(np.ones(5), np.arange(5))
    monkeypatch.setattr("nonet.combine.blend_scores._ROWS_AT_ONCE", 7)
    np.testing.assert_allclose(log_loss_scores(held_out)(np.ones(5), np.arange(5)), whole)


def test_silent_rows_of_votes_are_finite_and_favour_no_class():
    votes = np.array([[-1, -1], [0, -1], [1, 1]])
    found = GreedySelection().find(votes, [0, 0, 1], ["no", "yes"])
    np.testing.assert_allclose(found, [1, 0])
    ready = ReadyClassifier(np.array(["no", "yes"]))
    np.testing.assert_allclose(
        ready.predict_proba(np.array([[0.0, 0.0], [0.0, 0.5]])), [[0.5, 0.5], [0.0, 1.0]]
    )


def test_negative_supports_work_for_scores_of_labels():
    outputs, y = draw_probabilities(4)
    found = GreedySelection("accuracy", n_rounds=5).find(np.log(outputs), y, CLASSES)
    assert found.sum() == pytest.approx(1)


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_log_loss_rejects_negative_supports(scoring):
    outputs, y = draw_probabilities(4)
    with pytest.raises(ValueError, match="negative supports"):
        GreedySelection(scoring).find(np.log(outputs), y, CLASSES)


def test_scoring_rejects_sample_weight_it_cannot_take():
    outputs, y = draw_regression()
    finder = GreedySelection(make_scorer(max_error, greater_is_better=False))
    with pytest.raises(TypeError, match="takes no sample_weight; choose a scoring that does"):
        finder.find(outputs, y, sample_weight=np.ones(len(y)))


def test_scoring_keeps_type_errors_of_its_own():
    def broken(estimator, X, y):
        raise TypeError("this score is broken")

    outputs, y = draw_regression()
    with pytest.raises(TypeError, match="this score is broken"):
        GreedySelection(broken).find(outputs, y)


def test_scoring_rejects_nan_scores():
    outputs, y = draw_regression()
    with pytest.raises(ValueError, match="gives nan on these 40 held-out rows"):
        GreedySelection(lambda estimator, X, y: np.nan).find(outputs, y)
