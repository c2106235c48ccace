"""Members that accept only the codes 0..k-1 (issue 17, item 4)."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from members.codes_only import CodesOnly, line
from nonet import BaggingClassifier, PocketPerceptron, StackingClassifier, VotingClassifier
from nonet.members.fit import fit_member
from nonet.members.label_codes import LabelEncodedClassifier, decode_prefit, fit_on_labels
from nonet.members.plan import MemberPlan

IRIS = load_iris()
X, CODES = IRIS.data[:, :2], IRIS.target
NAMES = IRIS.target_names[CODES]
LABELS = {
    "strings": NAMES,
    "objects": NAMES.astype(object),
    "gaps": np.array([0, 2, 5])[CODES],
    "negative": CODES - 1,
    "floats": CODES + 0.5,
}


@pytest.mark.parametrize("kind", LABELS)
def test_refused_labels_become_codes_and_come_back(kind):
    y = LABELS[kind]
    model = fit_on_labels(CodesOnly(), X, y, {})
    usual = CodesOnly().fit(X, CODES)
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    np.testing.assert_array_equal(model.predict(X), np.unique(y)[usual.predict(X)])
    np.testing.assert_array_equal(model.predict_proba(X), usual.predict_proba(X))
    assert model.predict(X).dtype == y.dtype


def test_codes_go_to_the_model_as_they_are():
    assert isinstance(fit_on_labels(CodesOnly(), X, CODES, {}), CodesOnly)


def test_member_without_some_of_the_classes_gets_codes_without_gaps():
    rows = np.flatnonzero(CODES != 1)
    member = fit_member(MemberPlan("a", CodesOnly(), rows=rows), X, CODES)
    np.testing.assert_array_equal(member.estimator.classes_, [0, 2])
    np.testing.assert_array_equal(member.estimator.estimator_.classes_, [0, 1])


def test_weights_reach_the_model():
    weight = np.where(CODES == 0, 5.0, 1.0)
    model = fit_on_labels(CodesOnly(), X, NAMES, {"sample_weight": weight})
    usual = CodesOnly().fit(X, CODES, weight)
    np.testing.assert_array_equal(model.predict_proba(X), usual.predict_proba(X))


def test_seed_of_the_plan_reaches_the_model():
    member = fit_member(MemberPlan("a", CodesOnly(), seed=3), X, NAMES)
    same = fit_member(MemberPlan("a", LogisticRegression(), seed=3), X, NAMES)
    assert member.estimator.estimator_.random_state == same.estimator.random_state


def test_pipeline_around_the_model_gets_codes():
    model = fit_on_labels(make_pipeline(StandardScaler(), CodesOnly()), X, NAMES, {})
    assert set(model.predict(X)) == set(IRIS.target_names)
    assert model.named_steps["codesonly"].n_classes_ == 3


# ---- Errors that are none of labels ------------------------------------------------------------


class FailsLate(CodesOnly):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        raise ValueError("out of luck")


def test_error_of_the_codes_is_raised_if_labels_are_not_what_is_wrong():
    with pytest.raises(ValueError, match="out of luck") as caught:
        fit_on_labels(FailsLate(), X, NAMES, {})
    assert "Invalid classes" in str(caught.value.__context__)


def test_error_of_the_labels_is_raised_if_codes_fail_at_the_same_check():
    one_class = np.full(len(X), "only")
    with pytest.raises(ValueError, match="only one class: .*only") as caught:
        fit_on_labels(LogisticRegression(), X, one_class, {})
    assert caught.value.__context__ is None


class Counting(CodesOnly):
    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        Counting.n_fits += 1
        raise self.error


@pytest.mark.parametrize(
    ("error", "y", "n_fits"),
    [
        (ValueError(), CODES, 1),
        (RuntimeError(), NAMES, 1),
        (MemoryError(), NAMES, 1),
        (KeyboardInterrupt(), NAMES, 1),
        (ValueError(), np.column_stack([NAMES, NAMES]), 1),
        (TypeError(), NAMES, 2),
        (IndexError(), NAMES, 2),
    ],
)
def test_model_is_tried_again_only_if_labels_may_be_why(error, y, n_fits):
    Counting.n_fits, Counting.error = 0, error
    with pytest.raises(type(error)):
        fit_on_labels(Counting(), X, y, {})
    assert Counting.n_fits == n_fits


def test_class_weight_by_label_is_never_read_by_code():
    """Codes would make the weight of label 1 that of label 2."""
    model = LogisticRegression(class_weight={0: 1.0, 1: 9.0})
    for one in (model, make_pipeline(StandardScaler(), model)):
        with pytest.raises(ValueError, match="class_weight"):
            fit_on_labels(one, X[CODES > 0], CODES[CODES > 0], {})


def test_error_of_our_own_classes_is_not_hidden():
    with pytest.raises(ValueError, match="two classes"):
        fit_on_labels(PocketPerceptron(), X, NAMES, {})


# ---- The classifier around the model -----------------------------------------------------------


class LabelsOnly(CodesOnly):
    predict_proba = property()


@pytest.fixture
def model():
    return fit_on_labels(CodesOnly(C=0.5), X, NAMES, {})


def test_it_looks_like_the_model_inside(model):
    assert model.n_features_in_ == 2
    assert model.feature_importances_.shape == (2,)
    assert model.decision_function(X).shape == (len(X), 3)
    assert not hasattr(model, "partial_fit")
    assert not hasattr(fit_on_labels(LabelsOnly(), X, NAMES, {}), "predict_proba")
    assert not hasattr(LabelEncodedClassifier(CodesOnly()), "feature_importances_")
    check_is_fitted(model)
    assert model.score(X, NAMES) > 0.7


@pytest.mark.parametrize("copy", [clone, lambda model: pickle.loads(pickle.dumps(model))])
def test_it_can_be_copied(model, copy):
    copied = copy(model)
    assert copied.estimator.C == 0.5
    again = copied if hasattr(copied, "estimator_") else copied.fit(X, NAMES)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_one_class_is_certain():
    class OneWillDo(CodesOnly):
        def fit(self, X, y, sample_weight=None):
            if set(np.unique(y).tolist()) != {0}:
                raise ValueError("codes, please")
            self.n_classes_ = 1
            return self

        def predict_proba(self, X):
            return np.tile([0.9, 0.1], (len(X), 1))

    model = fit_on_labels(OneWillDo(), X, np.full(len(X), "only"), {})
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((len(X), 1)))


def test_code_that_is_no_class_raises(model):
    model.estimator_.predict = lambda X: np.full(len(X), -1)
    with pytest.raises(ValueError, match="label -1 is not one of the classes"):
        model.predict(X)


def test_metadata_is_what_the_model_inside_requests():
    with sklearn.config_context(enable_metadata_routing=True):
        inner = CodesOnly().set_fit_request(sample_weight=True)
        requested = LabelEncodedClassifier(inner).get_metadata_routing()
        assert requested.fit.requests == {"sample_weight": True}


# ---- Members that come fitted ------------------------------------------------------------------


def test_members_fitted_on_codes_vote_with_labels():
    fitted = [("codes", CodesOnly().fit(X, CODES)), ("labels", GaussianNB().fit(X, NAMES))]
    vote = VotingClassifier(fitted, voting="soft", prefit=True).fit(X, NAMES)
    same = VotingClassifier([("codes", line()), ("labels", GaussianNB())], voting="soft").fit(
        X, NAMES
    )
    np.testing.assert_array_equal(vote.predict_proba(X), same.predict_proba(X))
    stack = StackingClassifier(fitted, cv="prefit").fit(X, NAMES)
    assert set(stack.predict(X)) <= set(NAMES)


@pytest.mark.parametrize(
    "classes", [np.array([0, 1, 2]), np.array([0, 1, 2, 7]), np.array(["a", "b"])]
)
def test_fitted_member_is_decoded_only_if_its_classes_are_positions(classes):
    fitted = CodesOnly().fit(X, CODES)
    assert decode_prefit(fitted, classes) is fitted


# ---- Bags --------------------------------------------------------------------------------------


def test_bags_without_some_classes_fit_their_members():
    y = np.where(np.arange(len(X)) < 4, "rare", NAMES)
    bags = BaggingClassifier(CodesOnly(), n_estimators=8, max_samples=0.3, random_state=0)
    same = BaggingClassifier(line(), n_estimators=8, max_samples=0.3, random_state=0)
    fractions = bags.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(fractions, same.fit(X, y).predict_proba(X))
    assert {len(member.classes_) for member in bags.estimators_} == {3, 4}
