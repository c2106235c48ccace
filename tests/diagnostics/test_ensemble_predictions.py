from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import multiclass as sklearn_multiclass
from sklearn.base import clone
from sklearn.ensemble import AdaBoostRegressor, BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import nonet
from diagnostics.matrices import MEANS, MODELS, NAMES, STEPS, VOTES, XR, YR, X
from nonet.decide import Abstain
from nonet.diagnostics.ensemble_predictions import gather_predictions
from nonet.diagnostics.member_predictions import own_prediction

TRAIN, TEST = slice(0, 200), slice(200, 300)


@pytest.mark.parametrize("name", VOTES)
def test_members_predict_the_labels_of_the_ensemble(name):
    model = clone(VOTES[name]).fit(X[TRAIN], NAMES[TRAIN])
    predictions = gather_predictions(model, X[TEST], NAMES[TEST])
    assert predictions.classes.tolist() == ["one", "three", "two"]
    np.testing.assert_array_equal(
        predictions.classes[predictions.prediction], model.predict(X[TEST])
    )
    assert predictions.correct.mean() > 0.4  # swapped codes would be at chance or below
    np.testing.assert_allclose(predictions.weights.sum(), 1)


@pytest.mark.parametrize(
    "name", ["nonet voting", "nonet adaboost", "sklearn voting", "sklearn adaboost"]
)
def test_weighted_vote_of_the_predictions_is_the_ensemble(name):
    model = clone(VOTES[name]).fit(X[TRAIN], NAMES[TRAIN])
    predictions = gather_predictions(model, X[TEST], NAMES[TEST])
    np.testing.assert_array_equal(own_prediction(predictions), predictions.prediction)


@pytest.mark.parametrize("name", MEANS)
def test_weighted_mean_of_the_predictions_is_the_ensemble(name):
    model = clone(MEANS[name]).fit(XR[TRAIN], YR[TRAIN])
    predictions = gather_predictions(model, XR[TEST], YR[TEST])
    np.testing.assert_allclose(own_prediction(predictions), model.predict(XR[TEST]))


@pytest.mark.parametrize("name", [name for name in VOTES if name != "sklearn voting"])
def test_probabilities_have_the_columns_of_the_ensemble(name):
    model = clone(VOTES[name]).fit(X[TRAIN], NAMES[TRAIN])
    predictions = gather_predictions(model, X[TEST], NAMES[TEST], kind="probabilities")
    assert predictions.outputs.shape == (100, len(predictions.names), 3)
    np.testing.assert_allclose(predictions.outputs.sum(axis=2), 1)


@pytest.mark.parametrize("name", ["nonet bagging", "nonet forest", "sklearn bagging"])
def test_out_of_bag_predictions_are_of_members_that_did_not_see_the_row(name):
    model = clone(VOTES[name]).fit(X, NAMES)
    predictions = gather_predictions(model, X, NAMES, out_of_bag=True)
    counts = np.array([np.bincount(rows, minlength=300) for rows in model.estimators_samples_]).T
    is_out_of_bag = (counts == 0).any(axis=1)
    np.testing.assert_array_equal(predictions.present, counts[is_out_of_bag] == 0)
    assert len(predictions.truth) == is_out_of_bag.sum()


@pytest.mark.parametrize("kind", [RandomForestClassifier, nonet.RandomForestClassifier])
def test_out_of_bag_of_a_forest_is_its_own_score(kind):
    forest = kind(30, oob_score=True, random_state=0).fit(X, NAMES)
    predictions = gather_predictions(forest, X, NAMES, kind="probabilities", out_of_bag=True)
    own = forest.classes_[predictions.prediction.argmax(axis=1)]
    assert np.mean(own == NAMES) == pytest.approx(forest.oob_score_)


def test_frames_reach_members_that_met_no_names():
    frame = pd.DataFrame(X).add_prefix("column ")
    forest = RandomForestClassifier(5, random_state=0).fit(frame, NAMES)
    with_names = gather_predictions(forest, frame, NAMES)
    np.testing.assert_array_equal(
        with_names.outputs,
        gather_predictions(
            RandomForestClassifier(5, random_state=0).fit(X, NAMES), X, NAMES
        ).outputs,
    )


def test_members_with_fewer_classes_are_aligned():
    bagging = BaggingClassifier(
        KNeighborsClassifier(1), n_estimators=20, max_samples=3, random_state=0
    ).fit(X, NAMES)
    seen = {len(member.classes_) for member in bagging.estimators_}
    assert min(seen) < 3
    predictions = gather_predictions(bagging, X, NAMES)
    naive = [member.predict(X) for member in bagging.estimators_]
    np.testing.assert_array_equal(predictions.outputs.T, naive)


