"""Members of other packages: families by entry point, and estimators that the user gives."""

from __future__ import annotations

import os
import re
import time
from importlib.metadata import EntryPoint

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import HuberRegressor, RidgeClassifier
from sklearn.svm import SVC

import nonet
from nonet import AutoEnsembleClassifier, AutoEnsembleRegressor, ModelFileError
from nonet.auto import MemberFamily, guests
from nonet.auto.configuration import read_portfolio
from nonet.auto.guests import UnusableFamily, choose_configurations

FEW = {"time_limit": None, "random_state": 0, "cv": 3, "n_jobs": 1}


def some_rows(n_rows=150):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 3))
    return X, np.abs(X[:, 0]) + 0.1 * rng.normal(size=n_rows)


class Absolute(RegressorMixin, BaseEstimator):
    """Knows what no line does: the target is the absolute value of the first column."""

    def fit(self, X, y):
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return np.abs(X[:, 0])


class Sleeper(Absolute):
    def fit(self, X, y):
        time.sleep(600)


class Crasher(Absolute):
    def fit(self, X, y):
        os._exit(3)


class Failing(Absolute):
    def fit(self, X, y):
        raise RuntimeError("there is no fuel")


def rows_by_name(model):
    return {row.name: row for row in model.leaderboard_.rows}


# ---- Families by entry point ---------------------------------------------------------------------


def make_absolute(facts, params):
    assert facts.task == "regression"
    return Absolute(**params)


ABSOLUTE = MemberFamily(make_absolute, {"plain": {}})
MISSING = MemberFamily(make_absolute, {"plain": {}}, needs="no_such_package")
NO_FAMILY = make_absolute


@pytest.fixture
def offer(monkeypatch):
    """Return a function that offers an object of this module as an entry point."""

    def add(**named):
        entries = [
            EntryPoint(name, f"{__name__}:{what}", guests.GROUP) for name, what in named.items()
        ]
        monkeypatch.setattr(guests, "entry_points", lambda group: entries)

    return add


def test_package_that_is_installed_changes_nothing_unless_it_is_named(offer):
    offer(absolute="ABSOLUTE")
    portfolio = read_portfolio("regression")
    assert choose_configurations("test", portfolio, None, None) == portfolio
    assert choose_configurations("test", portfolio, ["default"], None) == portfolio


def test_family_by_entry_point_is_tried_early_by_its_name(offer):
    offer(absolute="ABSOLUTE")
    model = AutoEnsembleRegressor(**FEW, families=["linear", "absolute"], max_tasks=15)
    model.fit(*some_rows())
    board = rows_by_name(model)
    assert board["absolute_plain"].weight > 0.9
    assert board["ensemble"].score < 0.12


def test_default_stands_for_the_portfolio_and_all_for_what_is_installed(offer):
    offer(absolute="ABSOLUTE", missing="MISSING")
    portfolio = read_portfolio("regression")
    both = choose_configurations("test", portfolio, ["default", "absolute"], None)
    assert [one.name for one in both[:3]] == [
        *(one.name for one in portfolio[:2]),
        "absolute_plain",
    ]
    everything = choose_configurations("test", portfolio, "all", None)
    assert {one.name for one in both} <= {one.name for one in everything}
    assert "missing" not in {one.family for one in everything}


def test_name_of_a_family_of_nonet_is_not_replaced(offer):
    offer(linear="ABSOLUTE", lightgbm="ABSOLUTE")
    assert guests.offered_families()["lightgbm"].value.startswith("nonet.auto")
    assert "linear" not in guests.offered_families()


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("MISSING", "needs the package no_such_package, which is not installed; run `pip install"),
        (
            "NOT_THERE",
            "cannot be loaded from .*leave it out, or repair its package: AttributeError",
        ),
        ("NO_FAMILY", "must be a nonet.auto.MemberFamily, but .* is an object of type function"),
    ],
)
def test_family_that_cannot_be_used_is_refused_in_one_sentence(offer, what, message):
    offer(odd=what)
    with pytest.raises(UnusableFamily, match=message):
        AutoEnsembleRegressor(**FEW, families=["odd"]).fit(*some_rows())


