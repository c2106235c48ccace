from __future__ import annotations

import pickle
import re

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_diabetes, load_iris, load_wine, make_classification
from sklearn.ensemble import VotingClassifier as SklearnVotingClassifier
from sklearn.ensemble import VotingRegressor as SklearnVotingRegressor
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from nonet import VotingClassifier, VotingRegressor, limit_threads
from nonet.combine import COMBINATION_RULES, AtLeastOne, KOfN, TrimmedMean, WeightedKOfN
from nonet.combine.weights import WEIGHT_FINDERS, GreedySelection
from nonet.decide import Abstain, Argmax, MinimumCost, Sign, Threshold

CLASS_RULES = [name for name, rule in COMBINATION_RULES.items() if "classification" in rule.reads]
VALUE_RULES = [name for name, rule in COMBINATION_RULES.items() if "regression" in rule.reads]


def classifiers():
    return [
        ("linear", make_pipeline(StandardScaler(), LogisticRegression())),
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]


def regressors():
    return [
        ("linear", LinearRegression()),
        ("near", KNeighborsRegressor(10)),
        ("tree", DecisionTreeRegressor(max_depth=4, random_state=0)),
    ]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return X, np.array(["barolo", "grignolino", "barbera"])[y]


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True)


def silence_for(rule):
    return Argmax(tie="abstain", abstain_label="?") if rule == "majority" else None


# ---- the formula -------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", CLASS_RULES)
def test_predict_is_decide_of_combine_of_outputs(wine, rule):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=rule, decide=silence_for(rule)).fit(X, y)
    outputs = vote.member_outputs(X)
    assert outputs.shape[:2] == (len(X), 3)
    np.testing.assert_array_equal(vote.predict(X), vote.decide_(vote.combine_(outputs)))
    assert vote.score(X, y) > 0.85


@pytest.mark.parametrize("rule", VALUE_RULES)
def test_predict_of_numbers_is_combine_of_outputs(diabetes, rule):
    X, y = diabetes
    vote = VotingRegressor(regressors(), combine=rule).fit(X, y)
    outputs = vote.member_outputs(X)
    np.testing.assert_array_equal(vote.predict(X), vote.combine_(outputs))
    np.testing.assert_array_equal(outputs[:, 1], vote.named_estimators_["near"].predict(X))


@pytest.mark.parametrize("rule", CLASS_RULES)
def test_probabilities_sum_to_one(wine, rule):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=rule, decide=silence_for(rule)).fit(X, y)
    probabilities = vote.predict_proba(X)
    assert probabilities.shape == (len(X), 3)
    assert probabilities.min() >= 0
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-6)


def test_hard_vote_probabilities_are_vote_fractions(wine):
    X, y = wine
    vote = VotingClassifier(classifiers()).fit(X, y)
    fractions = (vote.member_outputs(X)[:, :, None] == np.arange(3)).mean(axis=1)
    np.testing.assert_allclose(vote.predict_proba(X), fractions)


# ---- drop-in -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [None, [1, 2, 3], [0.2, 0.2, 0.6], [1, 0, 0]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_classifier_predicts_as_sklearn(voting, weights):
    X, y = make_classification(400, 10, n_informative=6, n_classes=4, random_state=0)
    ours = VotingClassifier(classifiers(), voting=voting, weights=weights).fit(X, y)
    theirs = SklearnVotingClassifier(classifiers(), voting=voting, weights=weights).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.transform(X), theirs.transform(X))
    assert ours.score(X, y) == theirs.score(X, y)
    np.testing.assert_array_equal(ours.get_feature_names_out(), theirs.get_feature_names_out())
    if voting == "soft":
        np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


def test_unflattened_transform_against_sklearn(wine):
    X, y = wine
    options = {"voting": "soft", "flatten_transform": False}
    ours = VotingClassifier(classifiers(), **options).fit(X, y)
    theirs = SklearnVotingClassifier(classifiers(), **options).fit(X, y)
    np.testing.assert_array_equal(ours.transform(X), theirs.transform(X))
    with pytest.raises(ValueError, match="flatten_transform=True"):
        ours.get_feature_names_out()


