"""Issue 19, part 2: a gradient booster is an ensemble of steps, with F, C and member outputs."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import is_classifier
from sklearn.linear_model import LinearRegression, LogisticRegression

import nonet
from nonet.ensemble import EnsembleClassifier, EnsembleRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(240, 4))
VALUES = X[:, 0] * 2 + np.abs(X[:, 1]) + 0.3 * rng.normal(size=240)
COUNTS = rng.poisson(np.exp(VALUES / 3))
TWO = np.where(VALUES + rng.normal(size=240) > 1, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.digitize(VALUES, [0.0, 1.5])]
PAIRS = np.column_stack([VALUES, -X[:, 2]])
FRAME = pd.DataFrame(X, columns=list("wxyz")).assign(z=pd.Categorical(rng.choice(list("pqr"), 240)))
SPARSE = csr_matrix(np.where(np.abs(X) > 0.5, X, 0))

Hist = nonet.HistGradientBoostingClassifier
HistNumbers = nonet.HistGradientBoostingRegressor
Classic = nonet.GradientBoostingClassifier
ClassicNumbers = nonet.GradientBoostingRegressor
Trees = nonet.BoostedTreesClassifier
TreesNumbers = nonet.BoostedTreesRegressor

STOPS = {"early_stopping": True, "n_iter_no_change": 2, "learning_rate": 0.5, "random_state": 0}
DART = {"drop_rate": 0.4, "skip_drop": 0.1, "random_state": 0}
CASES = {
    "hist two": (Hist(max_iter=7), X, TWO),
    "hist three": (Hist(max_iter=7), X, THREE),
    "hist stops": (Hist(max_iter=60, **STOPS), X, TWO),
    "hist frame": (Hist(max_iter=7), FRAME, THREE),
    "hist values": (HistNumbers(max_iter=7), X, VALUES),
    "hist poisson": (HistNumbers(max_iter=7, loss="poisson"), X, COUNTS),
    "hist median": (HistNumbers(max_iter=7, loss="absolute_error"), X, VALUES),
    "classic two": (Classic(n_estimators=7), X, TWO),
    "classic three": (Classic(n_estimators=7, subsample=0.5, random_state=0), X, THREE),
    "classic stops": (Classic(n_estimators=60, n_iter_no_change=2, random_state=0), X, TWO),
    "classic init": (Classic(n_estimators=7, init=LogisticRegression()), X, THREE),
    "classic sparse": (Classic(n_estimators=7), SPARSE, TWO),
    "classic huber": (ClassicNumbers(n_estimators=7, loss="huber"), X, VALUES),
    "classic zero": (ClassicNumbers(n_estimators=7, init="zero"), X, VALUES),
    "classic line": (ClassicNumbers(n_estimators=7, init=LinearRegression()), X, VALUES),
    "trees two": (Trees(n_estimators=7), X, TWO),
    "trees three": (Trees(n_estimators=7, subsample=0.6, random_state=0), X, THREE),
    "trees dart": (Trees(n_estimators=15, **DART), X, THREE),
    "trees vector": (Trees(n_estimators=7, multi_strategy="multi_output_tree"), X, THREE),
    "trees stop": (Trees(n_estimators=60, early_stopping_rounds=4, random_state=0), X, TWO),
    "trees values": (TreesNumbers(n_estimators=7, **DART), X, VALUES),
    "trees pairs": (TreesNumbers(n_estimators=7, multi_strategy="multi_output_tree"), X, PAIRS),
    "trees bands": (TreesNumbers("quantile", quantile=[0.1, 0.9], n_estimators=7), X, VALUES),
    "trees frame": (TreesNumbers(n_estimators=7), FRAME, VALUES),
}


@pytest.fixture(params=CASES, scope="module")
def case(request):
    model, table, y = CASES[request.param]
    return model.fit(table, y), table


def raw_scores(model, table):
    """Return the scores by the booster's own road, of shape (n,) or (n, n_scores)."""
    scores = model._scores(table)
    return scores[0] if len(scores) == 1 else scores.T


def assert_same(model, ours, expected):
    """Equal bit for bit where the rate is in the leaves; classic boosting multiplies the sum."""
    if hasattr(model, "init_"):
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-12)
    else:
        np.testing.assert_array_equal(ours, expected)


def n_rounds_in_use(model):
    if hasattr(model, "best_iteration_"):
        return model.best_iteration_
    return model.n_iter_ if hasattr(model, "n_iter_") else model.n_estimators_


