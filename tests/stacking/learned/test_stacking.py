from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn import ensemble as theirs
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
    make_friedman1,
    make_multilabel_classification,
)
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier, StackingRegressor, make_ledger
from nonet.decide import Abstain, Threshold
from stacking.models import classifiers, regressors


def sharp():
    """A final model that has converged to the last digits, whatever the labels are called."""
    return LogisticRegression(solver="newton-cholesky", tol=1e-12)


def some(data, n_rows=160):
    X, y = data
    keep = np.random.default_rng(0).permutation(len(y))[:n_rows]
    return X[keep], y[keep]


CLASSIFICATION = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "cancer": some(load_breast_cancer(return_X_y=True)),
    "digits": some(load_digits(return_X_y=True)),
}
REGRESSION = {
    "diabetes": load_diabetes(return_X_y=True),
    "friedman": make_friedman1(300, random_state=0),
}


@pytest.mark.parametrize("name", CLASSIFICATION)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"stack_method": "predict"},
        {"cv": KFold(4, shuffle=True, random_state=1)},
    ],
    ids=str,
)
def test_classifier_against_sklearn_is_equal(name, settings):
    check_equals_sklearn(*CLASSIFICATION[name], settings)


def test_classifier_against_sklearn_passes_columns_through():
    X, y = CLASSIFICATION["iris"]
    check_equals_sklearn(StandardScaler().fit_transform(X), y, {"passthrough": True})


def check_equals_sklearn(X, y, settings):
    mine = StackingClassifier(classifiers(), sharp(), **settings).fit(X, y)
    reference = theirs.StackingClassifier(classifiers(), sharp(), **settings).fit(X, y)
    np.testing.assert_allclose(mine.transform(X), reference.transform(X), atol=1e-12)
    np.testing.assert_allclose(mine.predict_proba(X), reference.predict_proba(X), atol=1e-8)
    np.testing.assert_array_equal(mine.predict(X), reference.predict(X))


@pytest.mark.parametrize("name", REGRESSION)
@pytest.mark.parametrize("settings", [{}, {"passthrough": True}, {"cv": 3}], ids=str)
def test_regressor_against_sklearn_is_equal(name, settings):
    X, y = REGRESSION[name]
    mine = StackingRegressor(regressors(), **settings).fit(X, y)
    reference = theirs.StackingRegressor(regressors(), **settings).fit(X, y)
    np.testing.assert_allclose(mine.predict(X), reference.predict(X), rtol=1e-8)
    assert list(mine.get_feature_names_out()) == list(reference.get_feature_names_out())


def test_members_of_every_kind_against_sklearn_predict_alike():
    X, y = CLASSIFICATION["iris"]
    models = [*classifiers(), ("svm", LinearSVC(random_state=0)), ("line", LinearRegression())]
    mine = StackingClassifier(models, sharp()).fit(X, y)
    reference = theirs.StackingClassifier(models, sharp()).fit(X, y)
    assert mine.stack_method_ == reference.stack_method_
    np.testing.assert_allclose(mine.transform(X), reference.transform(X), atol=1e-12)
    np.testing.assert_allclose(mine.predict_proba(X), reference.predict_proba(X), atol=1e-8)


def test_prefit_members_against_sklearn_are_used_as_they_are():
    X, y = CLASSIFICATION["iris"]
    fitted = [(name, model.fit(X[::2], y[::2])) for name, model in classifiers()]
    mine = StackingClassifier(fitted, sharp(), cv="prefit").fit(X[1::2], y[1::2])
    reference = theirs.StackingClassifier(fitted, sharp(), cv="prefit").fit(X[1::2], y[1::2])
    np.testing.assert_allclose(mine.predict_proba(X), reference.predict_proba(X), atol=1e-8)
    assert mine.estimators_[0] is fitted[0][1]


