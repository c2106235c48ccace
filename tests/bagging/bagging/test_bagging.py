from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_classification
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet.bagging import BaggingClassifier, BaggingRegressor, PartitionDraw
from nonet.decide import Abstain, Argmax

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
BOTH = pytest.mark.parametrize(
    ("kind", "data"), [(BaggingClassifier, IRIS), (BaggingRegressor, DIABETES)]
)


def predictions(ensemble, X):
    return ensemble.predict_proba(X) if hasattr(ensemble, "classes_") else ensemble.predict(X)


@BOTH
@pytest.mark.parametrize("settings", [{}, {"max_features": 0.5}, {"combine": "median"}], ids=str)
def test_bagging_is_deterministic_over_jobs(kind, data, settings):
    X, y = data
    alone, together = (
        kind(n_estimators=9, random_state=3, n_jobs=jobs, **settings).fit(X, y) for jobs in (1, 2)
    )
    np.testing.assert_array_equal(predictions(alone, X), predictions(together, X))
    np.testing.assert_array_equal(alone.member_outputs(X), together.member_outputs(X))


@BOTH
def test_more_members_keep_the_first(kind, data):
    X, y = data
    few = kind(n_estimators=4, random_state=3, max_features=2).fit(X, y)
    many = kind(n_estimators=9, random_state=3, max_features=2).fit(X, y)
    np.testing.assert_array_equal(many.member_outputs(X)[:, :4], few.member_outputs(X))


@BOTH
@pytest.mark.parametrize("random_state", [3, None, "generator"])
def test_warm_start_equals_a_fresh_fit(kind, data, random_state):
    X, y = data
    given = np.random.default_rng(0) if random_state == "generator" else random_state
    warm = kind(n_estimators=4, warm_start=True, random_state=given).fit(X, y)
    first = warm.members_
    warm.set_params(n_estimators=30, oob_score=True).fit(X, y)
    assert all(one is other for one, other in zip(warm.members_, first, strict=False))
    fresh = kind(n_estimators=30, random_state=warm._seed, oob_score=True).fit(X, y)
    np.testing.assert_array_equal(predictions(warm, X), predictions(fresh, X))
    assert warm.oob_score_ == fresh.oob_score_
    for one, other in zip(warm.estimators_samples_, fresh.estimators_samples_, strict=True):
        np.testing.assert_array_equal(one, other)


def test_warm_start_remembers_how_earlier_bags_were_drawn():
    X, y = IRIS
    warm = BaggingClassifier(n_estimators=2, max_samples=20, warm_start=True).fit(X, y)
    warm.set_params(n_estimators=4, max_samples=50).fit(X, y)
    assert [len(rows) for rows in warm.estimators_samples_] == [20, 20, 50, 50]


def test_warm_start_adds_a_bag_without_a_rare_class():
    X, y = IRIS
    rare = np.r_[0:100, 100:101]
    warm = BaggingClassifier(n_estimators=10, warm_start=True, random_state=0)
    warm.fit(X[rare], y[rare])
    for n_estimators in range(11, 21):
        warm.set_params(n_estimators=n_estimators).fit(X[rare], y[rare])
    assert any(len(model.classes_) == 2 for model in warm[10:])


def test_fit_forgets_the_score_of_an_earlier_fit():
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    bagging.set_params(oob_score=False).fit(X, y)
    left = [name for name in vars(bagging) if name.startswith("oob_") and name != "oob_score"]
    assert left == []


def test_warm_start_rejects_fewer_members_and_warns_of_none():
    X, y = IRIS
    warm = BaggingClassifier(n_estimators=4, warm_start=True).fit(X, y)
    with pytest.warns(UserWarning, match="adds no member"):
        warm.fit(X, y)
    with pytest.raises(ValueError, match="'n_estimators' must be at least 4, the members"):
        warm.set_params(n_estimators=3).fit(X, y)


def test_warm_start_rejects_parts_of_a_fixed_number():
    X, y = IRIS
    warm = BaggingClassifier(n_estimators=4, warm_start=True, draw="partition").fit(X, y)
    with pytest.raises(ValueError, match="set n_parts"):
        warm.set_params(n_estimators=8).fit(X, y)
    warm = BaggingClassifier(n_estimators=4, warm_start=True, draw=PartitionDraw(4)).fit(X, y)
    assert len(warm.set_params(n_estimators=8).fit(X, y)) == 8