@pytest.mark.parametrize("weights", [None, [1, 2, 3]])
def test_regressor_predicts_as_sklearn(diabetes, weights):
    X, y = diabetes
    ours = VotingRegressor(regressors(), weights=weights).fit(X, y)
    theirs = SklearnVotingRegressor(regressors(), weights=weights).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-15)
    np.testing.assert_array_equal(ours.transform(X), theirs.transform(X))


def test_sample_weight_against_sklearn(wine):
    X, y = wine
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    ours = VotingClassifier(classifiers()[1:], voting="soft").fit(X, y, sample_weight=weight)
    theirs = SklearnVotingClassifier(classifiers()[1:], voting="soft")
    theirs.fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


def test_dropped_member_takes_no_part_against_sklearn(wine):
    X, y = wine
    ours = VotingClassifier(classifiers(), voting="soft", weights=[3, 1, 2])
    theirs = SklearnVotingClassifier(classifiers(), voting="soft", weights=[3, 1, 2])
    for vote in (ours, theirs):
        vote.set_params(bayes="drop").fit(X, y)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert len(ours.estimators_) == 2
    assert ours.named_estimators_["bayes"] == "drop"
    assert list(ours.named_estimators_) == list(theirs.named_estimators_)


def test_parameters_of_members_can_be_set_and_searched(wine):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=TrimmedMean(0.0))
    search = GridSearchCV(vote, {"tree__max_depth": [1, 3], "combine__proportion": [0.0, 0.4]})
    search.fit(X, y)
    assert search.best_estimator_.named_estimators["tree"].max_depth in (1, 3)
    assert vote.named_estimators["tree"].max_depth == 3


def test_metadata_routing_reaches_the_members_that_request_it(wine):
    X, y = wine
    weight = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        members = [
            ("requests", GaussianNB().set_fit_request(sample_weight=True)),
            ("declines", GaussianNB().set_fit_request(sample_weight=False)),
        ]
        vote = VotingClassifier(members).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(
        vote.named_estimators_["requests"].theta_, GaussianNB().fit(X, y, weight).theta_
    )
    np.testing.assert_array_equal(
        vote.named_estimators_["declines"].theta_, GaussianNB().fit(X, y).theta_
    )


def test_set_output_gives_named_columns(wine):
    X, y = wine
    vote = VotingClassifier(classifiers()).set_output(transform="pandas").fit(X, y)
    assert list(vote.transform(X).columns) == [
        "votingclassifier_linear",
        "votingclassifier_bayes",
        "votingclassifier_tree",
    ]


@pytest.mark.parametrize("copy", [clone, lambda v: pickle.loads(pickle.dumps(v))])
def test_copies_predict_alike(wine, copy, tmp_path):
    X, y = wine
    vote = VotingClassifier(
        classifiers(), weights="simplex", voting="soft", decide=Abstain(0.6, abstain_label="?")
    )
    fitted = copy(vote.fit(X, y))
    if not hasattr(fitted, "members_"):
        fitted.fit(X, y)
    np.testing.assert_array_equal(fitted.predict(X), vote.predict(X))
    joblib.dump(vote, tmp_path / "vote.joblib")
    np.testing.assert_array_equal(joblib.load(tmp_path / "vote.joblib").predict(X), vote.predict(X))


# ---- tables and labels -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "b", "c"]),
        np.array(["a", "bb", "ccc"], dtype=object),
        np.array([-5, 0, 7]),
        np.array([0.5, 1.5, 2.5]).astype(int) - 3,
    ],
    ids=["text", "object", "numbers", "negative"],
)
@pytest.mark.parametrize("rule", ["plurality", "mean", "borda"])
def test_labels_survive(labels, rule):
    X, y = load_iris(return_X_y=True)
    vote = VotingClassifier(classifiers(), combine=rule).fit(X, labels[y])
    prediction = vote.predict(X)
    assert set(prediction) <= set(labels)
    assert prediction.dtype == labels.dtype
    assert (prediction == labels[y]).mean() > 0.9
    for model in vote.estimators_:
        np.testing.assert_array_equal(model.classes_, np.unique(labels))