def test_several_labels_against_sklearn_are_learned_together():
    X, y = make_multilabel_classification(n_samples=120, n_classes=3, random_state=0)
    models = [
        ("near", KNeighborsClassifier()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]
    final = KNeighborsClassifier(7)
    mine = StackingClassifier(models, final, cv=KFold(4)).fit(X, y)
    reference = theirs.StackingClassifier(models, final, cv=KFold(4)).fit(X, y)
    np.testing.assert_array_equal(mine.predict(X), reference.predict(X))
    np.testing.assert_allclose(mine.transform(X), reference.transform(X))


def test_learner_of_several_labels_with_one_array_against_sklearn():
    """Issue 18, item A.9: MLPClassifier predicts all labels side by side, and numbers them."""
    X, y = make_multilabel_classification(n_samples=60, n_classes=3, random_state=0)
    models = [
        ("near", KNeighborsClassifier()),
        ("net", MLPClassifier((4,), solver="lbfgs", max_iter=20, random_state=0)),
    ]
    final = KNeighborsClassifier(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        mine = StackingClassifier(models, final, cv=KFold(3)).fit(X, y)
        reference = theirs.StackingClassifier(models, final, cv=KFold(3)).fit(X, y)
    np.testing.assert_array_equal(mine.predict(X), reference.predict(X))
    np.testing.assert_allclose(mine.transform(X), reference.transform(X))


def test_weights_against_sklearn_reach_members_and_final_model():
    X, y = CLASSIFICATION["iris"]
    weight = np.where(y == 1, 3.0, 1.0)
    models = [classifiers()[0], classifiers()[2]]
    mine = StackingClassifier(models, sharp()).fit(X, y, sample_weight=weight)
    reference = theirs.StackingClassifier(models, sharp()).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(mine.predict_proba(X), reference.predict_proba(X), atol=1e-8)


def test_user_labels_reach_everybody():
    X, y = CLASSIFICATION["iris"]
    names = np.array(["setosa", "versicolor", "virginica"])
    weighted = LogisticRegression(class_weight={"setosa": 1, "versicolor": 5, "virginica": 1})
    stack = StackingClassifier(classifiers(), weighted).fit(X, names[y])
    assert list(stack.final_estimator_.classes_) == list(names)
    assert stack.score(X, names[y]) > 0.9


# What scikit-learn's stacking refuses, or cannot express.


def test_sklearn_refuses_what_follows():
    X, y = CLASSIFICATION["iris"]
    with pytest.raises(ValueError, match="partitions"):
        theirs.StackingClassifier(classifiers(), cv=ShuffleSplit(3)).fit(X, y)
    with pytest.raises(ValueError, match="groups"):
        theirs.StackingClassifier(classifiers(), cv=GroupKFold(3)).fit(X, y, groups=y)


@pytest.mark.parametrize(
    "cv",
    [
        RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0),
        ShuffleSplit(6, random_state=0),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_overlapping_folds_are_taken(cv):
    X, y = CLASSIFICATION["wine"]
    stack = StackingClassifier(classifiers(), cv=cv).fit(X, y)
    assert stack.score(X, y) > 0.9
    assert stack.ledger_.coverage.max() > 1


def test_groups_are_kept_together():
    X, y = CLASSIFICATION["wine"]
    groups = np.random.default_rng(0).integers(0, 12, len(y))
    stack = StackingClassifier(classifiers(), cv=GroupKFold(4)).fit(X, y, groups=groups)
    for rows in stack.ledger_.held_out_rows:
        rest = np.setdiff1d(np.arange(len(y)), rows)
        assert not set(groups[rows]) & set(groups[rest])


def test_forward_chaining_leaves_the_first_rows_to_the_members():
    X, y = REGRESSION["friedman"]
    cv = TimeSeriesSplit(4)
    stack = StackingRegressor(regressors(), LinearRegression(), cv=cv).fit(X, y)
    rows, columns = [], []
    for train, test in cv.split(X):
        rows.append(test)
        columns.append(
            np.column_stack(
                [clone(m).fit(X[train], y[train]).predict(X[test]) for _, m in regressors()]
            )
        )
    naive = LinearRegression().fit(np.vstack(columns), y[np.concatenate(rows)])
    np.testing.assert_allclose(stack.final_estimator_.coef_, naive.coef_)


def test_models_of_the_folds_predict_in_place_of_refitted_members():
    X, y = REGRESSION["friedman"]
    stack = StackingRegressor(regressors(), cv=3, refit="folds").fit(X, y)
    folds = [clone(LinearRegression()).fit(X[a], y[a]) for a, _ in KFold(3).split(X)]
    naive = np.mean([model.predict(X) for model in folds], axis=0)
    np.testing.assert_allclose(stack.transform(X)[:, 0], naive)
    both = StackingRegressor(regressors(), cv=3, refit="both").fit(X, y)
    whole = LinearRegression().fit(X, y).predict(X)
    np.testing.assert_allclose(both.transform(X)[:, 0], (3 * naive + whole) / 4)


def test_folds_of_classifiers_average_probabilities_and_vote_on_labels():
    X, y = CLASSIFICATION["iris"]
    stack = StackingClassifier(classifiers(), cv=3, refit="folds").fit(X, y)
    (bayes, *_) = stack.estimators_
    naive = np.mean([model.predict_proba(X) for model in bayes.models], axis=0)
    np.testing.assert_allclose(bayes.predict_proba(X), naive)
    named = np.column_stack([model.predict(X) for model in bayes.models])
    votes = np.array([np.bincount(row, minlength=3).argmax() for row in named])
    np.testing.assert_array_equal(bayes.predict(X), votes)


def test_honest_parts_hold_rows_out_and_leaking_ones_do_not():
    X, y = CLASSIFICATION["cancer"]
    y = np.random.default_rng(0).integers(0, 2, len(y))  # nothing to learn
    trees = [(f"t{seed}", DecisionTreeClassifier(random_state=seed)) for seed in range(3)]
    settings = {"final_estimator": LogisticRegression(), "random_state": 0}
    leaking = StackingClassifier(trees, partition="leaking", **settings).fit(X, y)
    honest = StackingClassifier(trees, partition="honest", **settings).fit(X, y)
    assert leaking.score(X, y) > 0.7
    assert (leaking.final_estimator_.coef_ > 1).all()
    assert np.abs(honest.final_estimator_.coef_).max() < 0.6
    assert not hasattr(leaking, "ledger_")


def test_parts_are_disjoint_and_all_rows_are_dealt():
    X, y = CLASSIFICATION["iris"]
    stack = StackingClassifier(classifiers(), partition="honest", random_state=0).fit(X, y)
    unseen = [set(member.unseen_rows.tolist()) for member in stack.members_]
    seen = [set(range(150)) - rows for rows in unseen]
    assert sum(map(len, seen)) == 150
    assert set.union(*seen) == set(range(150))


def test_forest_predicts_out_of_bag_without_being_fitted_again():
    X, y = CLASSIFICATION["wine"]
    forest = RandomForestClassifier(40, random_state=0)
    models = [("bayes", GaussianNB()), ("forest", forest)]
    stack = StackingClassifier(models, sharp(), out_of_bag=True).fit(X, y)
    alone = clone(forest).set_params(oob_score=True).fit(X, y)
    table = np.hstack(
        [
            cross_val_predict(GaussianNB(), X, y, method="predict_proba"),
            alone.oob_decision_function_,
        ]
    )
    np.testing.assert_allclose(stack.final_estimator_.coef_, sharp().fit(table, y).coef_, atol=1e-8)


@pytest.mark.parametrize("level_one", ["labels", "probabilities", "logits", "ranks"])
def test_level_one_has_the_requested_form(level_one):
    X, y = CLASSIFICATION["iris"]
    stack = StackingClassifier(classifiers(), level_one=level_one).fit(X, y)
    assert stack.transform(X).shape == (150, 9)
    assert stack.score(X, y) > 0.9


def test_scores_are_read_where_members_have_them():
    X, y = CLASSIFICATION["iris"]
    models = [("svm", LinearSVC(random_state=0)), ("line", sharp())]
    stack = StackingClassifier(models, sharp(), level_one="scores").fit(X, y)
    np.testing.assert_allclose(
        stack.transform(X)[:, 3:], stack.named_estimators_["line"].decision_function(X)
    )


def test_stack_on_a_stack_is_a_third_level():
    X, y = REGRESSION["friedman"]
    upper = StackingRegressor([("line", Ridge()), ("near", KNeighborsRegressor())], cv=3)
    stack = StackingRegressor(regressors(), upper, cv=3).fit(X, y)
    assert stack.final_estimator_.final_estimator_.coef_.shape == (2,)
    assert stack.score(X, y) > 0.7


def test_two_stacks_from_one_ledger_equal_two_stacks():
    X, y = REGRESSION["friedman"]
    ledger = make_ledger(regressors(), X, y, cv=4)
    for final in (Ridge(), LinearRegression(positive=True)):
        alone = StackingRegressor(regressors(), final, cv=4).fit(X, y)
        shared = StackingRegressor(regressors(), final).fit(X, y, ledger=ledger)
        np.testing.assert_array_equal(shared.predict(X), alone.predict(X))
    built = StackingRegressor.from_ledger(ledger, X, y, final_estimator=Ridge())
    np.testing.assert_allclose(
        built.predict(X), StackingRegressor(regressors(), Ridge(), cv=4).fit(X, y).predict(X)
    )


def test_ledger_of_a_stack_serves_another():
    X, y = CLASSIFICATION["iris"]
    first = StackingClassifier(classifiers()).fit(X, y)
    names = ["tree", "bayes"]
    models = [pair for name in names for pair in classifiers() if pair[0] == name]
    again = StackingClassifier(models, stack_method="predict").fit(X, y, ledger=first.ledger_)
    alone = StackingClassifier(models, stack_method="predict").fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), alone.predict_proba(X))


def test_order_of_members_changes_nothing_in_least_squares():
    X, y = REGRESSION["friedman"]
    there = StackingRegressor(regressors(), LinearRegression(), cv=4).fit(X, y)
    back = StackingRegressor(regressors()[::-1], LinearRegression(), cv=4).fit(X, y)
    np.testing.assert_allclose(there.predict(X), back.predict(X), rtol=1e-10)
    np.testing.assert_allclose(there.final_estimator_.coef_, back.final_estimator_.coef_[::-1])


def test_stack_is_deterministic_for_any_number_of_workers():
    X, y = CLASSIFICATION["iris"]
    one = StackingClassifier(classifiers(), n_jobs=1).fit(X, y).predict_proba(X)
    two = StackingClassifier(classifiers(), n_jobs=2).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_text_reach_members_and_final_model(frame):
    rng = np.random.default_rng(0)
    town, size = rng.choice(["A", "B", "C"], 90), rng.normal(size=90)
    X = frame({"town": town, "size": size})
    y = (size + (town == "A") > 0).astype(int)
    encode = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), ["town"]), remainder="passthrough"
    )
    models = [
        ("line", make_pipeline(encode, LogisticRegression())),
        ("tree", make_pipeline(clone(encode), DecisionTreeClassifier(max_depth=3))),
    ]
    final = make_pipeline(clone(encode), LogisticRegression())
    stack = StackingClassifier(models, final, passthrough=True).fit(X, y)
    assert stack.score(X, y) > 0.8
    names = ["stackingclassifier_line", "stackingclassifier_tree", "town", "size"]
    assert list(stack.get_feature_names_out()) == names