def test_warm_start_on_other_rows_rejects_an_out_of_bag_score():
    X, y = IRIS
    warm = BaggingClassifier(n_estimators=4, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="150 rows before and 140 now"):
        warm.set_params(n_estimators=8, oob_score=True).fit(X[:140], y[:140])


@BOTH
def test_pickled_and_cloned_bagging_predicts_the_same(kind, data):
    X, y = data
    bagging = kind(n_estimators=5, random_state=0).fit(X, y)
    for copied in (pickle.loads(pickle.dumps(bagging)), clone(bagging).fit(X, y)):
        np.testing.assert_array_equal(predictions(copied, X), predictions(bagging, X))
        np.testing.assert_array_equal(copied.estimators_samples_, bagging.estimators_samples_)


@BOTH
def test_streamed_mean_equals_the_rule_on_all_predictions(kind, data):
    X, y = data
    bagging = kind(n_estimators=7, random_state=0).fit(X, y)
    together = bagging.combine_(bagging.member_outputs(X))
    np.testing.assert_allclose(predictions(bagging, X), together, rtol=1e-12)


def test_streamed_mean_does_not_stack_the_predictions(monkeypatch):
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=7, random_state=0).fit(X, y)
    expected = bagging.predict_proba(X)

    def refuse(predictions):
        raise AssertionError("all predictions were stored")

    monkeypatch.setattr("nonet.bagging.bagging.bagged.stack_predictions", refuse)
    np.testing.assert_array_equal(bagging.predict_proba(X), expected)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_frames_keep_their_names(make):
    X, y = IRIS
    names = ["a", "b", "c", "d"]
    frame = make({name: X[:, position] for position, name in enumerate(names)})
    bagging = BaggingClassifier(n_estimators=5, max_features=2, random_state=0).fit(frame, y)
    assert bagging.feature_names_in_.tolist() == names
    for member in bagging.members_:
        seen = member.estimator.feature_names_in_.tolist()
        assert seen == [names[column] for column in member.columns]
    plain = BaggingClassifier(n_estimators=5, max_features=2, random_state=0).fit(X, y)
    np.testing.assert_array_equal(bagging.predict_proba(frame), plain.predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        bagging.predict(frame[["b", "a", "c", "d"]])


@pytest.mark.parametrize(
    "base", [DecisionTreeClassifier(), LogisticRegression(max_iter=1000)], ids=repr
)
def test_sparse_table_gives_the_predictions_of_the_dense_one(base):
    X, y = IRIS
    settings = {"n_estimators": 25, "max_features": 2, "random_state": 0, "oob_score": True}
    dense = BaggingClassifier(base, **settings)
    sparse = clone(dense).fit(csr_array(X), y)
    np.testing.assert_array_equal(sparse.predict(csr_array(X)), dense.fit(X, y).predict(X))
    assert sparse.oob_score_ == dense.oob_score_


def test_counts_as_weights_equal_repeated_rows():
    """A bag of a tree, which takes weights, is the bag as rows."""
    X, y = DIABETES
    bagging = BaggingRegressor(DecisionTreeRegressor(), n_estimators=5, random_state=0).fit(X, y)
    for member, rows in zip(bagging.members_, bagging.estimators_samples_, strict=True):
        seed = member.estimator.random_state
        on_rows = DecisionTreeRegressor(random_state=seed).fit(X[rows], y[rows])
        np.testing.assert_allclose(member.estimator.predict(X), on_rows.predict(X), rtol=1e-9)


def test_member_without_weights_gets_its_rows():
    X, y = IRIS
    bagging = BaggingClassifier(KNeighborsClassifier(), 4, random_state=0).fit(X, y)
    for model, rows in zip(bagging, bagging.estimators_samples_, strict=True):
        np.testing.assert_array_equal(model._fit_X, X[rows])


def test_several_algorithms_take_turns():
    X, y = IRIS
    bases = [DecisionTreeClassifier(), GaussianNB(), KNeighborsClassifier()]
    bagging = BaggingClassifier(bases, 7, random_state=0).fit(X, y)
    assert [type(model) for model in bagging] == [type(bases[i % 3]) for i in range(7)]
    assert bagging.score(X, y) > 0.95


def test_members_without_probabilities_vote():
    X, y = IRIS
    bagging = BaggingClassifier(Perceptron(), 5, random_state=0).fit(X, y)
    votes = bagging.member_outputs(X)
    fractions = np.stack([(votes == code).mean(axis=1) for code in range(3)], axis=1)
    np.testing.assert_allclose(bagging.predict_proba(X), fractions)


def test_members_see_the_labels_of_the_user():
    X, y = IRIS
    names = load_iris().target_names[y]
    bagging = BaggingClassifier(n_estimators=3, random_state=0).fit(X, names)
    assert set(bagging[0].classes_) <= set(names)
    assert set(bagging.predict(X)) == set(names)
    assert bagging.n_classes_ == 3


def test_class_missing_from_a_bag_gets_no_support_from_that_member():
    X, y = IRIS
    rare = np.r_[0:100, 100:102]
    bagging = BaggingClassifier(n_estimators=20, random_state=0).fit(X[rare], y[rare])
    missing = [position for position, model in enumerate(bagging) if len(model.classes_) == 2]
    assert missing
    assert (bagging.member_outputs(X)[:, missing, 2] == 0).all()


def test_several_targets_are_learned_at_once():
    X, y = IRIS
    both = np.column_stack([y, y > 0])
    bagging = BaggingClassifier(n_estimators=25, random_state=0, oob_score=True).fit(X, both)
    assert bagging.predict(X).shape == (150, 2)
    assert [page.shape for page in bagging.predict_proba(X)] == [(150, 3), (150, 2)]
    assert [page.shape for page in bagging.oob_decision_function_] == [(150, 3), (150, 2)]
    X, y = DIABETES
    numbers = np.column_stack([y, -2 * y])
    bagging = BaggingRegressor(n_estimators=25, random_state=0, oob_score=True).fit(X, numbers)
    np.testing.assert_allclose(bagging.predict(X)[:, 1], -2 * bagging.predict(X)[:, 0])
    assert bagging.oob_prediction_.shape == (442, 2)


@pytest.mark.parametrize("combine", ["plurality", "median", "log_pool", "borda"])
def test_any_rule_combines(combine):
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=9, combine=combine, random_state=0).fit(X, y)
    expected = bagging.classes_[bagging.combine_(bagging.member_outputs(X)).argmax(axis=1)]
    np.testing.assert_array_equal(bagging.predict(X), expected)