def test_broken_family_is_left_out_of_all_with_a_warning(offer):
    offer(odd="NOT_THERE")
    with pytest.warns(
        UserWarning, match="families='all' goes without one family: the family 'odd'"
    ):
        found = choose_configurations("test", read_portfolio("regression"), "all", None)
    assert "odd" not in {one.family for one in found}


@pytest.mark.parametrize("name", ["lightgbm", "xgboost", "catboost"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_boosters_of_other_libraries_read_categories_gaps_and_weights(name, task):
    pytest.importorskip(name)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size": rng.normal(size=240), "city": rng.choice([*"abcd"], 240), "age": rng.random(240)}
    )
    frame.loc[::7, "age"] = np.nan
    frame.loc[::11, "city"] = None
    y = 3.0 * (frame["city"] == "a") + frame["size"] + 0.1 * rng.normal(size=240)
    kind = AutoEnsembleRegressor
    if task == "classification":
        kind, y = AutoEnsembleClassifier, np.digitize(y, [0.0, 2.0])
    model = kind(**FEW, families=[name], max_tasks=6)
    model.fit(frame, y, sample_weight=np.where(frame["size"] > 0, 2.0, 1.0))
    best = min(row.score for row in model.leaderboard_.rows)
    assert best < 0.6
    unseen = frame.assign(city="elsewhere")
    assert np.isfinite(model.member_outputs(unseen)).all()


# ---- Estimators of the user ----------------------------------------------------------------------


def test_extra_member_is_tried_and_blended_by_its_name():
    X, y = some_rows()
    model = AutoEnsembleRegressor(
        **FEW, families=["linear"], extra_members={"mine": Absolute()}, max_tasks=9
    ).fit(X, y)
    assert rows_by_name(model)["mine"].weight > 0.9
    assert np.corrcoef(model.predict(X), np.abs(X[:, 0]))[0, 1] > 0.99


def test_extra_members_alone_are_a_search():
    model = AutoEnsembleRegressor(**FEW, families=[], extra_members={"mine": Absolute()})
    assert [row.name for row in model.fit(*some_rows()).leaderboard_.rows[1:]] == ["mine"]


def test_random_state_that_is_free_is_seeded_and_one_that_is_set_is_kept():
    X, y = some_rows()

    def fit(random_state):
        trees = ExtraTreesRegressor(5, random_state=random_state)
        extra = {"trees": trees}
        return AutoEnsembleRegressor(**FEW, families=[], extra_members=extra).fit(X, y)

    free = fit(None)
    np.testing.assert_array_equal(free.predict(X), fit(None).predict(X))
    (member,) = fit(7).members_
    assert {model.random_state for model in member.estimator.models} == {7}
    (member,) = free.members_
    assert len({model.random_state for model in member.estimator.models}) == 3


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (
            RidgeClassifier(),
            r"shape \(50,\), but must have \(50, 3\); a classifier needs predict_p",
        ),
        (HuberRegressor(max_iter=-1), "InvalidParameterError: The 'max_iter' parameter"),
    ],
)
def test_extra_member_that_fails_is_shown_once_and_skipped(member, reason):
    X, y = load_iris(return_X_y=True)
    model = AutoEnsembleClassifier(
        **FEW, families=["linear"], extra_members={"mine": member}, max_tasks=12
    ).fit(X, y)
    row = rows_by_name(model)["mine"]
    assert row.weight == 0
    assert re.search(reason, row.rows)


def test_guest_that_failed_on_a_fold_is_not_run_on_the_others():
    calls = []

    class Counting(Failing):
        def fit(self, X, y):
            calls.append(len(X))
            super().fit(X, y)

    model = AutoEnsembleRegressor(
        **FEW, families=["linear"], extra_members={"mine": Counting()}
    ).fit(*some_rows())
    assert len(calls) == 1
    assert rows_by_name(model)["mine"].rows == "failed: RuntimeError: there is no fuel"


