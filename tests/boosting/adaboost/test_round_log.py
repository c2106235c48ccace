from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification, make_hastie_10_2

from nonet import AdaBoostClassifier, DecisionStump, DecisionTreeClassifier
from nonet.boosting import AdaBoostStar
from nonet.theory import maximize_margin, signed_margins, training_bound

X, Y = make_hastie_10_2(300, random_state=0)


@pytest.fixture(scope="module")
def model():
    return AdaBoostClassifier(method="discrete", n_estimators=60).fit(X, Y)


def test_log_against_theory_has_the_sums_of_discrete_adaboost(model):
    log = model.round_log_
    np.testing.assert_allclose(log.z, 2 * np.sqrt(log.error * (1 - log.error)))
    np.testing.assert_allclose(log.product_bound, np.cumprod(log.z))
    assert log.product_bound[-1] == pytest.approx(training_bound(log.error))
    np.testing.assert_allclose(log.edge, 0.5 - log.error)


def test_log_against_naive_has_errors_and_losses_of_the_stages(model):
    log = model.round_log_
    errors = [1 - score for score in model.staged_score(X, Y)]
    np.testing.assert_allclose(log.training_error, errors, atol=1e-12)
    sizes = np.cumsum(log.alpha)
    stages = zip(sizes, model.staged_decision_function(X), strict=True)
    losses = [np.exp(-Y * scores / 2 * size).mean() for size, scores in stages]
    np.testing.assert_allclose(log.exponential_loss, losses, rtol=1e-9)


def test_margins_against_theory(model):
    signs = np.where(model.member_outputs(X) == 1, 1, -1)
    margins = signed_margins(Y, signs, model.round_log_.alpha)
    np.testing.assert_allclose(model.round_log_.margins, margins, atol=1e-12)
    assert model.round_log_.smallest_margin[-1] == pytest.approx(margins.min())


@pytest.mark.parametrize(
    "method",
    ["samme", "discrete", "mada", "confidence", "samme_r", "star", "gentle", "logit", "m2", "mh"],
)
@pytest.mark.parametrize("rate", [0.5, 1.0])
def test_training_error_against_theory_is_below_the_exponential_loss(method, rate):
    log = (
        AdaBoostClassifier(method=method, n_estimators=40, learning_rate=rate).fit(X, Y).round_log_
    )
    assert (log.training_error <= log.exponential_loss + 1e-12).all()
    if method not in ("mada", "logit"):
        assert (log.training_error <= log.product_bound + 1e-12).all()
        np.testing.assert_allclose(log.exponential_loss, log.product_bound)


@pytest.mark.parametrize("n_classes", [3, 4])
@pytest.mark.parametrize("method", ["samme", "m2", "mh"])
def test_bound_against_theory_holds_for_several_classes(n_classes, method):
    rows, labels = make_classification(300, 8, n_informative=6, n_classes=n_classes, random_state=0)
    base = DecisionTreeClassifier(max_depth=3)
    model = AdaBoostClassifier(base, n_estimators=15, method=method).fit(rows, labels)
    log = model.round_log_
    stages = [1 - score for score in model.staged_score(rows, labels)]
    np.testing.assert_allclose(log.training_error, stages, atol=1e-12)
    assert (log.training_error <= log.product_bound + 1e-12).all()
    assert (log.margins < 0).mean() <= log.training_error[-1] + 1e-12


@given(st.integers(0, 10_000), st.integers(8, 40), st.integers(1, 12))
def test_weights_after_the_update_against_theory_make_the_last_member_random(seed, n, n_rounds):
    rng = np.random.default_rng(seed)
    rows, labels = rng.integers(0, 6, size=(n, 3)), np.where(rng.uniform(size=n) < 0.5, -1, 1)
    labels[:2] = -1, 1
    one = AdaBoostClassifier(DecisionStump(), method="discrete", n_estimators=n_rounds)
    try:
        one.fit(rows, labels)
    except ValueError:
        return  # no stump is better than guessing
    if len(one.estimators_) < n_rounds or one.round_log_.error[-1] == 0:
        return  # boosting ended, no weights follow
    log = one.round_log_
    wrong = one.estimators_[-1].predict(rows) != labels
    after = log.last_weights * np.exp(np.where(wrong, log.alpha[-1], -log.alpha[-1]))
    assert after.sum() == pytest.approx(log.z[-1])
    assert after[wrong].sum() / after.sum() == pytest.approx(0.5)
    assert log.training_error[-1] <= log.product_bound[-1] + 1e-12