def test_any_rule_decides():
    X, y = load_breast_cancer(return_X_y=True)
    silent = BaggingClassifier(
        n_estimators=9, random_state=0, decide=Abstain(1.0, abstain_label=-1)
    )
    predictions = silent.fit(X, y).predict(X)
    unanimous = silent.predict_proba(X).max(axis=1) == 1
    np.testing.assert_array_equal(predictions != -1, unanimous)


def test_threshold_is_tuned_on_out_of_bag_rows():
    X, y = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
    bagging = BaggingClassifier(n_estimators=25, decide="tuned_threshold", random_state=0)
    bagging.fit(X, y)
    threshold = bagging.decide_.rule.threshold_
    assert 0 < threshold < 1
    np.testing.assert_array_equal(bagging.predict(X), bagging.predict_proba(X)[:, 1] >= threshold)


def test_decision_function_is_the_mean_of_the_members():
    for X, y in (IRIS, load_breast_cancer(return_X_y=True)):
        bagging = BaggingClassifier(SVC(), 3, random_state=0).fit(X, y)
        expected = np.mean([model.decision_function(X) for model in bagging], axis=0)
        np.testing.assert_allclose(bagging.decision_function(X), expected, rtol=1e-12, atol=1e-14)
    assert not hasattr(BaggingClassifier(), "decision_function")


def test_log_probabilities_are_logarithms():
    X, y = IRIS
    bagging = BaggingClassifier(n_estimators=5, random_state=0).fit(X, y)
    np.testing.assert_array_equal(np.exp(bagging.predict_log_proba(X)), bagging.predict_proba(X))


def test_row_without_weight_is_in_no_bag():
    X, y = DIABETES
    weights = np.ones(442)
    weights[:50] = 0
    bagging = BaggingRegressor(random_state=0).fit(X, y, sample_weight=weights)
    assert min(rows.min() for rows in bagging.estimators_samples_) >= 50


def test_weights_reach_the_members_where_groups_are_drawn():
    X, y = DIABETES
    groups, weights = np.arange(442) % 20, np.random.default_rng(0).uniform(size=442)
    bagging = BaggingRegressor(Ridge(), 3, random_state=0)
    bagging.fit(X, y, sample_weight=weights, groups=groups)
    for model, rows in zip(bagging, bagging.estimators_samples_, strict=True):
        alone = Ridge().fit(X[rows], y[rows], sample_weight=weights[rows])
        np.testing.assert_allclose(model.coef_, alone.coef_, rtol=1e-8)