def test_output_is_a_frame_when_requested():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    stack = StackingRegressor(regressors(), passthrough=True).set_output(transform="pandas")
    table = stack.fit(X, y).transform(X)
    assert list(table.columns[:3]) == [f"stackingregressor_{name}" for name, _ in regressors()]
    assert list(table.columns[3:]) == list(X.columns)
    assert stack.predict(X).shape == (len(y),)


def test_sparse_input_passes_through():
    X, y = REGRESSION["friedman"]
    dense = StackingRegressor(regressors(), Ridge(), passthrough=True).fit(X, y)
    mine = StackingRegressor(regressors(), Ridge(), passthrough=True).fit(sparse.csr_array(X), y)
    assert sparse.issparse(mine.transform(sparse.csr_array(X)))
    np.testing.assert_allclose(mine.predict(sparse.csr_array(X)), dense.predict(X), rtol=1e-3)


def test_decision_rules_act_on_the_final_probabilities():
    X, y = CLASSIFICATION["cancer"]
    stack = StackingClassifier(classifiers(), decide=Abstain(0.9, abstain_label=-1)).fit(X, y)
    surest = stack.predict_proba(X).max(axis=1)
    np.testing.assert_array_equal(stack.predict(X) == -1, surest < 0.9)
    tuned = StackingClassifier(classifiers(), decide=Threshold("tune", scoring="f1")).fit(X, y)
    assert set(tuned.predict(X)) == {0, 1}


