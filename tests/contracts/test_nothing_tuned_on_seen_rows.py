"""Weights, thresholds, calibrations, stopping, selections, gates and arbiters, on unseen rows only.

Issue 17, item 3. Two nets are spread over every public estimator. The first is exact: members
that are Python objects record their rows, and no member may predict in ``fit`` a row it was
fitted on. The second is for ensembles whose members live in the compiled core, or predict
their rows by definition: labels are noise, and what anything is tuned on must have no skill.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from sklearn.base import RegressorMixin, is_regressor
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier

import nonet
from contracts.instances import LEARNERS, MEMBERS, SETTINGS, VIEWS
from contracts.recorders import (
    GROUPS,
    LABELS,
    ROWS,
    VALUES,
    Journal,
    RecordingClassifier,
    RecordingRegressor,
    journal,
)
from contracts.tuning_spies import Sight, put_spies
from nonet.ensemble import HeldOutPredictions
from nonet.members.outputs import predict_members

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

TUNED = "tuned_threshold"
FINAL = {"final_estimator": RecordingClassifier(9), "passthrough": True, "cv": 3}
BAGS = {"out_of_bag": True, "cv": 3}

# What is tuned by which parameter. A class that has one of these is caught in it below.
TUNING_PARAMETERS = {
    "arbiter_tree",
    "calibrate",
    "decide",
    "early_stopping",
    "early_stopping_rounds",
    "errors",
    "final_estimator",
    "gate",
    "guard",
    "hold_out",
    "n_iter_no_change",
    "oob_score",
    "out_of_bag",
    "partition",
    "select",
    "stop_when",
    "weights",
}

RECORDED: dict[type, list[dict[str, Any]]] = {
    nonet.VotingClassifier: [
        {"weights": "log_odds", "cv": 3},
        *[
            {"voting": "soft", "weights": weights, "cv": 3}
            for weights in ("simplex", "ridge_to_uniform", "greedy", "best")
        ],
        {"voting": "soft", "weights": "accuracy", "decide": TUNED},
        {"combine": "median", "decide": TUNED},
    ],
    nonet.VotingRegressor: [{"weights": "simplex"}, {"weights": "ridge_to_uniform", "cv": 3}],
    nonet.BlendingClassifier: [
        {"weights": "log_loss", "decide": TUNED, "errors": "jackknife"},
        {"cv": 0.3, "refit": "all"},
        {"cv": 3, "refit": "both"},
        BAGS,
    ],
    nonet.BlendingRegressor: [
        {"weights": "least_squares", "errors": "bootstrap", "random_state": 0},
        BAGS,
    ],
    nonet.SelectionClassifier: [
        {"decide": TUNED, "errors": "jackknife"},
        {"method": "greedy", "refit": "folds"},
        BAGS,
    ],
    nonet.SelectionRegressor: [{"method": "greedy", "errors": "jackknife"}, BAGS],
    nonet.StackingClassifier: [
        {**FINAL, "calibrate": "temperature", "guard": True},
        {**FINAL, "decide": TUNED, "level_one": "probabilities", "refit": "folds"},
        {**FINAL, "calibrate": "isotonic", "partition": "honest", "random_state": 0},
        {**FINAL, **BAGS},
    ],
    nonet.StackingRegressor: [
        {"final_estimator": RecordingRegressor(9), "passthrough": True, "refit": "both"},
        {"partition": "honest", "random_state": 0},
        BAGS,
    ],
    nonet.ViewsClassifier: [{"weights": "simplex", "decide": TUNED}],
    nonet.ViewsRegressor: [{"weights": "ridge_to_uniform"}],
    nonet.ArbiterClassifier: [
        {"arbiter": RecordingClassifier(9), "cv": 3},
        {"dispute": "disagreement", "partition": True, "random_state": 0},
        {"partition": True, "arbiter_tree": True, "random_state": 0},
    ],
    nonet.GatedClassifier: [
        {"cv": 3},
        {"gate": RecordingClassifier(9), "select": "best"},
    ],
    nonet.GatedRegressor: [{"gate": RecordingClassifier(9), "select": "best"}],
    nonet.BaggingClassifier: [
        {"n_estimators": 15, "decide": TUNED, "oob_score": True, "random_state": 0},
        {"n_estimators": 3, "bootstrap": False, "decide": TUNED, "random_state": 0},
        {"n_estimators": 15, "combine": "median", "decide": TUNED, "random_state": 0},
    ],
    nonet.BaggingRegressor: [{"n_estimators": 15, "oob_score": True, "random_state": 0}],
    nonet.RandomSubspaceClassifier: [{"n_estimators": 3, "decide": TUNED, "random_state": 0}],
}
# Families that remember their rows. What boosters of a run are tuned on, tests/auto shows.
AUTO = {"time_limit": None, "max_tasks": 30, "cv": 3, "families": ["extra_trees", "neighbors"]}
NATIVE: dict[type, list[dict[str, Any]]] = {
    nonet.RandomForestClassifier: [
        {"decide": TUNED, "oob_score": True},
        {"combine": "median", "n_estimators": 20, "decide": TUNED},
        {"bootstrap": False, "decide": TUNED},
        {"stop_when": "flat"},
    ],
    nonet.RandomForestRegressor: [{"oob_score": True}, {"stop_when": "flat"}],
    nonet.ExtraTreesClassifier: [
        {"decide": TUNED},
        {"bootstrap": True, "oob_score": True, "stop_when": "flat"},
    ],
    nonet.ExtraTreesRegressor: [{"bootstrap": True, "oob_score": True, "stop_when": "flat"}],
    nonet.HistGradientBoostingClassifier: [
        {"early_stopping": True, "n_iter_no_change": 5},
        {"early_stopping": True, "scoring": "roc_auc", "n_iter_no_change": 5},
        {"decide": TUNED},
    ],
    nonet.HistGradientBoostingRegressor: [{"early_stopping": True, "n_iter_no_change": 5}],
    nonet.GradientBoostingClassifier: [
        {"n_iter_no_change": 5, "max_depth": None},
        {"decide": TUNED, "max_depth": None},
    ],
    nonet.GradientBoostingRegressor: [{"n_iter_no_change": 5, "max_depth": None}],
    nonet.BoostedTreesClassifier: [
        {"early_stopping_rounds": 5, "eval_metric": ["loss", "auc"]},
        {"decide": TUNED},
    ],
    nonet.BoostedTreesRegressor: [{"early_stopping_rounds": 5}],
    nonet.AdaBoostClassifier: [
        {"estimator": nonet.DecisionTreeClassifier(), "decide": TUNED},
        {"estimator": KNeighborsClassifier(1), "resample": True, "hold_out": 0.3, "decide": TUNED},
        {"estimator": nonet.DecisionTreeClassifier(max_depth=9), "stop_when": "held_out"},
    ],
    nonet.ThreeLearnerClassifier: [{"estimator": nonet.DecisionTreeClassifier(), "decide": TUNED}],
    nonet.AutoEnsembleClassifier: [{**AUTO, "decide": TUNED}],
    nonet.AutoEnsembleRegressor: [AUTO],
}
DEEP: dict[type, dict[str, Any]] = {
    nonet.HistGradientBoostingClassifier: {"min_samples_leaf": 1, "learning_rate": 0.5},
    nonet.HistGradientBoostingRegressor: {"min_samples_leaf": 1, "learning_rate": 0.5},
    nonet.BoostedTreesClassifier: {"preset": "fast", "min_child_samples": 1, "learning_rate": 0.5},
    nonet.BoostedTreesRegressor: {"preset": "fast", "min_child_samples": 1, "learning_rate": 0.5},
    nonet.GradientBoostingClassifier: {"learning_rate": 0.5},
    nonet.GradientBoostingRegressor: {"learning_rate": 0.5},
}
REFUSES = (
    nonet.CascadeClassifier,
    nonet.ClassTreeClassifier,
    nonet.GatedClassifier,
    nonet.OneVsOneClassifier,
    nonet.OneVsRestClassifier,
    nonet.OutputCodeClassifier,
    nonet.RoutedClassifier,
)
TUNES_NOTHING = {
    nonet.AdaBoostRegressor: "weighs members by their training errors, which defines the method",
    nonet.ConsensusClustering: "has no labels to be tuned by",
    nonet.DecisionStump: "is a single model",
    nonet.DecisionTreeClassifier: "is a single model",
    nonet.DecisionTreeRegressor: "is a single model",
    nonet.EnsembleEmbedding: "has no labels to be tuned by",
    nonet.ExtraTreeClassifier: "is a single model",
    nonet.ExtraTreeRegressor: "is a single model",
    nonet.IsolationForest: "has no labels to be tuned by",
    nonet.OneSidedClassifier: "holds rows out for its threshold",
    nonet.OutlierEnsemble: "has no labels to be tuned by",
    nonet.PocketPerceptron: "is a single model",
    nonet.RandomPerceptron: "is a single model",
    nonet.RandomSubspaceRegressor: "averages",
    nonet.RandomTreesEmbedding: "has no labels to be tuned by",
    nonet.RoutedRegressor: "learns routes that are given, or clusters",
}


def _members(kind: type, settings: dict[str, Any]) -> list[tuple[str, Any]]:
    is_number = issubclass(kind, RegressorMixin)
    recorder = RecordingRegressor if is_number else RecordingClassifier
    members = [(name, recorder(coin)) for coin, (name, _) in enumerate(MEMBERS[kind]())]
    if "out_of_bag" in settings:
        bagging = nonet.BaggingRegressor if is_number else nonet.BaggingClassifier
        members.append(("bag", bagging(recorder(5), 15, random_state=0)))
    return members


def recorded(kind: type, settings: dict[str, Any]) -> Any:
    """Return an ensemble of recorders."""
    if kind in MEMBERS:
        views = {"views": VIEWS} if "views" in inspect.signature(kind).parameters else {}
        return kind(_members(kind, settings), **views, **settings)
    is_number = issubclass(kind, RegressorMixin)
    return kind((RecordingRegressor if is_number else RecordingClassifier)(1), **settings)


def watched(model: Any, **fit_params: Any) -> Journal:
    with journal() as notes:
        model.fit(ROWS, VALUES if is_regressor(model) else LABELS, **fit_params)
    return notes


def _name(part: Any) -> str:
    return part.__name__ if isinstance(part, type) else str(part)


CASES = [(kind, settings) for kind, several in RECORDED.items() for settings in several]


@pytest.mark.parametrize(("kind", "settings"), CASES, ids=_name)
def test_no_member_predicts_rows_it_was_fitted_on(kind, settings):
    notes = watched(recorded(kind, settings))
    assert notes.n_predicted > 0, "nothing was tuned: the net has a hole"
    assert not notes.seen_rows


BY_GROUPS = [
    (nonet.VotingClassifier, {"weights": "log_odds", "decide": TUNED, "cv": GroupKFold(3)}),
    (nonet.BlendingClassifier, {"out_of_bag": True, "cv": GroupKFold(3)}),
    (nonet.SelectionRegressor, {"cv": GroupKFold(3)}),
    (nonet.StackingClassifier, {**FINAL, "calibrate": "sigmoid", "cv": GroupKFold(3)}),
    (nonet.StackingClassifier, {**FINAL, "decide": TUNED, "guard": True, "cv": GroupKFold(3)}),
    (nonet.GatedClassifier, {"cv": GroupKFold(3)}),
    (nonet.BaggingClassifier, {"n_estimators": 15, "decide": TUNED, "random_state": 0}),
    (nonet.RandomSubspaceClassifier, {"decide": TUNED, "random_state": 0}),
]


@pytest.mark.parametrize(("kind", "settings"), BY_GROUPS, ids=_name)
def test_no_member_predicts_groups_it_was_fitted_on(kind, settings):
    notes = watched(recorded(kind, settings), groups=GROUPS)
    assert notes.n_predicted > 0, "nothing was tuned: the net has a hole"
    assert not notes.seen_groups


# ---- Members that are no Python objects --------------------------------------------------------

N_NOISE = 400
NOISE_X = np.random.default_rng(1).normal(size=(N_NOISE, 5))
NOISE_LABELS = np.random.default_rng(2).integers(0, 2, N_NOISE)
NOISE_VALUES = np.random.default_rng(3).normal(size=N_NOISE)
MAX_SKILL = 0.5  # at chance and with 40 rows 0 +- 0.19, of seen rows 1


def fit_to_noise(model: Any) -> Any:
    return model.fit(NOISE_X, NOISE_VALUES if is_regressor(model) else NOISE_LABELS)


def assert_no_skill(sights: list[Sight]) -> None:
    for sight in sights:
        assert sight.skill < MAX_SKILL, f"{sight.position} saw predictions of rows fitted on"


NATIVE_CASES = [(kind, settings) for kind, several in NATIVE.items() for settings in several]


@pytest.mark.parametrize(("kind", "settings"), NATIVE_CASES, ids=_name)
def test_nothing_is_tuned_on_predictions_with_skill_on_noise(kind, settings, monkeypatch):
    sights = put_spies(monkeypatch)
    model = kind(**DEEP.get(kind, {}), **settings, random_state=0)
    fitted = fit_to_noise(model)
    assert sights, "nothing was tuned: the net has a hole"
    assert_no_skill(sights)
    if not hasattr(fitted, "rows_"):  # three learners see a part of the rows each
        predict = fitted.predict if is_regressor(fitted) else fitted.predict_proba
        truth = NOISE_VALUES if is_regressor(fitted) else NOISE_LABELS
        assert Sight("the model", predict(NOISE_X), truth).skill > MAX_SKILL, (
            "seen rows would not show"
        )


# ---- The nets themselves -----------------------------------------------------------------------


def test_every_estimator_is_in_a_net():
    known = {*RECORDED, *NATIVE, *REFUSES, *TUNES_NOTHING}
    assert known == set(SETTINGS)


@pytest.mark.parametrize("kind", [*RECORDED, *NATIVE], ids=_name)
def test_every_tuning_parameter_is_in_a_net(kind):
    given = {name for settings in (RECORDED | NATIVE)[kind] for name in settings}
    tuning = TUNING_PARAMETERS & set(inspect.signature(kind).parameters)
    exempt = {"decide"} if kind in REFUSES or issubclass(kind, RegressorMixin) else set()
    assert tuning - exempt <= given


@pytest.mark.parametrize("kind", REFUSES, ids=_name)
def test_classes_that_hold_nothing_out_refuse_to_tune(kind):
    parts = MEMBERS | LEARNERS
    with pytest.raises(ValueError, match="'decide' must be a rule that is not tuned"):
        kind(parts[kind](), decide=TUNED).fit(ROWS, LABELS)


class TunesOnSeenRows(nonet.VotingClassifier):
    """An offender: its members predict the rows they were fitted on."""

    def _held_out(self, plans, reads, X, y, own):
        predictions = predict_members(self.members_, X, reads, self._classes_by_target)
        return HeldOutPredictions(predictions, self._truth(y))


class TunesTreesOnSeenRows(nonet.ExtraTreesClassifier):
    """An offender: what extra trees did before."""

    def _cross_fitted(self, X, y, *rest):
        return HeldOutPredictions([self._support(X)], self._truth(y), combined=True)


class StopsBySeenRows(nonet.BoostedTreesRegressor):
    """An offender: it stops by the rows it boosts on."""

    def _hold_out(self, rows, sets, groups):
        return rows, {"validation_0": rows.take(np.arange(len(rows.target)))}


def test_the_exact_net_catches_an_offender():
    settings = {"combine": "mean", "decide": TUNED}
    offender = TunesOnSeenRows([("a", RecordingClassifier(0))], **settings)
    assert watched(offender).seen_rows == set(range(len(LABELS)))
    leaking = recorded(nonet.StackingClassifier, {**FINAL, "partition": "leaking"})
    assert watched(leaking).seen_rows


@pytest.mark.parametrize(
    "offender",
    [
        TunesTreesOnSeenRows(decide=TUNED, random_state=0),
        StopsBySeenRows(early_stopping_rounds=5, min_child_samples=1, learning_rate=0.5),
    ],
    ids=lambda offender: type(offender).__name__,
)
def test_the_net_of_noise_catches_an_offender(offender, monkeypatch):
    sights = put_spies(monkeypatch)
    fit_to_noise(offender)
    with pytest.raises(AssertionError, match="saw predictions of rows fitted on"):
        assert_no_skill(sights)
