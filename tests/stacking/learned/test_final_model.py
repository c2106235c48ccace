"""The final model is F of a stack, and there is always a C.

Issue 19, part 2: a stack had no ``combine_``, and ``decide_`` only if a rule was given.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.datasets import make_classification, make_friedman1
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from nonet import StackingClassifier, StackingRegressor
from nonet.decide import Abstain, MinimumCost, Threshold, find_threshold

X, Y = make_classification(200, n_informative=4, flip_y=0.2, random_state=0)
NAMES = np.array(["no", "yes"])[Y]
BOTH = np.column_stack([NAMES, np.where(X[:, 1] > 0, "up", "down")])
XR, YR = make_friedman1(200, random_state=0)


def members():
    return [
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ("near", KNeighborsClassifier(7)),
    ]


def regressors():
    return [("line", Ridge()), ("tree", DecisionTreeRegressor(max_depth=3, random_state=0))]


STACKS = {
    "the model decides": StackingClassifier(members()),
    "passthrough": StackingClassifier(members(), passthrough=True),
    "no probabilities": StackingClassifier(members(), LinearSVC(random_state=0)),
    "threshold": StackingClassifier(members(), decide=Threshold(0.3)),
    "tuned threshold": StackingClassifier(members(), decide="tuned_threshold"),
    "abstain": StackingClassifier(members(), decide=Abstain(0.8, abstain_label="?")),
    "costs": StackingClassifier(members(), decide=MinimumCost([[0, 1], [5, 0]])),
    "calibrated": StackingClassifier(members(), calibrate="temperature", refit="both"),
    "partitions": StackingClassifier(members(), partition="leaking", random_state=0),
    "several kinds": StackingClassifier([*members(), ("line", Ridge()), ("svm", LinearSVC())]),
    "regression": StackingRegressor(regressors()),
    "rounded": StackingRegressor(regressors(), passthrough=True, decide=np.round),
}


@pytest.mark.parametrize("name", STACKS)
def test_prediction_is_the_decision_on_the_combined_outputs(name):
    stack = STACKS[name]
    table = X if is_classifier(stack) else XR
    stack.fit(table, NAMES if is_classifier(stack) else YR)
    support = stack.combine_(stack.member_outputs(table), table)
    np.testing.assert_array_equal(stack.decide_(support, table), stack.predict(table))


def test_prediction_of_several_targets_is_the_decision_on_each():
    for decide in (None, "argmax"):
        stack = StackingClassifier(members(), KNeighborsClassifier(5), decide=decide).fit(X, BOTH)
        support = stack.combine_(stack.member_outputs(X))
        np.testing.assert_array_equal(stack.decide_(support, X), stack.predict(X))
        assert [part.shape for part in support] == [(200, 2), (200, 2)]


def test_class_that_the_model_predicts_has_all_support():
    stack = StackingClassifier(members()).fit(X, NAMES)
    predicted = stack.final_estimator_.predict(stack.transform(X))
    support = stack.combine_(stack.member_outputs(X))
    np.testing.assert_array_equal(support, predicted[:, np.newaxis] == stack.classes_)


@pytest.mark.parametrize("decide", [Threshold(0.3), Abstain(0.8, abstain_label="?"), "argmax"])
def test_rule_changes_predictions_and_no_probabilities(decide):
    plain = StackingClassifier(members()).fit(X, NAMES)
    ruled = StackingClassifier(members(), decide=decide).fit(X, NAMES)
    np.testing.assert_array_equal(ruled.predict_proba(X), plain.predict_proba(X))
    support = ruled.combine_(ruled.member_outputs(X))
    np.testing.assert_array_equal(support, plain.predict_proba(X))


def test_threshold_of_each_target_is_tuned_against_naive():
    """As on a forest: a stack refused to tune more than one target."""
    tuned = Threshold("tune", scoring="f1")
    final = KNeighborsClassifier(15)
    stack = StackingClassifier(members(), final, decide=tuned).fit(X, BOTH)
    table, rows = stack._fitted_level_one(X)
    fractions = cross_val_predict(final, table, BOTH[rows], method="predict_proba", cv=KFold(5))
    for target, part in enumerate(stack.decide_.parts):
        happened = BOTH[rows, target] == stack.classes_[target][1]
        assert part.rule.threshold_ == find_threshold(
            fractions[target][:, 1], happened, scoring="f1"
        )


def test_silence_of_a_stack_on_top_is_kept():
    top = StackingClassifier(members(), decide=Abstain(0.9, abstain_label="unsure"))
    stack = StackingClassifier(members(), top).fit(X, NAMES)
    said = stack.final_estimator_.predict(stack.transform(X))
    assert "unsure" in said
    np.testing.assert_array_equal(stack.predict(X), said)


def test_parameters_of_predict_reach_the_final_model():
    stack = StackingRegressor(regressors(), GaussianProcessRegressor(alpha=1.0)).fit(XR, YR)
    values, spread = stack.predict(XR, return_std=True)
    np.testing.assert_array_equal(values, stack.predict(XR))
    assert spread.shape == values.shape


def test_frame_with_text_passes_through_to_f():
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"]).assign(kind=np.where(X[:, 0] > 0, "u", "v"))

    class OfNumbers(DecisionTreeClassifier):
        def fit(self, X, y):
            return super().fit(X[["a", "b"]].to_numpy(), y)

        def predict_proba(self, X):
            return super().predict_proba(X[["a", "b"]].to_numpy())

    seen = []

    class Final(GaussianNB):
        def fit(self, X, y):
            return super().fit(X.iloc[:, :1].to_numpy(), y)

        def predict(self, X):
            seen.append(list(X.columns))
            return super().predict(X.iloc[:, :1].to_numpy())

    tree = OfNumbers(max_depth=2, random_state=0)
    stack = StackingClassifier([("tree", tree)], Final(), passthrough=True).fit(frame, NAMES)
    assert stack.predict(frame).shape == (200,)
    assert seen == [["stackingclassifier_tree", "a", "b", "kind"]]


@pytest.mark.parametrize("settings", [{"decide": Threshold(0.3)}, {"calibrate": "sigmoid"}])
def test_stack_rejects_a_rule_on_probabilities_that_the_final_model_lacks(settings):
    stack = StackingClassifier(members(), LinearSVC(), **settings)
    (name,) = settings
    with pytest.raises(TypeError, match=f"'{name}' reads probabilities of the final model"):
        stack.fit(X, NAMES)


def test_stack_rejects_a_decision_that_is_no_function_of_values():
    with pytest.raises(ValueError, match="'decide' must be None, 'identity' or a function"):
        StackingRegressor(regressors(), decide="argmax").fit(XR, YR)


def test_decide_is_given_by_name():
    for kind, models in ((StackingClassifier, members()), (StackingRegressor, regressors())):
        with pytest.raises(TypeError, match="positional"):
            kind(models, LogisticRegression(), "argmax")
