"""The gain ratio of C4.5, against the formula."""

import numpy as np
import pytest

from nonet import DecisionTreeClassifier


def entropy(classes, weights):
    fractions = np.bincount(classes, weights) / weights.sum()
    fractions = fractions[fractions > 0]
    return -(fractions * np.log2(fractions)).sum()


def best_gain_ratio(X, classes, weights):
    """Return the best ratio of all splits, its column and its threshold."""
    best = (-np.inf, -1, np.nan)
    for column, values in enumerate(X.T):
        for low, high in zip(np.unique(values)[:-1], np.unique(values)[1:], strict=True):
            left = values <= low
            fraction = weights[left].sum() / weights.sum()
            gain = (
                entropy(classes, weights)
                - fraction * entropy(classes[left], weights[left])
                - (1 - fraction) * entropy(classes[~left], weights[~left])
            )
            split_entropy = entropy(left.astype(int), weights)
            best = max(best, (gain / split_entropy, column, (low + high) / 2))
    return best


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("weighted", [False, True])
def test_stump_has_the_largest_gain_ratio(n_classes, weighted):
    random = np.random.default_rng(n_classes)
    for _ in range(20):
        X = random.integers(0, 8, size=(50, 3)).astype(float)
        classes = random.integers(0, n_classes, size=50)
        weights = random.uniform(0.5, 2, size=50) if weighted else np.ones(50)
        stump = DecisionTreeClassifier(criterion="gain_ratio", max_depth=1)
        tree = stump.fit(X, classes, sample_weight=weights).tree_
        _, column, threshold = best_gain_ratio(X, classes, weights)
        assert (tree.feature[0], tree.threshold[0]) == (column, threshold)
        assert tree.impurity[0] == pytest.approx(entropy(classes, weights))


def test_weights_mean_repetition():
    random = np.random.default_rng(0)
    X, classes = random.normal(size=(80, 3)), random.integers(0, 3, size=80)
    times = random.integers(1, 4, size=80)
    weighted = DecisionTreeClassifier(criterion="gain_ratio").fit(X, classes, sample_weight=times)
    repeated = DecisionTreeClassifier(criterion="gain_ratio")
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(classes, times))
    for part in ("feature", "threshold"):
        np.testing.assert_array_equal(getattr(weighted.tree_, part), getattr(repeated.tree_, part))


def test_several_targets_are_refused():
    X = np.arange(8.0).reshape(-1, 1)
    y = np.column_stack([X[:, 0] > 3, X[:, 0] > 5]).astype(int)
    with pytest.raises(ValueError, match="gain_ratio"):
        DecisionTreeClassifier(criterion="gain_ratio").fit(X, y)