def test_truth_values_survive():
    X, y = load_iris(return_X_y=True)
    prediction = VotingClassifier(classifiers()).fit(X, y > 0).predict(X)
    assert prediction.dtype == bool
    assert (prediction == (y > 0)).mean() > 0.95


def test_class_weight_by_label_works_inside(wine):
    X, y = wine
    weight = {"barolo": 1, "grignolino": 5, "barbera": 1}
    members = [
        ("linear", LogisticRegression(class_weight=weight, max_iter=5000)),
        ("tree", DecisionTreeClassifier(class_weight=weight, random_state=0)),
    ]
    vote = VotingClassifier(members, voting="soft").fit(X / X.std(axis=0), y)
    assert vote.score(X / X.std(axis=0), y) > 0.95
    # The same members crash inside scikit-learn's class: they are given codes, not labels.
    with pytest.raises(ValueError, match="class"):
        SklearnVotingClassifier(members, voting="soft").fit(X, y)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_keep_their_names(wine, frame):
    X, y = wine
    names = [f"c{i}" for i in range(X.shape[1])]
    table = frame(dict(zip(names, X.T, strict=True)))
    plain = VotingClassifier(classifiers(), weights="accuracy").fit(X, y)
    vote = VotingClassifier(classifiers(), weights="accuracy").fit(table, y)
    np.testing.assert_array_equal(vote.feature_names_in_, names)
    assert vote.n_features_in_ == len(names)
    np.testing.assert_array_equal(vote.predict(table), plain.predict(X))


def test_frames_with_text_reach_pipelines_untouched():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "blue"], 200)
    size = rng.normal(size=200)
    table = pd.DataFrame({"colour": colour, "size": size})
    y = (size + (colour == "red") > 0.5).astype(int)
    encode = make_column_transformer(
        (OneHotEncoder(), make_column_selector(dtype_exclude=np.number)), remainder="passthrough"
    )
    members = [
        ("linear", make_pipeline(encode, LogisticRegression())),
        ("tree", make_pipeline(encode, DecisionTreeClassifier(max_depth=3, random_state=0))),
    ]
    vote = VotingClassifier(members, combine="product", weights="log_odds").fit(table, y)
    assert vote.score(table, y) > 0.9


def test_series_target_is_taken(wine):
    X, y = wine
    vote = VotingClassifier(classifiers())
    plain = vote.fit(X, y).predict(X)
    np.testing.assert_array_equal(vote.fit(X, pd.Series(y, dtype="category")).predict(X), plain)
    np.testing.assert_array_equal(vote.fit(X, pl.Series(y)).predict(X), plain)


def test_sparse_table_is_taken_when_members_take_it(wine):
    X, y = wine
    members = [("linear", LinearSVC()), ("tree", DecisionTreeClassifier(random_state=0))]
    vote = VotingClassifier(members)
    np.testing.assert_array_equal(
        vote.fit(csr_matrix(X), y).predict(csr_matrix(X)), vote.fit(X, y).predict(X)
    )


# ---- weights found on held-out predictions-----------------------------------------------------


@pytest.mark.parametrize("name", list(WEIGHT_FINDERS))
@pytest.mark.parametrize("rule", ["plurality", "mean"])
def test_weights_by_name_in_classification(wine, name, rule):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=rule, weights=name).fit(X, y)
    assert vote.weights_.shape == (3,)
    assert (vote.weights_ >= 0).all()
    assert vote.weights_.any()
    assert vote.score(X, y) > 0.9


