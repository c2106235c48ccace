"""Every public ensemble keeps the formula: members_, combine_, decide_, and predict made of them.

Issue 19, part 2.
"""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import make_classification

import nonet
from contracts.instances import SETTINGS, every_instance, make
from nonet.decide import Abstain, MinimumCost, Threshold
from nonet.ensemble import Ensemble

X, CODES = make_classification(
    120, 6, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.2, random_state=0
)
THREE = np.array(["a", "b", "c"])[CODES]
TWO = np.array(["no", "yes", "yes"])[CODES]
VALUES = X[:, 0] + CODES

# One model, or a code without a prediction.
NO_ENSEMBLES = {
    nonet.DecisionStump,
    nonet.DecisionTreeClassifier,
    nonet.DecisionTreeRegressor,
    nonet.EnsembleEmbedding,
    nonet.ExtraTreeClassifier,
    nonet.ExtraTreeRegressor,
    nonet.OneSidedClassifier,
    nonet.PocketPerceptron,
    nonet.RandomPerceptron,
    nonet.RandomTreesEmbedding,
}
ENSEMBLES = [kind for kind in SETTINGS if kind not in NO_ENSEMBLES]
INSTANCES = [model for model in every_instance() if type(model) in ENSEMBLES]
# Their C is the method itself: enough votes or the arbiter, and the offset of the scores.
NO_RULE_OF_CHOICE = {nonet.ArbiterClassifier, nonet.IsolationForest}
# What a classifier needs for its support to be probabilities, where the default gives others.
PROBABILITIES = {
    nonet.ClassTreeClassifier: {"combine": "product"},
    nonet.OneVsOneClassifier: {"decoding": "coupling"},
    nonet.OneVsRestClassifier: {"decoding": "probabilities"},
    nonet.OutputCodeClassifier: {"decoding": "coupling", "random_state": 0},
    nonet.VotingClassifier: {"voting": "soft"},
}
RULES = {
    "threshold": Threshold(0.3),
    "abstain": Abstain(0.8, abstain_label="unsure"),
    "costs": MinimumCost([[0, 1], [5, 0]]),
}


def name(kind):
    return kind.__name__


def targets(model):
    """Yield what a model can learn from."""
    yield from (THREE, TWO) if is_classifier(model) else (VALUES,)


def assert_keeps_the_formula(model):
    support = model._for_decision(model.combine_(model.member_outputs(X), X))
    decided, predicted = model.decide_(support, X), model.predict(X)
    assert decided.dtype == predicted.dtype
    if predicted.dtype.kind == "f":  # sums in another order
        np.testing.assert_allclose(decided, predicted, rtol=1e-12)
    else:
        np.testing.assert_array_equal(decided, predicted)


def test_every_estimator_is_an_ensemble_or_named_here():
    assert {kind for kind in SETTINGS if not issubclass(kind, Ensemble)} == NO_ENSEMBLES


@pytest.mark.parametrize("model", INSTANCES, ids=repr)
def test_prediction_is_the_decision_on_the_combined_outputs(model):
    for y in targets(model):
        model.fit(X, y)
        assert len(model.members_) == len(model.estimators_) > 0
        assert model._member_role in ("predictor", "side", "step")
        assert model.combine_.reads is not None
        assert_keeps_the_formula(model)


@pytest.mark.parametrize("kind", ENSEMBLES, ids=name)
def test_decide_is_a_parameter_given_by_name(kind):
    decide = inspect.signature(kind).parameters.get("decide")
    assert (decide is None) == (kind in NO_RULE_OF_CHOICE)
    assert decide is None or decide.kind is inspect.Parameter.KEYWORD_ONLY


CLASSIFIERS = [kind for kind in ENSEMBLES if is_classifier(make(kind))]
REGRESSORS = [kind for kind in ENSEMBLES if is_regressor(make(kind))]
RULED = [kind for kind in CLASSIFIERS if kind not in NO_RULE_OF_CHOICE]
# Its support is the fraction of the votes, its probabilities a softmax of that.
VOTES_FRACTIONS = {nonet.AdaBoostClassifier}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", RULED, ids=name)
def test_decision_rule_changes_the_prediction_and_no_probability(kind, rule):
    settings = PROBABILITIES.get(kind, {"random_state": 0} if _is_random(kind) else {})
    plain = make(kind, **settings).fit(X, TWO)
    ruled = make(kind, **settings, decide=RULES[rule]).fit(X, TWO)
    np.testing.assert_array_equal(ruled.predict_proba(X), plain.predict_proba(X))
    assert_keeps_the_formula(ruled)
    if kind in VOTES_FRACTIONS:
        return
    codes = RULES[rule].with_classes(ruled.classes_).decide(plain.predict_proba(X))
    expected = np.array(["no", "yes", "unsure"])[codes]
    np.testing.assert_array_equal(ruled.predict(X), expected)


def _is_random(kind):
    return "random_state" in inspect.signature(kind).parameters


@pytest.mark.parametrize("kind", REGRESSORS, ids=name)
def test_regression_decides_by_a_function_of_the_values(kind):
    settings = {"random_state": 0} if _is_random(kind) else {}
    values = make(kind, **settings).fit(X, VALUES).predict(X)
    rounded = make(kind, **settings, decide=np.round).fit(X, VALUES)
    np.testing.assert_array_equal(rounded.predict(X), np.round(values))
    assert_keeps_the_formula(rounded)
