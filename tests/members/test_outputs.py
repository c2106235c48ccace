from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet.members.member import Member
from nonet.members.outputs import check_can_predict, predict_member, predict_members

CLASSES = [np.array(["a", "b", "c"])]


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]


def fitted(model, X, y, name="m"):
    return Member(name, model.fit(X, y))


def test_predictions_are_stored_member_by_member(table):
    X, y = table
    members = [fitted(GaussianNB(), X, y), fitted(DecisionTreeClassifier(), X, y)]
    (predictions,) = predict_members(members, X, "probabilities", CLASSES)
    assert predictions.shape == (90, 2, 3)
    assert np.moveaxis(predictions, 1, 0).flags.c_contiguous
    np.testing.assert_array_equal(predictions[:, 0], members[0].estimator.predict_proba(X))


def test_labels_come_as_codes(table):
    X, y = table
    (codes,) = predict_member(fitted(GaussianNB(), X, y), X, "labels", CLASSES)
    assert codes.dtype == np.int8
    np.testing.assert_array_equal(CLASSES[0][codes], GaussianNB().fit(X, y).predict(X))


def test_class_a_member_never_met_gets_probability_zero(table):
    X, y = table
    known = y != "b"
    member = fitted(GaussianNB(), X[known], y[known])
    (prediction,) = predict_member(member, X, "probabilities", CLASSES)
    np.testing.assert_array_equal(prediction[:, 1], 0)
    np.testing.assert_allclose(prediction.sum(axis=1), 1)


def test_class_a_member_never_met_gets_the_lowest_score(table):
    X, y = table
    known = y != "b"
    member = fitted(LinearSVC(), X[known], y[known])
    (prediction,) = predict_member(member, X, "scores", CLASSES)
    assert (prediction[:, 1] < prediction[:, [0, 2]].min(axis=1)).all()


def test_two_class_score_becomes_one_score_for_each_class(table):
    X, _ = table
    y = X[:, 0] > 0
    member = fitted(LinearSVC(), X, y)
    (prediction,) = predict_member(member, X, "scores", [np.array([False, True])])
    score = member.estimator.decision_function(X)
    np.testing.assert_array_equal(prediction, np.column_stack([-score, score]))


def test_scores_fall_back_on_probabilities(table):
    X, y = table
    member = fitted(GaussianNB(), X, y)
    (prediction,) = predict_member(member, X, "scores", CLASSES)
    np.testing.assert_array_equal(prediction, member.estimator.predict_proba(X))


def test_values_of_several_targets(table):
    X, _ = table
    Y = np.column_stack([X[:, 0], X[:, 1], X[:, 2]])
    members = [fitted(Ridge(), X, Y), fitted(DecisionTreeRegressor(), X, Y)]
    (predictions,) = predict_members(members, X, "values", None)
    assert predictions.shape == (90, 2, 3)


def test_several_targets_of_a_classification(table):
    X, y = table
    Y = np.column_stack([y, np.where(X[:, 1] > 0, "up", "down")])
    classes = [CLASSES[0], np.array(["down", "up"])]
    member = fitted(DecisionTreeClassifier(max_depth=2), X, Y)
    first, second = predict_member(member, X, "probabilities", classes)
    assert first.shape == (90, 3)
    assert second.shape == (90, 2)
    codes = predict_member(member, X, "labels", classes)
    np.testing.assert_array_equal(classes[1][codes[1]], member.estimator.predict(X)[:, 1])


def test_prediction_names_the_member_that_failed(table):
    X, y = table
    member = fitted(LogisticRegression(), X, y, "linear")
    with pytest.raises(ValueError, match=r"member 'linear' \(1 of 1\) failed to predict prob"):
        predict_member(member, X[:, :2], "probabilities", CLASSES)


def test_prediction_rejects_scores_that_do_not_belong_to_classes(table):
    X, _ = table
    y = np.array(["a", "b", "c", "d"])[np.digitize(X[:, 0], [-0.7, 0, 0.7])]
    member = fitted(SVC(decision_function_shape="ovo"), X, y, "svc")
    with pytest.raises(ValueError, match=r"shape \(90, 6\) where one column for each of its 4"):
        predict_member(member, X, "scores", [np.unique(y)])


def test_check_rejects_a_member_that_cannot_predict(table):
    member = fitted(LinearSVC(), *table, "svm")
    with pytest.raises(TypeError, match="'svm'.*no predict_proba.*'mean' needs.*'plurality'"):
        check_can_predict([member], "probabilities", "mean")
    check_can_predict([member], "scores", "borda")
