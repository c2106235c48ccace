"""Issue 19, part 2: ``decide=`` of all gradient boosters, against ten lines of NumPy."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

import nonet
from nonet.decide import Abstain, Argmax, MinimumCost, Threshold

rng = np.random.default_rng(1)
X = rng.normal(size=(240, 4))
VALUES = X[:, 0] * 2 + np.abs(X[:, 1]) + 0.5 * rng.normal(size=240)
TWO = np.where(VALUES + rng.normal(size=240) > 2, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(VALUES, [0.0, 1.5])]
GROUPS = rng.integers(0, 30, size=240)
WEIGHTS = rng.integers(0, 3, size=240).astype(float)

HIST = nonet.HistGradientBoostingClassifier(max_iter=10, random_state=0)
CLASSIC = nonet.GradientBoostingClassifier(n_estimators=10, random_state=0)
TREES = nonet.BoostedTreesClassifier(n_estimators=10, random_state=0)
CLASSIFIERS = [HIST, CLASSIC, TREES]
REGRESSORS = [
    nonet.HistGradientBoostingRegressor(max_iter=10, random_state=0),
    nonet.GradientBoostingRegressor(n_estimators=10, random_state=0),
    nonet.BoostedTreesRegressor(n_estimators=10, random_state=0),
]
FOREST = nonet.RandomForestClassifier(n_estimators=3, random_state=0)


def name_of(part):
    return type(part).__name__ if hasattr(part, "fit") else None


every_classifier = pytest.mark.parametrize("model", CLASSIFIERS, ids=name_of)
every_regressor = pytest.mark.parametrize("model", REGRESSORS, ids=name_of)
every_booster = pytest.mark.parametrize("model", [*CLASSIFIERS, *REGRESSORS], ids=name_of)


def with_rule(model, rule):
    return clone(model).set_params(decide=rule)


def abstain_below(bar):
    def labels(fractions):
        best = np.array(["a", "b", "c"])[fractions.argmax(axis=1)]
        return np.where(fractions.max(axis=1) >= bar, best, "?")

    return labels


COSTS = np.array([[0.0, 1.0, 5.0], [1.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
RULES_OF_TWO = [
    (Threshold(0.3), lambda p: np.where(p[:, 1] >= 0.3, "yes", "no")),
    (Threshold(0.8, pos_label="no"), lambda p: np.where(p[:, 0] >= 0.8, "no", "yes")),
    (MinimumCost([[0, 1], [4, 0]]), lambda p: np.where(4 * p[:, 1] >= p[:, 0], "yes", "no")),
    ("threshold", lambda p: np.where(p[:, 1] >= 0.5, "yes", "no")),
]
RULES_OF_THREE = [
    ("argmax", lambda p: np.array(["a", "b", "c"])[p.argmax(axis=1)]),
    (Abstain(0.7, abstain_label="?"), abstain_below(0.7)),
    (MinimumCost(COSTS), lambda p: np.array(["a", "b", "c"])[(p @ COSTS).argmin(axis=1)]),
    (lambda p: p.argmin(axis=1), lambda p: np.array(["a", "b", "c"])[p.argmin(axis=1)]),
]


@every_classifier
@pytest.mark.parametrize(("rule", "naive"), RULES_OF_TWO)
def test_rules_for_two_classes_against_naive(model, rule, naive):
    plain = clone(model).fit(X, TWO)
    ruled = with_rule(model, rule).fit(X, TWO)
    np.testing.assert_array_equal(ruled.predict(X), naive(plain.predict_proba(X)))


@every_classifier
@pytest.mark.parametrize(("rule", "naive"), RULES_OF_THREE)
def test_rules_for_three_classes_against_naive(model, rule, naive):
    plain = clone(model).fit(X, THREE)
    ruled = with_rule(model, rule).fit(X, THREE)
    fractions = plain.predict_proba(X)
    np.testing.assert_array_equal(ruled.predict_proba(X), fractions)
    np.testing.assert_array_equal(ruled.decision_function(X), plain.decision_function(X))
    np.testing.assert_array_equal(ruled.predict(X), naive(fractions))
    stages = zip(ruled.staged_predict(X), plain.staged_predict_proba(X), strict=True)
    for labels, so_far in stages:
        np.testing.assert_array_equal(labels, naive(so_far))


@every_regressor
def test_function_of_the_values_against_naive(model):
    plain = clone(model).fit(X, VALUES)
    ruled = with_rule(model, np.round).fit(X, VALUES)
    np.testing.assert_array_equal(ruled.predict(X), np.round(plain.predict(X)))
    for ours, theirs in zip(ruled.staged_predict(X), plain.staged_predict(X), strict=True):
        np.testing.assert_array_equal(ours, np.round(theirs))
    same = with_rule(model, "identity").fit(X, VALUES)
    np.testing.assert_array_equal(same.predict(X), plain.predict(X))


def test_function_reads_values_after_the_link():
    y = np.exp(VALUES / 3)
    model = nonet.HistGradientBoostingRegressor(loss="poisson", max_iter=5)
    expected = np.minimum(clone(model).fit(X, y).predict(X), 1.5)
    ruled = with_rule(model, lambda values: np.minimum(values, 1.5)).fit(X, y)
    np.testing.assert_array_equal(ruled.predict(X), expected)


# ---- Tuned thresholds --------------------------------------------------------------------------


def held_out_fractions(model, splits, **of_rows):
    """Return the rows of the test folds, and the probabilities of clones fitted without them.

    The fits share the edges of their bins, as those on which rules are tuned.
    """
    rows, fractions = [], []
    for train, test in splits:
        given = {name: values[train] for name, values in of_rows.items()}
        margin = {name: values[test] for name, values in of_rows.items() if name == "base_margin"}
        with nonet.share_bins(X):
            fitted = clone(model).fit(X[train], TWO[train], **given)
        rows.append(test)
        fractions.append(fitted.predict_proba(X[test], **margin)[:, 1])
    return np.concatenate(rows), np.concatenate(fractions)


def assert_is_best(threshold, fractions, truth, weights=None):
    def score(border):
        labels = np.where(fractions > border, "yes", "no")
        return balanced_accuracy_score(truth, labels, sample_weight=weights)

    best = max(score(border) for border in np.unique(fractions))
    assert score(threshold) == pytest.approx(best, abs=1e-12)
    assert 0 < threshold < 1


@every_classifier
def test_tuned_threshold_is_the_best_one_for_rows_not_seen(model):
    tuned = with_rule(model, "tuned_threshold").fit(X, TWO)
    rows, fractions = held_out_fractions(model, StratifiedKFold(5).split(X, TWO))
    threshold = tuned.decide_.rule.threshold_
    assert_is_best(threshold, fractions, TWO[rows])
    labels = np.where(tuned.predict_proba(X)[:, 1] >= threshold, "yes", "no")
    np.testing.assert_array_equal(tuned.predict(X), labels)
    plain = clone(model).fit(X, TWO)
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))


@every_classifier
def test_threshold_is_tuned_on_whole_groups_and_weighted_rows(model):
    tuned = with_rule(model, Threshold("tune"))
    tuned.fit(X, TWO, sample_weight=WEIGHTS, groups=GROUPS)
    present = np.flatnonzero(WEIGHTS)
    folds = StratifiedGroupKFold(5).split(present, TWO[present], GROUPS[present])
    splits = [(present[train], present[test]) for train, test in folds]
    rows, fractions = held_out_fractions(model, splits, sample_weight=WEIGHTS)
    assert_is_best(tuned.decide_.rule.threshold_, fractions, TWO[rows], WEIGHTS[rows])


def test_threshold_is_tuned_on_scores_with_their_margins():
    margin = X[:, 0] * 3
    tuned = with_rule(TREES, "tuned_threshold").fit(X, TWO, base_margin=margin)
    splits = StratifiedKFold(5).split(X, TWO)
    rows, fractions = held_out_fractions(TREES, splits, base_margin=margin)
    assert_is_best(tuned.decide_.rule.threshold_, fractions, TWO[rows])
    fractions = tuned.predict_proba(X, base_margin=margin)[:, 1]
    expected = np.where(fractions >= tuned.decide_.rule.threshold_, "yes", "no")
    np.testing.assert_array_equal(tuned.predict(X, base_margin=margin), expected)


def test_tuned_threshold_refuses_rounds_of_another_model():
    first = clone(TREES).fit(X, TWO)
    with pytest.raises(ValueError, match="'decide' must be a rule that is not tuned with init_mod"):
        with_rule(TREES, "tuned_threshold").fit(X, TWO, init_model=first)


def test_callbacks_do_not_look_on_at_fits_for_tuning():
    callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has none")
    monitor = callback.ScoringMonitor(scoring="accuracy")
    with_rule(TREES, "tuned_threshold").set_callbacks(monitor).fit(X, TWO)
    rows = [row for row in monitor.get_logs().data if row["task_name"] == "round"]
    assert len(rows) == TREES.n_estimators


@pytest.mark.parametrize("model", [HIST, CLASSIC], ids=name_of)
def test_groups_stay_together_where_rows_are_held_out_to_stop_by(model):
    settings = {"early_stopping": True} if model is HIST else {"n_iter_no_change": 3}
    seen = []

    class Spied(type(model)):
        def _boost(self, training, held_out, *rest):
            seen.extend([training.X[:, -1], held_out.X[:, -1]])
            return super()._boost(training, held_out, *rest)

    spied = Spied(**{**model.get_params(), **settings})
    spied.fit(np.column_stack([X, GROUPS]), TWO, groups=GROUPS)
    assert len(seen[1]) > 0
    assert not set(seen[0]) & set(seen[1])


# ---- While rounds are grown --------------------------------------------------------------------


def test_scores_to_stop_by_are_those_of_the_rule():
    rule, (train, held) = Threshold(0.7), (slice(160), slice(160, None))
    stops = {"early_stopping": True, "scoring": "accuracy", "n_iter_no_change": 50}
    model = with_rule(HIST, rule).set_params(**stops)
    model.fit(X[train], TWO[train], X_val=X[held], y_val=TWO[held])
    expected = [accuracy_score(TWO[held], labels) for labels in model.staged_predict(X[held])]
    np.testing.assert_array_equal(model.validation_score_[1:], expected)
    model = with_rule(TREES, rule).set_params(eval_metric="accuracy")
    model.fit(X[train], TWO[train], eval_set=[(X[held], TWO[held])])
    expected = [accuracy_score(TWO[held], labels) for labels in model.staged_predict(X[held])]
    assert model.evals_result_["validation_0"]["accuracy"] == expected


def test_most_probable_class_stands_in_while_a_threshold_is_not_tuned_yet():
    stops = {"early_stopping": True, "scoring": "accuracy", "n_iter_no_change": 50}
    plain = clone(HIST).set_params(**stops).fit(X, TWO)
    tuned = with_rule(HIST, "tuned_threshold").set_params(**stops).fit(X, TWO)
    np.testing.assert_array_equal(tuned.validation_score_, plain.validation_score_)


@every_classifier
def test_rule_is_bound_anew_by_a_fit_that_goes_on(model):
    rounds = "max_iter" if model is HIST else "n_estimators"
    model = with_rule(model, Threshold(0.3)).set_params(warm_start=True).fit(X, TWO)
    model.set_params(decide=Threshold(0.6), **{rounds: 15}).fit(X, TWO)
    expected = np.where(model.predict_proba(X)[:, 1] >= 0.6, "yes", "no")
    np.testing.assert_array_equal(model.predict(X), expected)


# ---- Arbiters ----------------------------------------------------------------------------------


@every_classifier
def test_arbiter_settles_ties(model):
    rule = Argmax(tie="arbiter", arbiter=LogisticRegression())
    X_tied = np.column_stack([np.arange(40) >= 20]).astype(float)
    y = np.tile([0, 0, 1, 1], 10)
    model = with_rule(model, rule).fit(np.zeros((40, 1)), y)
    model.arbiter_.coef_[:] = 5.0
    model.arbiter_.intercept_[:] = -2.5
    assert np.abs(model.predict_proba(X_tied) - 0.5).max() < 1e-12
    np.testing.assert_array_equal(model.predict(X_tied), X_tied[:, 0])


@every_classifier
def test_arbiter_cannot_be_a_step(model):
    rule = Argmax(tie="arbiter", arbiter="step[0]")
    with pytest.raises(ValueError, match="'arbiter' must be an estimator, as members are steps"):
        with_rule(model, rule).fit(X, TWO)


# ---- The parameter -----------------------------------------------------------------------------


def message_of(model, y):
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit(X, y)
    return type(caught.value), str(caught.value).replace(type(model).__name__, "Model")


@every_classifier
@pytest.mark.parametrize(
    ("rule", "y"),
    [
        ("no such rule", TWO),
        (3, TWO),
        (Abstain, TWO),
        (Threshold(0.5), THREE),
        (Threshold(0.5, pos_label="maybe"), TWO),
        (Threshold("tune", scoring="no such"), TWO),
        (MinimumCost([[0, 1], [1, 0]]), THREE),
        (Abstain(0.7, abstain_label="a"), THREE),
    ],
)
def test_bad_rules_are_refused_with_the_words_of_forests(model, rule, y):
    ours = message_of(with_rule(model, rule), y)
    assert ours == message_of(with_rule(FOREST, rule), y)


@every_regressor
def test_bad_functions_are_refused_with_the_words_of_forests(model):
    forest = nonet.RandomForestRegressor(n_estimators=3)
    for rule in ("argmax", 3, Abstain):
        ours = message_of(with_rule(model, rule), VALUES)
        assert ours == message_of(with_rule(forest, rule), VALUES)


@every_booster
def test_decide_is_the_last_parameter_and_a_keyword(model):
    *_, last = inspect.signature(type(model)).parameters.values()
    assert (last.name, last.kind, last.default) == ("decide", inspect.Parameter.KEYWORD_ONLY, None)
    y = TWO if is_classifier(model) else VALUES
    assert clone(model).fit(X, y).decide is None
