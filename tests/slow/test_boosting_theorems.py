"""What is proved and claimed of boosting, at sizes that show it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_hastie_10_2

from nonet import AdaBoostClassifier, DecisionStump, DecisionTreeClassifier
from nonet.theory import rounds_to_fit

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("method", ["discrete", "confidence", "samme_r", "gentle", "m2", "mh"])
def test_training_error_against_theory_is_below_the_bound_at_every_round(method):
    for seed in range(20):
        X, y = make_hastie_10_2(400, random_state=seed)
        log = AdaBoostClassifier(method=method, n_estimators=200).fit(X, y).round_log_
        assert (log.training_error <= log.product_bound + 1e-12).all()


def test_training_error_against_theory_is_gone_after_logarithmically_many_rounds():
    for n_rows in (100, 400, 1600):
        X, y = make_hastie_10_2(n_rows, random_state=1)
        base = DecisionTreeClassifier(max_depth=5)
        model = AdaBoostClassifier(base, method="discrete", n_estimators=400).fit(X, y)
        log = model.round_log_
        fitted = int(np.argmax(log.training_error == 0)) + 1
        edge = float(log.edge[:fitted].min())
        assert log.training_error[-1] == 0
        assert fitted <= rounds_to_fit(edge, n_rows)


def test_margins_and_test_error_improve_after_the_last_training_error():
    gains = []
    for seed in range(8):
        X, y = make_hastie_10_2(1200, random_state=seed)
        model = AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=4), n_estimators=300, hold_out=0.5, random_state=seed
        )
        log = model.fit(X, y).round_log_
        fitted = int(np.argmax(log.training_error == 0))
        assert log.smallest_margin[-1] > log.smallest_margin[fitted] + 0.05
        gains.append(log.held_out_error[fitted] - log.held_out_error[-1])
    assert np.mean(gains) > 3 * np.std(gains, ddof=1) / np.sqrt(len(gains))


def error_under_noise(base, n_rounds, noise, seed):
    X, y = make_hastie_10_2(4500, random_state=seed)
    given = y[:500].copy()
    given[np.random.default_rng(seed).uniform(size=500) < noise] *= -1
    model = AdaBoostClassifier(base, n_estimators=n_rounds).fit(X[:500], given)
    return 1 - model.score(X[500:], y[500:])


@pytest.mark.parametrize("base", [DecisionStump(), DecisionTreeClassifier(max_depth=2)], ids=repr)
def test_label_noise_hurts_boosting(base):
    losses = [
        error_under_noise(base, 200, 0.3, seed) - error_under_noise(base, 200, 0.0, seed)
        for seed in range(6)
    ]
    assert np.mean(losses) > 0.05
    assert np.mean(losses) > 3 * np.std(losses, ddof=1) / np.sqrt(len(losses))


def test_label_noise_hurts_trees_of_depth_two_more_than_those_of_depth_one():
    def loss(base, seed):
        return error_under_noise(base, 200, 0.3, seed) - error_under_noise(base, 200, 0.0, seed)

    gaps = [
        loss(DecisionTreeClassifier(max_depth=2), seed)
        - loss(DecisionTreeClassifier(max_depth=1), seed)
        for seed in range(6)
    ]
    assert np.mean(gaps) > 2 * np.std(gaps, ddof=1) / np.sqrt(len(gaps))


def test_margin_bound_against_theory_is_too_loose_to_be_of_use():
    X, y = make_hastie_10_2(2000, random_state=0)
    log = AdaBoostClassifier(n_estimators=200).fit(X, y).round_log_
    bounds = [log.margin_bound(margin, vc_dimension=6) for margin in (0.05, 0.1, 0.2, 0.5)]
    assert min(bounds) > 1