def test_sum_of_member_outputs_is_the_raw_score(case):
    model, table = case
    scores = model.combine_(model.member_outputs(table))
    assert_same(model, scores, raw_scores(model, table))
    if is_classifier(model):
        assert_same(model, scores, model.decision_function(table))


def test_predict_is_c_of_f_of_member_outputs(case):
    model, table = case
    predictions = model.decide_(model.combine_(model.member_outputs(table)))
    if is_classifier(model):
        np.testing.assert_array_equal(predictions, model.predict(table))
    else:
        assert_same(model, predictions, model.predict(table))


def test_there_is_a_member_for_every_round_in_use(case):
    model, table = case
    assert isinstance(model, EnsembleClassifier if is_classifier(model) else EnsembleRegressor)
    starts = getattr(model, "init_", None) is not None and model.init not in (None, "zero")
    rounds = [f"step[{position}]" for position in range(n_rounds_in_use(model))]
    assert [member.name for member in model.members_] == ["init"] * starts + rounds
    outputs = model.member_outputs(table)
    several = model.n_trees_per_iteration_
    assert outputs.shape == (240, len(model.members_), several)[: 2 + (several > 1)]
    for position in (0, len(model.members_) - 1):
        estimator = model.members_[position].estimator
        np.testing.assert_array_equal(estimator.predict(table), outputs[:, position])
    assert model.combine_.reads == "scores"
    assert model._member_role == "step"


def test_first_members_are_the_booster_of_fewer_rounds(case):
    model, table = case
    outputs = model.member_outputs(table)
    n_before = outputs.shape[1] - n_rounds_in_use(model)
    staged = [np.array(values) for values in model.staged_predict(table)]
    for n_rounds in (1, n_rounds_in_use(model) // 2 + 1):
        predictions = model.decide_(model.combine_(outputs[:, : n_before + n_rounds]))
        if is_classifier(model):
            np.testing.assert_array_equal(predictions, staged[n_rounds - 1])
        else:
            np.testing.assert_allclose(predictions, staged[n_rounds - 1], rtol=1e-12, atol=1e-12)


def test_members_are_not_kept_in_the_model_or_its_pickle(case):
    model, table = case
    before = len(pickle.dumps(model))
    assert len(model.members_) == model.member_outputs(table).shape[1]
    assert not {"members_", "combine_"} & set(vars(model))
    assert len(pickle.dumps(model)) == before
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.member_outputs(table), model.member_outputs(table))


@pytest.mark.parametrize("kind", [Hist, HistNumbers, Classic, ClassicNumbers, Trees, TreesNumbers])
def test_there_are_no_parts_before_fit(kind):
    for name in ("members_", "combine_", "decide_", "estimators_"):
        assert not hasattr(kind(), name)


@pytest.mark.parametrize("kind", [Hist, Classic, Trees])
def test_members_of_a_fit_that_goes_on_are_those_of_both(kind):
    rounds = "max_iter" if kind is Hist else "n_estimators"
    model = kind(**{rounds: 3}, warm_start=True, random_state=0).fit(X, THREE)
    first = model.member_outputs(X)
    model.set_params(**{rounds: 8}).fit(X, THREE)
    outputs = model.member_outputs(X)
    assert outputs.shape == (240, 8, 3)
    np.testing.assert_array_equal(outputs[:, :3], first)
    assert_same(model, model.combine_(outputs), model.decision_function(X))


@pytest.mark.parametrize("n_scores", [1, 3])
def test_base_margin_is_added_to_the_sum(n_scores):
    margin, y = X[:, :n_scores], TWO if n_scores == 1 else THREE
    model = Trees(n_estimators=7).fit(X, y, base_margin=margin)
    scores = model.combine_(model.member_outputs(X)) + (margin[:, 0] if n_scores == 1 else margin)
    np.testing.assert_array_equal(scores, model.decision_function(X, base_margin=margin))
    np.testing.assert_array_equal(model.decide_(scores), model.predict(X, base_margin=margin))


def test_iteration_range_is_a_slice_of_the_members():
    model = Trees(n_estimators=9).fit(X, THREE)
    some = model.combine_(model.member_outputs(X)[:, 2:6])
    np.testing.assert_array_equal(some, model.decision_function(X, iteration_range=(2, 6)))


def test_learning_rate_of_classic_boosting_is_in_its_steps():
    model = ClassicNumbers(n_estimators=4, learning_rate=0.25).fit(X, VALUES)
    trees = np.column_stack([tree.predict(X) for tree in model.estimators_[:, 0]])
    np.testing.assert_array_equal(model.member_outputs(X), 0.25 * trees)
