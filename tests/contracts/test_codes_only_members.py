"""Classifiers that accept only the codes 0..k-1 work wherever a classifier does (issue 17, item 4).

Each ensemble is compared with the same one around the model inside, which takes any labels.
"""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import nonet
from contracts import public
from contracts.instances import LEARNERS, MEMBERS, MORE, SETTINGS, regressors
from members.codes_only import CodesOnly, line
from nonet import decide

X, CODES = make_classification(
    120, 4, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.3, random_state=0
)
LABELS = {
    "strings": np.array(["no", "perhaps", "yes"])[CODES],
    "gaps": np.array([1, 4, 9])[CODES],
    "two strings": np.array(["no", "yes", "yes"])[CODES],
}
SMALL = {"n_estimators": 4, "random_state": 0}
LEARNER_SETTINGS = {
    **{kind: [{}] for kind in LEARNERS},
    nonet.OutputCodeClassifier: [{"random_state": 0}],
    nonet.ThreeLearnerClassifier: [{"random_state": 0}],
    nonet.BaggingClassifier: [SMALL, {**SMALL, "max_samples": 0.1, "oob_score": True}],
    nonet.RandomSubspaceClassifier: [SMALL],
    nonet.AdaBoostClassifier: [
        *({**SMALL, "method": method} for method in ("samme", "samme_r", "discrete", "mh", "m2")),
        {**SMALL, "resample": True},
    ],
}
TWO_CLASS_METHODS = ("confidence", "mada", "star", "arc_gv", "lp")


def members(model):
    return [
        ("line", model),
        ("shallow", DecisionTreeClassifier(max_depth=2, random_state=0)),
        ("deep", DecisionTreeClassifier(max_depth=4, random_state=1)),
    ]


def cases():
    """Yield the name of each ensemble, and what makes it around a model."""
    for kind in MEMBERS:
        for settings in SETTINGS[kind] if kind.__name__.endswith("Classifier") else []:
            more = MORE.get(kind, {}) | settings
            name = f"{kind.__name__}({', '.join(settings)})"
            yield name, lambda model, kind=kind, more=more: kind(members(model), **more)
    for kind, all_settings in LEARNER_SETTINGS.items():
        for settings in all_settings:
            name = f"{kind.__name__}({settings})"
            yield name, lambda model, kind=kind, settings=settings: kind(model, **settings)


CASES = dict(cases())
TREES = members(DecisionTreeClassifier(max_depth=1))
PARTS = {
    "final_estimator": lambda model: nonet.StackingClassifier(TREES, model),
    "per_class": lambda model: nonet.StackingClassifier(TREES, model, per_class=True),
    "calibrate": lambda model: nonet.StackingClassifier(TREES, model, calibrate="temperature"),
    "gate": lambda model: nonet.GatedClassifier(TREES, gate=model),
    "arbiter": lambda model: nonet.ArbiterClassifier(TREES, arbiter=model),
    "arbiter tree": lambda model: nonet.ArbiterClassifier(
        TREES, arbiter=model, partition=True, arbiter_tree=True, random_state=0
    ),
    "arbiter of ties": lambda model: nonet.VotingClassifier(
        TREES, decide=decide.Argmax(tie="arbiter", arbiter=model)
    ),
    "init": lambda model: nonet.GradientBoostingClassifier(init=model, n_estimators=3),
}


def outcome(ensemble, y, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of bags and folds that lack a class
        ensemble.fit(X, y, **params)
    has_probabilities = hasattr(ensemble, "predict_proba")
    return [ensemble.predict(X), *([ensemble.predict_proba(X)] if has_probabilities else [])]


def assert_same_outcome(make, y, **params):
    ensemble = make(CodesOnly())
    for one, other in zip(
        outcome(ensemble, y, **params), outcome(make(line()), y, **params), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    return ensemble


def test_every_class_that_takes_classifiers_is_a_case():
    takes = {
        kind
        for kind in public.estimator_classes()
        if {"estimator", "estimators"} & set(inspect.signature(kind).parameters)
        and kind.__name__.endswith("Classifier")
    }
    assert takes <= {*MEMBERS, *LEARNER_SETTINGS, nonet.OneSidedClassifier}
    assert nonet.StackingClassifier in takes


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("case", CASES)
def test_members_that_want_codes_predict_as_those_that_take_labels(case, labels):
    y = LABELS[labels]
    ensemble = assert_same_outcome(CASES[case], y)
    if ensemble._member_role == "predictor":
        assert all(set(model.classes_) <= set(y) for model in ensemble.estimators_)


@pytest.mark.parametrize("method", TWO_CLASS_METHODS)
def test_boosting_of_two_classes_takes_them(method):
    assert_same_outcome(
        lambda model: nonet.AdaBoostClassifier(model, method=method, **SMALL),
        LABELS["two strings"],
    )


def test_one_sided_classifier_takes_them():
    assert_same_outcome(
        lambda model: nonet.OneSidedClassifier(model, random_state=0), LABELS["two strings"]
    )


@pytest.mark.parametrize("part", PARTS)
def test_other_parameters_for_a_classifier_take_them(part):
    assert_same_outcome(PARTS[part], LABELS["strings"])


def test_gate_of_regressors_takes_them():
    assert_same_outcome(lambda model: nonet.GatedRegressor(regressors(), gate=model), X[:, 0] ** 2)


def test_router_takes_them():
    routes = np.array(["line", "shallow", "deep"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0)]
    assert_same_outcome(
        lambda model: nonet.RoutedClassifier(members(model), model),
        LABELS["strings"],
        routes=routes,
    )


def test_ledger_takes_them():
    y = LABELS["strings"]
    ledgers = [nonet.make_ledger([("line", model)], X, y) for model in (CodesOnly(), line())]
    np.testing.assert_array_equal(ledgers[0].outputs, ledgers[1].outputs)
    stack = nonet.StackingClassifier.from_ledger(ledgers[0], X, y)
    assert nonet.leak_check(stack, X, y) is not None


def test_weights_of_rows_reach_them_beside_weights_by_label():
    y = LABELS["strings"]
    by_label = {"no": 1.0, "perhaps": 2.0, "yes": 5.0}

    def make(model):
        weighted = LogisticRegression(class_weight=by_label, max_iter=1000)
        return nonet.VotingClassifier([("codes", model), ("labels", weighted)], voting="soft")

    ensemble = assert_same_outcome(make, y, sample_weight=np.arange(1.0, 121.0))
    assert ensemble.named_estimators_["labels"].class_weight == by_label
    np.testing.assert_array_equal(ensemble.named_estimators_["labels"].classes_, np.unique(y))