@pytest.mark.parametrize(
    ("guest", "time_limit", "shown"),
    [
        (Sleeper(), 20, "not run: it did not end in time"),
        # A process that a busy machine starts slowly must not be killed before it crashes.
        (Crasher(), 600, "failed: ChildDied: the process of _fit_alone ended with exit status 3"),
    ],
)
def test_guest_that_hangs_or_crashes_does_not_end_the_search(guest, time_limit, shown):
    settings = {**FEW, "time_limit": time_limit}
    model = AutoEnsembleRegressor(
        **settings, families=["extra_trees"], extra_members={"mine": guest}, max_tasks=6
    ).fit(*some_rows())
    board = rows_by_name(model)
    assert board["mine"].rows.startswith(shown)
    assert board["extra_trees_all"].weight == 1


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"mine": Absolute}, "a dict of names to estimators"),
        ({3: Absolute()}, "a dict of names to estimators"),
        ({"default": Absolute()}, "names that the leaderboard does not have, such as 'my_default'"),
        ([Absolute()], "a dict of names to estimators"),
    ],
)
def test_extra_members_that_are_no_members_are_refused(extra, message):
    with pytest.raises(ValueError, match=message):
        AutoEnsembleRegressor(**FEW, extra_members=extra).fit(*some_rows())


# ---- Folders and files ---------------------------------------------------------------------------


def table():
    X, y = some_rows()
    return pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=y)


SETTINGS = {**FEW, "families": ["linear"], "max_tasks": 9}


def test_guests_without_a_form_in_a_file_are_fitted_again_with_a_note(tmp_path):
    extra = {"mine": Absolute()}
    run = nonet.fit_table(table(), "y", folder=tmp_path / "run", extra_members=extra, **SETTINGS)
    assert any("'mine' have no form in a file" in note for note in run.notes)
    again = nonet.resume(tmp_path / "run", extra_members={"mine": Absolute()}, n_jobs=1)
    assert any("fitted again" in note and "'mine'" in note for note in again.notes)
    np.testing.assert_array_equal(again.predict(table()), run.predict(table()))
    assert again.honest_score == run.honest_score


def test_run_with_extra_members_is_not_resumed_silently_without_them(tmp_path):
    extra = {"mine": Absolute()}
    nonet.fit_table(table(), "y", folder=tmp_path / "run", extra_members=extra, **SETTINGS)
    with pytest.raises(nonet.auto.RunFolderError, match=r"extra members 'mine', .* or \{\} to go"):
        nonet.resume(tmp_path / "run")
    without = nonet.resume(tmp_path / "run", extra_members={})
    assert "mine" not in [row.name for row in without.leaderboard.rows]


def test_ensemble_with_a_guest_is_saved_with_trust_alone(tmp_path):
    run = nonet.fit_table(table(), "y", extra_members={"mine": Absolute()}, **SETTINGS)
    with pytest.raises(ModelFileError, match="libraries, 'mine', .* give trust=\"pickle\" here"):
        run.save(tmp_path / "model.nonet")
    run.save(tmp_path / "model.nonet", trust="pickle")
    loaded = nonet.load(tmp_path / "model.nonet", trust="pickle")
    X = table().drop(columns="y")
    np.testing.assert_array_equal(loaded.predict(X), run.predict(X))


def test_guests_with_a_form_and_guests_without_a_weight_need_no_trust(tmp_path):
    extra = {"mine": HuberRegressor(), "failing": Failing()}
    run = nonet.fit_table(
        table(), "y", folder=tmp_path / "run", extra_members=extra, **{**SETTINGS, "families": []}
    )
    run.save(tmp_path / "model.nonet")
    loaded = nonet.load(tmp_path / "model.nonet")
    assert list(loaded.extra_members) == ["mine"]
    np.testing.assert_array_equal(loaded.predict(table()), run.predict(table()))
    assert not any("have no form" in note for note in run.notes)


def test_estimators_differ_in_their_keys_by_their_parameters():
    portfolio = read_portfolio("classification")
    wide = [SVC(C=c, class_weight=dict.fromkeys(range(300), 1.0)) for c in (1.0, 2.0)]
    one, two = (choose_configurations("test", portfolio, [], {"mine": svc}) for svc in wide)
    assert one[0].as_dict() != two[0].as_dict()