@pytest.mark.parametrize("calibrate", ["temperature", "sigmoid", "isotonic"])
def test_calibrated_probabilities_are_fractions(calibrate):
    X, y = CLASSIFICATION["wine"]
    stack = StackingClassifier(classifiers(), calibrate=calibrate).fit(X, y)
    probabilities = stack.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_array_equal(stack.predict(X), stack.classes_[probabilities.argmax(axis=1)])


def test_metadata_is_routed_to_those_that_request_it():
    X, y = REGRESSION["friedman"]
    weight, groups = np.linspace(1, 3, len(y)), np.arange(len(y)) % 10
    with sklearn.config_context(enable_metadata_routing=True):
        models = [
            ("line", LinearRegression().set_fit_request(sample_weight=True)),
            ("near", KNeighborsRegressor()),
        ]
        final = LinearRegression().set_fit_request(sample_weight=False)
        stack = StackingRegressor(models, final, cv=GroupKFold(5))
        stack.fit(X, y, sample_weight=weight, groups=groups)
        line = LinearRegression().fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(stack.named_estimators_["line"].coef_, line.coef_)
        unweighted = LinearRegression().fit(*_level_one_of(stack, X, y))
        np.testing.assert_allclose(stack.final_estimator_.coef_, unweighted.coef_)


