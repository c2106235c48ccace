"""Members with weights, F and C in words."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import nonet
from nonet import decide
from nonet.members.ensemble_parts import ensemble_parts, kind_of, member_weights
from nonet.unsupervised import RatingEnsemble, make_ratings

X, Y = load_iris(return_X_y=True)
MEMBERS = [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=2, random_state=0))]
LINES = [("line", LinearRegression()), ("ridge", Ridge())]


def test_members_have_the_fractions_of_their_weights_and_the_heaviest_is_first():
    vote = nonet.VotingClassifier(MEMBERS, voting="soft", weights=[1, 3]).fit(X, Y)
    found = ensemble_parts(vote)
    assert [(m["name"], m["kind"], m["weight"]) for m in found["members"]] == [
        ("tree", "DecisionTreeClassifier", 0.75),
        ("bayes", "GaussianNB", 0.25),
    ]
    assert found["combine"] == "weighted mean of probabilities"


def test_members_without_weights_keep_their_order():
    found = ensemble_parts(nonet.VotingRegressor(LINES).fit(X, Y))
    assert [(m["name"], m["weight"]) for m in found["members"]] == [("line", None), ("ridge", None)]
    assert (found["combine"], found["decide"]) == ("mean of values", "the value itself")


def test_alphas_of_adaboost_are_its_weights():
    boosted = nonet.AdaBoostClassifier(n_estimators=6, random_state=0).fit(X, Y)
    alphas = np.sort(boosted.estimator_weights_)[::-1]
    found = [m["weight"] for m in ensemble_parts(boosted)["members"]]
    assert found == pytest.approx(alphas / alphas.sum())


def test_negative_weights_keep_their_sign():
    class Bound:
        weights = np.array([3.0, -1.0])

    assert member_weights(Bound(), 2).tolist() == [0.75, -0.25]


@pytest.mark.parametrize("weights", [None, [1.0], [[1.0, 2.0]] * 2, [0.0, 0.0], [np.inf, 1.0]])
def test_weights_that_are_not_one_for_each_member_are_left_out(weights):
    class Bound:
        pass

    Bound.weights = weights if weights is None else np.array(weights)
    assert member_weights(Bound(), 2) is None


def test_only_some_of_many_members_are_listed():
    found = ensemble_parts(nonet.RandomForestClassifier(n_estimators=70, max_depth=1).fit(X, Y))
    assert found["n_members"] == 70
    assert len(found["members"]) == 50


def test_several_targets_are_named():
    Y2 = np.column_stack([Y, Y == 0])
    found = ensemble_parts(nonet.RandomForestClassifier(n_estimators=2).fit(X, Y2))
    assert found["combine"] == "mean of probabilities, for each of 2 targets"
    assert found["decide"] == "class of the highest support, for each of 2 targets"


def test_many_labels_are_decided_by_a_threshold():
    labels = np.column_stack([Y == 0, Y > 0, Y == 2]).astype(int)
    rest = nonet.OneVsRestClassifier(LogisticRegression(max_iter=500)).fit(X, labels)
    assert ensemble_parts(rest)["decide"].startswith("labels with a support above ")


@pytest.mark.parametrize(
    ("ensemble", "combined", "decided"),
    [
        (
            nonet.VotingClassifier(MEMBERS, voting="soft", decide=decide.Abstain(0.9, None, -1)),
            "mean of probabilities",
            "abstain (min_support=0.9, abstain_label=-1)",
        ),
        (
            nonet.StackingClassifier(
                MEMBERS,
                LogisticRegression(max_iter=5000),
                passthrough=True,
                calibrate="temperature",
            ),
            "LogisticRegression on probabilities and columns of X, temperature calibration",
            "class of the highest support",
        ),
        (
            nonet.StackingClassifier(MEMBERS, make_pipeline(StandardScaler(), GaussianNB())),
            "GaussianNB (Pipeline) on probabilities",
            "class of the highest support",
        ),
        (
            nonet.GatedClassifier(MEMBERS, select="best"),
            "mean of probabilities; gate: losses on the 15 nearest rows, the best member alone",
            "class of the highest support",
        ),
        (
            nonet.CascadeClassifier(MEMBERS),
            "first member with a support of 0.9 for a class, or the last",
            "class of the highest support",
        ),
        (
            nonet.OutputCodeClassifier(LogisticRegression(), decoding="hamming", random_state=0),
            "decoding of votes by hamming",
            "class of the highest support",
        ),
        (
            nonet.VotingClassifier(
                MEMBERS, decide=decide.Argmax(tie="arbiter", arbiter="bayes"), combine="plurality"
            ),
            "plurality of labels",
            "class of the highest support (tie='arbiter', arbiter='bayes')",
        ),
        (
            nonet.VotingRegressor(LINES, decide=np.round),
            "mean of values",
            "round of the value",
        ),
        (
            nonet.HistGradientBoostingRegressor(loss="poisson", max_iter=2),
            "start plus sum of scores",
            "inverse link, the value itself",
        ),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_rules_are_named_with_their_parameters(ensemble, combined, decided):
    found = ensemble_parts(ensemble.fit(X, Y))
    assert (found["combine"], found["decide"]) == (combined, decided)


def test_blend_of_ratings_is_clipped_to_their_range():
    data = make_ratings(40, 30, 400, random_state=1)
    found = ensemble_parts(RatingEnsemble(blend="least_squares", cv=3).fit(data.X, data.y))
    assert found["combine"] == "weighted signed sum of values"
    assert found["decide"] == f"clip to {data.y.min():.4g} ... {data.y.max():.4g}"


def test_booster_of_two_classes_decides_by_a_sign():
    booster = nonet.HistGradientBoostingClassifier(max_iter=2).fit(X, Y > 1)
    assert ensemble_parts(booster)["decide"] == "class by the sign of the score"


def test_tuned_threshold_is_the_one_in_use():
    rule = decide.Threshold("tune")
    vote = nonet.VotingClassifier(MEMBERS, voting="soft", decide=rule).fit(X, Y > 1)
    threshold = vote.decide_.rule.threshold_
    assert ensemble_parts(vote)["decide"] == f"threshold (threshold={threshold:.4g})"


def test_kind_of_models_on_folds_is_that_of_the_models():
    stack = nonet.StackingRegressor(LINES, refit="folds", cv=2).fit(X, Y)
    assert [m["kind"] for m in ensemble_parts(stack)["members"]] == ["LinearRegression", "Ridge"]


def test_kind_of_a_pipeline_names_its_last_step():
    assert kind_of(make_pipeline(StandardScaler(), Ridge())) == "Ridge (Pipeline)"