def test_fit_rejects_weights_that_no_member_takes():
    X, y = DIABETES
    bagging = BaggingRegressor(KNeighborsRegressor(), bootstrap=False)
    with pytest.raises(TypeError, match="KNeighborsRegressor.fit does not accept it; use"):
        bagging.fit(X, y, sample_weight=np.ones(442))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_samples": 0}, "'max_samples' must be"),
        ({"max_samples": 1.5}, "'max_samples' must be"),
        ({"max_samples": -2}, "'max_samples' must be"),
        ({"max_samples": 151, "bootstrap": False}, "151 draws without replacement"),
        ({"max_features": 5}, "'max_features' must be at most"),
        ({"max_features": 0.0}, "'max_features' must be"),
        ({"n_estimators": 0}, "'n_estimators' must be"),
        ({"estimator": []}, "'estimator' must be a non-empty list"),
        ({"estimator": [GaussianNB(), 3]}, "'estimator' must be a non-empty list"),
        ({"estimator": [GaussianNB()] * 11}, "at least 11, one of each estimator"),
        ({"oob_score": 3}, "'oob_score' must be"),
        ({"bootstrap": False, "oob_score": True}, "no member has out-of-bag rows"),
        ({"combine": "meen"}, "did you mean 'mean'"),
        ({"decide": Argmax(tie="arbiter", arbiter=GaussianNB()), "oob_score": True}, "an arbiter"),
        ({"random_state": "x"}, "'random_state' must be"),
    ],
    ids=str,
)
def test_fit_rejects_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        BaggingClassifier(**settings).fit(*IRIS)


def test_fit_rejects_a_class_in_no_bag():
    X, y = np.arange(60.0).reshape(-1, 1), np.repeat([0, 1, 2], [40, 19, 1])
    with pytest.raises(ValueError, match="class 2 is in none of the 2 bags.*draw='stratified'"):
        BaggingClassifier(n_estimators=2, max_samples=5, random_state=1).fit(X, y)


@pytest.mark.parametrize("weights", [[-1.0] + [1.0] * 149, [np.nan] + [1.0] * 149, [0.0] * 150])
def test_fit_rejects_bad_weights(weights):
    with pytest.raises(ValueError, match="sample_weight must"):
        BaggingClassifier().fit(*IRIS, sample_weight=weights)


def test_regression_rejects_a_draw_by_classes():
    with pytest.raises(ValueError, match="no classes, as there are none in regression"):
        BaggingRegressor(draw="stratified").fit(*DIABETES)


def test_a_member_that_fails_names_itself():
    X, y = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [39, 1])
    # It takes no weights, so that a bag of one class has no second class for it.
    learner = NearestCentroid()
    with pytest.raises(ValueError, match=r"member 'NearestCentroid\[\d\]' \(\d of 9\)"):
        BaggingClassifier(learner, 9, random_state=0).fit(X, y)
    stratified = BaggingClassifier(LogisticRegression(), 9, draw="stratified", random_state=0)
    assert stratified.fit(X, y).predict(X).shape == (40,)


def test_bagging_is_a_sequence_of_its_models():
    bagging = BaggingClassifier(n_estimators=4, random_state=0).fit(*IRIS)
    assert len(bagging) == 4
    assert list(bagging) == bagging.estimators_
    assert bagging[2] is bagging.estimators_[2]


def test_column_without_values_is_refused_by_name():
    X, y = DIABETES
    frame = pd.DataFrame(X).add_prefix("x").assign(empty=np.nan)
    with pytest.raises(ValueError, match="BaggingRegressor: column 'empty' of X is missing"):
        BaggingRegressor().fit(frame, y)


def test_column_without_values_is_for_members_that_were_chosen():
    X, y = DIABETES
    filled = make_pipeline(SimpleImputer(keep_empty_features=True), Ridge())
    bagging = BaggingRegressor(filled, random_state=0)
    bagging.fit(np.column_stack([X, np.full(len(X), np.nan)]), y)
    assert bagging.estimators_[0][-1].n_features_in_ == X.shape[1] + 1


def test_fit_that_fails_leaves_the_ensemble_as_it_was():
    bagging = BaggingClassifier(random_state=0).fit(*IRIS)
    before = bagging.predict(IRIS[0])
    with pytest.raises(ValueError, match="sample_weight must"):
        bagging.fit(IRIS[0], IRIS[1].astype(str), sample_weight=np.zeros(150))
    np.testing.assert_array_equal(bagging.predict(IRIS[0]), before)