@pytest.mark.parametrize("method", ["discrete", "arc_gv", AdaBoostStar(0.05), "lp"])
def test_margin_against_theory_is_at_most_that_of_linear_programming(method):
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 5, size=(30, 4))
    labels = np.where(rows.sum(axis=1) + rng.normal(size=30) > 8, 1, -1)
    log = AdaBoostClassifier(DecisionStump(), method=method, n_estimators=800)
    smallest = log.fit(rows, labels).round_log_.smallest_margin.max()
    thresholds = [(j, c, s) for j in range(4) for c in np.arange(-0.5, 5) for s in (1, -1)]
    votes = np.column_stack(
        [s * np.where(rows[:, j] >= c, 1, -1) * labels for j, c, s in thresholds]
    )
    maximum = maximize_margin(votes)[0]
    assert smallest <= maximum + 1e-9
    if method == "lp":
        assert smallest == pytest.approx(maximum, abs=1e-5)


def test_effective_rows_against_naive_start_at_all_and_fall(model):
    log = model.round_log_
    assert log.effective_rows[0] == pytest.approx(300)
    assert log.effective_rows[-1] == pytest.approx(1 / (log.last_weights**2).sum())
    assert log.effective_rows[-1] < 300


def test_suspects_are_mostly_the_mislabelled_rows():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(400, 2))
    labels = (rows[:, 0] > 0).astype(int)
    flipped = rng.choice(400, 20, replace=False)
    labels[flipped] = 1 - labels[flipped]
    log = AdaBoostClassifier(n_estimators=20).fit(rows, labels).round_log_
    assert np.isin(log.suspects(20), flipped).mean() > 0.8


def test_suspects_reject_no_rows(model):
    with pytest.raises(ValueError, match="suspects: parameter 'n' must be"):
        model.round_log_.suspects(0)


def test_bounds_of_the_log_against_theory(model):
    log = model.round_log_
    assert log.training_error[-1] <= log.product_bound[-1] <= log.edge_bound()
    assert log.rounds_needed(0.1) >= np.log(10) / (2 * log.edge.min() ** 2)
    assert log.margin_bound(0.1, vc_dimension=11) > 1  # too loose to be of use


def test_held_out_error_against_naive_is_that_of_rows_not_learned_from():
    model = AdaBoostClassifier(n_estimators=10, hold_out=0.25, random_state=0).fit(X, Y)
    log = model.round_log_
    held = np.setdiff1d(np.arange(300), log.rows)
    assert len(held) == 75
    errors = [1 - score for score in model.staged_score(X[held], Y[held])]
    np.testing.assert_allclose(log.held_out_error, errors, atol=1e-12)


def test_held_out_rows_keep_groups_together():
    groups = np.arange(300) // 10
    model = AdaBoostClassifier(n_estimators=3, hold_out=0.3, random_state=0)
    log = model.fit(X, Y, groups=groups).round_log_
    held = np.setdiff1d(np.arange(300), log.rows)
    assert set(groups[held]) & set(groups[log.rows]) == set()


def test_hold_out_rejects_a_class_that_is_all_held_out():
    labels, groups = np.zeros(20, dtype=int), np.arange(20) // 10
    labels[10:] = 1
    with pytest.raises(ValueError, match="leaves no row of some class"):
        AdaBoostClassifier(hold_out=0.5).fit(np.arange(20)[:, None], labels, groups=groups)


def test_log_prints_and_draws_itself(model):
    assert "all rounds are done" in str(model.round_log_)
    assert len(model.round_log_) == 60
    assert model.round_log_.plot().get_xlabel() == "rounds"