def _level_one_of(stack, X, y):
    table, rows = stack._fitted_level_one(X)
    return table, y[rows]


def test_routed_weights_against_sklearn_reach_the_default_final_model():
    X, y = REGRESSION["friedman"]
    weight = np.linspace(1, 3, len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        models = [("line", LinearRegression().set_fit_request(sample_weight=True))]
        mine = StackingRegressor(models).fit(X, y, sample_weight=weight)
        reference = theirs.StackingRegressor(models).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(mine.predict(X), reference.predict(X), rtol=1e-9)


def test_final_model_has_further_methods():
    X, y = REGRESSION["friedman"]
    from sklearn.linear_model import BayesianRidge

    stack = StackingRegressor(regressors(), BayesianRidge()).fit(X, y)
    values, deviations = stack.predict(X, return_std=True)
    assert values.shape == deviations.shape == y.shape


def test_classes_missing_in_a_fold_are_said_and_get_zeros():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(UserWarning, match="folds train without the classes"):
        stack = StackingClassifier(classifiers(), cv=KFold(3)).fit(X, y)
    assert (stack.ledger_.outputs[100:, :, 2] == 0).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cv": [(np.arange(150), np.empty(0, dtype=int))]}, "holds out no row at all"),
        ({"cv": GroupKFold(3)}, "groups"),
        ({"estimators": [("svm", LinearSVC())], "stack_method": "predict_proba"}, "no method"),
        ({"estimators": [("svm", LinearSVC())], "level_one": "logits"}, "no method"),
        ({"level_one": "labels", "stack_method": "predict_proba"}, "'auto' if level_one='labels'"),
        ({"final_estimator": Ridge()}, "should be a classifier"),
        ({"partition": "honest", "cv": "prefit"}, "None if cv='prefit'|not fitted"),
        ({"calibrate": "platt"}, "calibration method 'platt' is not known"),
        ({"calibrate": 3}, "'calibrate' must be a Calibration"),
        ({"refit": "none"}, "'refit' must be one of 'all', 'folds', 'both'"),
        ({"estimators": [("a", StandardScaler())]}, "must be a classifier or a regressor"),
    ],
    ids=str,
)
def test_classifier_rejects(change, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises((ValueError, TypeError), match=message):
        StackingClassifier(classifiers()).set_params(**change).fit(X, y)


def test_classifier_rejects_one_class():
    X, _ = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"at least two classes .* one class: \['a'\]"):
        StackingClassifier(classifiers()).fit(X, ["a"] * 150)


def test_folds_are_rejected_where_a_ledger_did_not_keep_them():
    X, y = load_iris(return_X_y=True)
    ledger = make_ledger(classifiers(), X, y)
    with pytest.raises(ValueError, match="keep_models=True"):
        StackingClassifier(classifiers(), refit="folds").fit(X, y, ledger=ledger)


def test_final_model_without_weights_is_named():
    X, y = load_iris(return_X_y=True)
    models = [("bayes", GaussianNB())]
    with pytest.raises(TypeError, match="KNeighborsClassifier takes no sample_weight"):
        StackingClassifier(models, KNeighborsClassifier()).fit(X, y, sample_weight=np.ones(150))


def test_stack_without_probabilities_has_no_predict_proba():
    stack = StackingClassifier(classifiers(), LinearSVC())
    assert not hasattr(stack, "predict_proba")
    assert hasattr(StackingClassifier(classifiers(), DummyClassifier()), "predict_proba")