def test_ledger_is_read_with_its_own_truth():
    ledger = nonet.make_ledger(MODELS, X, NAMES, cv=3)
    predictions = gather_predictions(ledger, None, None)
    assert predictions.names == ("line", "bayes")
    assert predictions.present is None
    np.testing.assert_array_equal(predictions.outputs, ledger.outputs.argmax(axis=2))
    np.testing.assert_array_equal(predictions.classes[predictions.truth], NAMES)
    assert nonet.diversity(ledger).n_rows == nonet.diversity(ledger, y=NAMES).n_rows == 300


def test_ledger_of_a_regression_is_read():
    models = [("line", LinearRegression()), ("near", KNeighborsRegressor())]
    result = nonet.ambiguity(nonet.make_ledger(models, XR, YR, cv=3))
    assert result.error == pytest.approx(result.member_error - result.ambiguity)


def test_silent_ensemble_is_wrong_where_it_is_silent():
    model = nonet.VotingClassifier(
        MODELS, combine="mean", decide=Abstain(0.9, abstain_label="?")
    ).fit(X[TRAIN], NAMES[TRAIN])
    predictions = gather_predictions(model, X[TEST], NAMES[TEST])
    assert (predictions.prediction == -1).any()
    result = nonet.ambiguity(model, X[TEST], NAMES[TEST])
    assert result.error == pytest.approx(np.mean(model.predict(X[TEST]) != NAMES[TEST]))


@pytest.mark.parametrize("name", STEPS)
def test_gradient_boosting_has_no_members_that_predict(name):
    model = clone(STEPS[name]).fit(X, NAMES)
    with pytest.raises(TypeError, match="steps of one sum"):
        nonet.diversity(model, X, NAMES)


class SumOfMembers(nonet.VotingClassifier):
    """An ensemble with members and F whose members are terms of a sum."""

    _member_role = "step"


class ProbabilitiesOfSides(nonet.VotingClassifier):
    """An ensemble whose members separate groups of classes."""

    _member_role = "side"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(SumOfMembers, "steps of one sum"), (ProbabilitiesOfSides, "predict no single class")],
)
def test_ensemble_itself_says_what_its_members_are(kind, reason):
    """Issue 19, part 2: the role of the members is looked up, not guessed from other attributes."""
    with pytest.raises(TypeError, match=reason):
        nonet.diversity(kind(MODELS).fit(X, NAMES), X, NAMES)


def test_out_of_bag_of_members_that_saw_every_row_is_refused():
    """Issue 19, part 2: one reason, whether the ensemble is ours or scikit-learn's."""
    for kind in (nonet.ExtraTreesClassifier, nonet.RandomSubspaceClassifier):
        model = kind(n_estimators=3, random_state=0).fit(X, NAMES)
        with pytest.raises(ValueError, match="saw every row, so none is out of bag"):
            gather_predictions(model, X, NAMES, out_of_bag=True)


def test_weighted_median_of_adaboost_is_not_the_mean():
    model = AdaBoostRegressor(n_estimators=5, random_state=0).fit(XR[TRAIN], YR[TRAIN])
    result = nonet.ambiguity(model, XR[TEST], YR[TEST])
    assert result.off_mean != 0
    whole = result.member_error - result.ambiguity - result.off_mean
    assert result.error == pytest.approx(whole)
    assert result.error == pytest.approx(np.mean((model.predict(XR[TEST]) - YR[TEST]) ** 2))


@pytest.mark.parametrize("room", [nonet, sklearn_multiclass], ids=["nonet", "sklearn"])
def test_members_of_a_code_matrix_have_other_targets(room):
    model = room.OneVsRestClassifier(LogisticRegression()).fit(X, NAMES)
    with pytest.raises(TypeError, match="predict no single class"):
        nonet.diversity(model, X, NAMES)


def test_diagnosis_rejects_what_has_no_members():
    with pytest.raises(TypeError, match="LogisticRegression has no members"):
        nonet.diversity(LogisticRegression().fit(X, NAMES), X, NAMES)


@pytest.mark.parametrize("kind", [nonet.OneVsRestClassifier, nonet.ClassTreeClassifier])
def test_diagnosis_rejects_members_that_name_no_class(kind):
    with pytest.raises(TypeError, match="separate groups of classes and predict no single class"):
        nonet.diversity(kind(LogisticRegression()).fit(X, NAMES), X, NAMES)


def test_diagnosis_rejects_missing_rows_and_strange_labels():
    model = clone(VOTES["sklearn forest"]).fit(X, NAMES)
    with pytest.raises(ValueError, match="X and y must be given"):
        nonet.diversity(model)
    with pytest.raises(ValueError, match="'four' is not one of the classes"):
        nonet.diversity(model, X, np.full(300, "four"))
    with pytest.raises(ValueError, match="saw every row, so none is out of bag"):
        gather_predictions(clone(VOTES["nonet voting"]).fit(X, NAMES), X, NAMES, out_of_bag=True)


def test_several_targets_are_rejected():
    forest = RandomForestClassifier(3, random_state=0).fit(X, np.column_stack([NAMES, NAMES]))
    with pytest.raises(ValueError, match="has 2 targets: diagnose one at a time"):
        nonet.diversity(forest, X, NAMES)
