from __future__ import annotations

import numpy as np
import pytest

from nonet import AdaBoostClassifier, DecisionStump


def naive_stump(X, y, weights, tie):
    """All splits: lowest column, then the threshold that ``tie`` names, then sign +1."""
    best = None
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        thresholds = (values[1:] + values[:-1]) / 2
        for threshold in thresholds if tie == "lowest" else thresholds[::-1]:
            for sign in (1, -1):
                wrong = sign * np.where(X[:, column] >= threshold, 1, -1) != y
                error = weights[wrong].sum()
                if best is None or error < best[0] - 1e-12:
                    best = error, column, threshold, sign
    return best[1:]


@pytest.mark.parametrize("tie", ["lowest", "highest"])
@pytest.mark.parametrize("seed", range(8))
def test_ties_against_naive(tie, seed):
    random = np.random.default_rng(seed)
    X, y = random.integers(4, size=(12, 3)).astype(float), np.repeat([-1, 1], 6)
    weights = random.integers(1, 3, size=12).astype(float)
    stump = DecisionStump(tie=tie).fit(X, y, weights)
    assert (stump.column_, stump.threshold_, stump.sign_) == naive_stump(X, y, weights, tie)


@pytest.mark.parametrize("tie", ["lowest", "highest"])
def test_boosting_breaks_ties_as_the_stump_does(tie):
    random = np.random.default_rng(0)
    X, y = random.integers(4, size=(30, 3)).astype(float), random.integers(2, size=30)
    model = AdaBoostClassifier(DecisionStump(tie=tie), n_estimators=3, method="discrete").fit(X, y)
    for member, weights in zip(model.estimators_, model.round_log_.weights, strict=False):
        alone = DecisionStump(tie=tie).fit(X, y, weights)
        assert (member.column_, member.threshold_, member.sign_) == (
            alone.column_,
            alone.threshold_,
            alone.sign_,
        )


@pytest.mark.parametrize("boosted", [False, True])
def test_rejects_another_tie(boosted):
    stump = DecisionStump(tie="middle")
    model = AdaBoostClassifier(stump) if boosted else stump
    with pytest.raises(ValueError, match="'tie' must be"):
        model.fit([[1.0], [2.0], [3.0]], [0, 1, 0])