@pytest.mark.parametrize("name", [n for n in WEIGHT_FINDERS if n not in ("accuracy", "log_odds")])
def test_weights_by_name_in_regression(diabetes, name):
    X, y = diabetes
    vote = VotingRegressor(regressors(), weights=name).fit(X, y)
    assert vote.weights_.shape == (3,)
    assert vote.score(X, y) > 0.3


def test_weights_are_found_on_out_of_fold_predictions_against_naive(diabetes):
    X, y = diabetes
    cv = KFold(4, shuffle=True, random_state=1)
    vote = VotingRegressor(regressors(), weights="simplex", cv=cv).fit(X, y)
    held_out = np.column_stack([cross_val_predict(m, X, y, cv=cv) for _, m in regressors()])
    np.testing.assert_allclose(
        vote.weights_, WEIGHT_FINDERS["simplex"].find(held_out, y), atol=1e-9
    )


@pytest.mark.parametrize("name", ["non_negative", "ridge_to_uniform"])
def test_factors_are_summed_and_fractions_averaged(name):
    """Members that predict half of the truth need factors that add up to two."""
    X = np.linspace(1, 2, 60)[:, None]
    y = 6 * X[:, 0]
    members = [("one", Half()), ("other", Half())]
    vote = VotingRegressor(members, weights=name).fit(X, y)
    np.testing.assert_allclose(vote.weights_.sum(), 2, rtol=1e-6)
    np.testing.assert_allclose(vote.predict(X), y, rtol=1e-6)
    mean = VotingRegressor(members, weights=name, combine="mean").fit(X, y)
    np.testing.assert_allclose(mean.predict(X), y / 2, rtol=1e-6)


class Half(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.slope_ = (X[:, 0] @ y) / (X[:, 0] @ X[:, 0]) / 2
        return self

    def predict(self, X):
        return self.slope_ * X[:, 0]


def test_memorising_member_does_not_win_the_weights():
    """A member that memorizes its training rows is scored on rows it has not seen."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    members = [
        ("by_heart", DecisionTreeClassifier(random_state=0)),
        ("linear", LogisticRegression()),
    ]
    vote = VotingClassifier(members, voting="soft", weights="simplex").fit(X, y)
    assert vote.named_estimators_["by_heart"].score(X, y) == 1.0
    assert vote.weights_[1] > vote.weights_[0]


def test_weight_finder_object_with_its_own_scorer(wine):
    X, y = wine
    finder = GreedySelection(scoring="balanced_accuracy", n_rounds=5)
    vote = VotingClassifier(classifiers(), voting="soft", weights=finder).fit(X, y)
    assert vote.weights_.sum() == pytest.approx(1)


# ---- prefit members ----------------------------------------------------------------------------


def test_prefit_members_are_used_as_they_are(wine):
    X, y = wine
    fitted = [(name, model.fit(X, y)) for name, model in classifiers()]
    vote = VotingClassifier(fitted, prefit=True, voting="soft").fit(X, y)
    assert [model is given for model, (_, given) in zip(vote.estimators_, fitted, strict=True)]
    fresh = VotingClassifier(classifiers(), voting="soft").fit(X, y)
    np.testing.assert_array_equal(vote.predict_proba(X), fresh.predict_proba(X))


def test_prefit_members_get_weights_from_the_rows_given_to_fit(wine):
    X, y = wine
    X_fit, X_held, y_fit, y_held = train_test_split(X, y, random_state=0)
    fitted = [(name, model.fit(X_fit, y_fit)) for name, model in classifiers()]
    vote = VotingClassifier(fitted, prefit=True, weights="best").fit(X_held, y_held)
    scores = [model.score(X_held, y_held) for _, model in fitted]
    assert vote.weights_[int(np.argmax(scores))] == 1


def test_prefit_rows_may_lack_a_class(wine):
    X, y = wine
    fitted = [(name, model.fit(X, y)) for name, model in classifiers()]
    some = y != "barolo"
    vote = VotingClassifier(fitted, prefit=True).fit(X[some], y[some])
    assert len(vote.classes_) == 3
    assert (vote.predict(X[~some]) == "barolo").mean() > 0.9


def test_frozen_members_stay_fitted(wine):
    X, y = wine
    tree = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X[:100], y[:100])
    vote = VotingClassifier([("tree", FrozenEstimator(tree)), ("bayes", GaussianNB())]).fit(X, y)
    assert vote.estimators_[0].estimator is tree


def test_prefit_rejects_unfitted_members(wine):
    with pytest.raises(NotFittedError):
        VotingClassifier(classifiers(), prefit=True).fit(*wine)


def test_prefit_rejects_mismatched_classes(wine):
    X, y = wine
    members = [("one", GaussianNB().fit(X, y)), ("two", GaussianNB().fit(X, y == "barolo"))]
    with pytest.raises(ValueError, match="same classes, but 'one' has .* and 'two' has"):
        VotingClassifier(members, prefit=True).fit(X, y)


def test_prefit_rejects_a_label_no_member_knows(wine):
    X, y = wine
    members = [("one", GaussianNB().fit(X, y))]
    with pytest.raises(ValueError, match="'merlot' is not one of the classes"):
        VotingClassifier(members, prefit=True).fit(X, np.where(y == "barolo", "merlot", y))


# ---- decisions ---------------------------------------------------------------------------------


def test_silence_has_the_users_label_and_counts_as_wrong(wine):
    X, y = wine
    vote = VotingClassifier(
        classifiers(), voting="soft", decide=Abstain(0.95, abstain_label="no idea")
    ).fit(X, y)
    prediction = vote.predict(X)
    silent = prediction == "no idea"
    np.testing.assert_array_equal(silent, vote.predict_proba(X).max(axis=1) < 0.95)
    assert 0 < silent.sum() < len(y)
    assert vote.score(X, y) == (prediction == y).mean()


def test_majority_keeps_silent_where_nobody_has_more_than_half():
    X = np.arange(6.0)[:, None]
    y = np.array([1, 1, 2, 2, 3, 3])
    members = [(f"c{c}", Constant(c)) for c in (1, 2, 3)]
    vote = VotingClassifier(members, combine="majority", decide=Argmax(tie="abstain")).fit(X, y)
    assert (vote.predict(X) == 0).all()
    np.testing.assert_allclose(vote.predict_proba(X), 1 / 3)


class Constant(ClassifierMixin, BaseEstimator):
    def __init__(self, label):
        self.label = label

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def test_majority_rejects_a_decision_that_always_names_a_class(wine):
    with pytest.raises(ValueError, match="'majority' may give no decision.*tie='abstain'"):
        VotingClassifier(classifiers(), combine="majority").fit(*wine)


@pytest.mark.parametrize("arbiter", ["last", KNeighborsClassifier(1)], ids=["member", "model"])
def test_arbiter_settles_ties(arbiter):
    X = np.arange(6.0)[:, None]
    y = np.array([1, 1, 1, 2, 2, 2])
    members = [("one", Constant(1)), ("two", Constant(2)), ("last", Constant(2))]
    vote = VotingClassifier(
        members, weights=[2, 1, 1], decide=Argmax(tie="arbiter", arbiter=arbiter)
    )
    prediction = vote.fit(X, y).predict(X)
    np.testing.assert_array_equal(prediction, np.full(6, 2) if arbiter == "last" else y)


def test_arbiter_must_be_a_member_by_name(wine):
    vote = VotingClassifier(classifiers(), decide=Argmax(tie="arbiter", arbiter="forest"))
    with pytest.raises(ValueError, match="'forest' is not the name of a member.*'linear', 'bayes'"):
        vote.fit(*wine)


def test_threshold_is_the_best_on_held_out_predictions_against_naive():
    X, y = make_classification(240, 8, weights=[0.85], flip_y=0.1, class_sep=0.5, random_state=0)
    cv = KFold(4)
    vote = VotingClassifier(classifiers(), voting="soft", decide=Threshold("tune"), cv=cv)
    threshold = vote.fit(X, y).decide_.rule.threshold_
    support = np.mean(
        [cross_val_predict(m, X, y, cv=cv, method="predict_proba") for _, m in classifiers()],
        axis=0,
    )[:, 1]

    def gain(threshold):
        return balanced_accuracy_score(y, support >= threshold)

    assert gain(threshold) == max(gain(threshold) for threshold in support)
    assert gain(threshold) > gain(0.5)
    np.testing.assert_array_equal(vote.predict(X), vote.predict_proba(X)[:, 1] >= threshold)


def test_costs_move_the_decision():
    X, y = make_classification(600, 8, flip_y=0.2, random_state=0)
    dear_miss = [[0, 1], [10, 0]]
    plain = VotingClassifier(classifiers(), voting="soft").fit(X, y)
    careful = clone(plain).set_params(decide=MinimumCost(dear_miss)).fit(X, y)
    assert careful.predict(X).sum() > plain.predict(X).sum()
    p = plain.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(careful.predict(X), (10 * p > 1 - p).astype(int))


def test_sign_of_two_classes():
    X, y = make_classification(200, random_state=0)
    members = [("a", GaussianNB()), ("b", DecisionTreeClassifier(max_depth=2, random_state=0))]
    vote = VotingClassifier(members, decide=Sign()).fit(X, 2 * y - 1)
    codes = vote.member_outputs(X)
    np.testing.assert_array_equal(vote.predict(X), np.where(codes.sum(axis=1) >= 1, 1, -1))


def test_rules_with_a_positive_label():
    X, y = load_iris(return_X_y=True)
    label = np.where(y == 2, "virginica", "other")
    counts = {}
    for k in (1, 2, 3):
        rule = KOfN(k, pos_label="virginica")
        counts[k] = (
            VotingClassifier(classifiers(), combine=rule).fit(X, label).predict(X) == "virginica"
        ).sum()
    assert counts[1] >= counts[2] >= counts[3]
    at_least_one = VotingClassifier(classifiers(), combine=AtLeastOne("virginica")).fit(X, label)
    assert (at_least_one.predict(X) == "virginica").sum() == counts[1]
    weighted = VotingClassifier(
        classifiers(), combine=WeightedKOfN(2, "virginica"), weights=[1, 1, 1]
    )
    assert (weighted.fit(X, label).predict(X) == "virginica").sum() == counts[2]


def test_functions_of_the_users_own_can_be_rules(diabetes):
    X, y = diabetes
    vote = VotingRegressor(
        regressors(), combine=lambda outputs: outputs[:, 0], decide=np.round
    ).fit(X, y)
    np.testing.assert_array_equal(vote.predict(X), LinearRegression().fit(X, y).predict(X).round())


def test_function_that_returns_the_wrong_shape_is_refused(wine):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=lambda outputs: outputs[:, 0, 0]).fit(X, y)
    with pytest.raises(ValueError, match=r"support of shape \(178, 3\) here, but returned .*178,"):
        vote.predict(X)


def test_function_with_an_unknown_kind_is_refused(wine):
    def rule(outputs):
        return outputs[:, 0]

    rule.reads = "tea leaves"
    with pytest.raises(ValueError, match="'reads' must be one of 'labels', .*'tea leaves'"):
        VotingClassifier(classifiers(), combine=rule).fit(*wine)


# ---- several targets ---------------------------------------------------------------------------


def test_several_targets_of_a_regression(diabetes):
    X, y = diabetes
    Y = np.column_stack([y, y[::-1]])
    vote = VotingRegressor(regressors(), combine="median", weights="simplex").fit(X, Y)
    assert vote.predict(X).shape == Y.shape
    assert vote.transform(X).shape == (len(X), 6)
    assert vote.weights_.shape == (3,)


@pytest.mark.parametrize("rule", ["plurality", "mean"])
def test_several_targets_of_a_classification_each_as_on_its_own(rule):
    X, y = load_iris(return_X_y=True)
    Y = np.column_stack([np.array(["a", "b", "c"])[y], np.where(X[:, 0] > 5.8, "long", "short")])
    members = [
        ("shallow", DecisionTreeClassifier(max_depth=2, random_state=0)),
        ("deep", DecisionTreeClassifier(max_depth=4, random_state=0)),
        ("random", ExtraTreeClassifier(max_depth=5, random_state=0)),
    ]
    vote = VotingClassifier(members, combine=rule).fit(X, Y)
    prediction = vote.predict(X)
    assert prediction.shape == Y.shape
    assert (prediction == Y).mean() > 0.95
    assert [p.shape for p in vote.predict_proba(X)] == [(150, 3), (150, 2)]
    assert [c.tolist() for c in vote.classes_] == [["a", "b", "c"], ["long", "short"]]
    assert vote.transform(X).shape[1] == len(vote.get_feature_names_out())


# ---- threads -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", CLASS_RULES)
def test_predictions_are_equal_for_one_and_two_threads_and_workers(wine, rule):
    X, y = wine
    vote = VotingClassifier(classifiers(), combine=rule, decide=silence_for(rule))
    one = clone(vote).set_params(n_jobs=1).fit(X, y)
    two = clone(vote).set_params(n_jobs=2).fit(X, y)
    with limit_threads(1):
        first = one.predict_proba(X)
    np.testing.assert_array_equal(first, two.predict_proba(X))


# ---- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"estimators": []}, "non-empty list of \\(name, estimator\\) pairs"),
        ({"estimators": [GaussianNB()]}, "\\(name, estimator\\) pairs"),
        ({"estimators": [("a", GaussianNB()), ("a", GaussianNB())]}, "not unique"),
        ({"estimators": [("a__b", GaussianNB())]}, "__"),
        ({"estimators": [("a", "drop")]}, "all estimators are dropped"),
        ({"estimators": [("a", Ridge())]}, "member 'a' must be a classifier, but Ridge"),
        ({"voting": "loud"}, "'voting' must be one of 'hard', 'soft', but got 'loud'"),
        ({"weights": [1, 2]}, "one number for each of the 3 members"),
        ({"weights": [1, -1, 1]}, "at least 0, but member 1 has -1"),
        ({"weights": [1, np.nan, 1]}, "finite"),
        ({"weights": [0, 0, 0]}, "must not all be 0"),
        ({"weights": ["a", "b", "c"]}, "must be numbers"),
        ({"weights": "simplx"}, "did you mean 'simplex'"),
        ({"weights": 3}, "'weights' must be None or"),
        ({"combine": "medain"}, "did you mean 'median'"),
        ({"combine": "sum"}, "a rule for classification"),
        ({"combine": 3}, "'combine' must be"),
        ({"combine": KOfN(4)}, "from 1 to 3, the number of members, but got 4"),
        ({"combine": KOfN(0)}, "'k' must be a whole number of at least 1"),
        ({"combine": KOfN(1, "merlot")}, "'pos_label' must be one of the classes"),
        ({"combine": "min", "weights": [1, 2, 3]}, "'min' takes no weights"),
        ({"combine": WeightedKOfN(9), "weights": [1, 2, 3]}, "at most 6, the sum"),
        ({"decide": Abstain(0.5)}, "abstain_label"),
        ({"decide": Abstain(0.5, abstain_label="barolo")}, "is one of the classes"),
        ({"decide": Abstain(0.5, abstain_label=0)}, "abstain_label"),
        ({"decide": Threshold(0.5)}, "two classes"),
        ({"decide": "argmx"}, "did you mean 'argmax'"),
        ({"n_jobs": 1.5}, "'n_jobs' must be None or a whole number"),
        ({"prefit": "yes"}, "'prefit' must be True or False"),
    ],
    ids=str,
)
def test_classifier_rejects(wine, change, message):
    vote = VotingClassifier(classifiers()).set_params(**change)
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        vote.fit(*wine)
    assert "\n" not in str(caught.value).strip()


def test_classifier_rejects_a_member_without_probabilities(wine):
    vote = VotingClassifier([("svm", LinearSVC())], voting="soft")
    with pytest.raises(TypeError, match="member 'svm'.*no predict_proba.*'mean' needs"):
        vote.fit(*wine)


def test_classifier_rejects_numbers_as_target(diabetes):
    X, y = diabetes
    with pytest.raises(ValueError, match="continuous"):
        VotingClassifier(classifiers()).fit(X, y + 0.5)


def test_regressor_rejects_accuracy_weights(diabetes):
    with pytest.raises((ValueError, TypeError), match="regression|classification"):
        VotingRegressor(regressors(), weights="accuracy").fit(*diabetes)


def test_regressor_rejects_a_rule_of_classes(diabetes):
    with pytest.raises(ValueError, match="a rule for regression"):
        VotingRegressor(regressors(), combine="plurality").fit(*diabetes)


def test_regressor_rejects_a_decision_that_is_no_function(diabetes):
    with pytest.raises(ValueError, match="'decide' must be None, 'identity' or a function"):
        VotingRegressor(regressors(), decide="argmax").fit(*diabetes)


def test_fit_rejects_parameters_that_nobody_requested(wine):
    with pytest.raises(ValueError, match="passes on sample_weight alone.*metadata_routing"):
        VotingClassifier(classifiers()).fit(*wine, colour="red")


def test_unfitted_ensemble_says_so():
    vote = VotingClassifier(classifiers())
    with pytest.raises(NotFittedError):
        vote.predict(np.zeros((1, 4)))
    assert not hasattr(vote, "estimators_")
    assert not hasattr(vote, "n_features_in_")


# ---- changes after fit -------------------------------------------------------------------------


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize(("before", "after"), [("soft", "hard"), ("hard", "soft")])
def test_voting_changed_after_fit_against_sklearn(wine, flat, before, after):
    """Issue 18, item A.11: transform and predict kept the form of the fit."""
    settings = {"voting": before, "weights": [2, 1, 1], "flatten_transform": flat}
    pair = [
        kind(classifiers(), **settings)
        .set_params(linear="drop")
        .fit(*wine)
        .set_params(voting=after)
        for kind in (VotingClassifier, SklearnVotingClassifier)
    ]
    ours, reference = pair
    np.testing.assert_array_equal(ours.predict(wine[0]), reference.predict(wine[0]))
    assert ours.transform(wine[0]).shape == reference.transform(wine[0]).shape
    np.testing.assert_array_equal(ours.transform(wine[0]), reference.transform(wine[0]))
    if flat or after == "hard":
        names = reference.get_feature_names_out()
        np.testing.assert_array_equal(ours.get_feature_names_out(), names)


def test_given_rule_does_not_change_with_voting(wine):
    vote = VotingClassifier(classifiers(), combine="median").fit(*wine)
    rule = vote.combine_
    assert vote.set_params(voting="soft").combine_ is rule


@pytest.mark.parametrize("weight", [2.0, np.float64(2), 2])
def test_one_weight_for_all_rows_is_one_for_each(wine, weight):
    """Issue 18, item A.16: a number as sample_weight reaches members that need an array."""
    members = [("tree", DecisionTreeClassifier(max_depth=2, random_state=0))]
    single = VotingClassifier(members, weights="accuracy").fit(*wine, sample_weight=weight)
    each = VotingClassifier(members, weights="accuracy").fit(
        *wine, sample_weight=np.full(len(wine[1]), weight)
    )
    np.testing.assert_array_equal(single.member_outputs(wine[0]), each.member_outputs(wine[0]))


def test_verbose_shows_the_fitted_models(wine, capsys):
    VotingClassifier([("tree", DecisionTreeClassifier(max_depth=2))], verbose=True).fit(*wine)
    pattern = r"\[nonet\] VotingClassifier: 1 of 1 models \(tree\), \d+\.\d s\n"
    assert re.fullmatch(pattern, capsys.readouterr().err)
