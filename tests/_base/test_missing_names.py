"""``nonet.<name>`` for a name that is elsewhere reports where it is.

Issue 20, item 3: every missing name raised the same sentence without a hint.
"""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from importlib import import_module

import pytest

import nonet
from nonet._base.missing_names import SYNONYMS, explain_missing


def message(name):
    with pytest.raises(AttributeError) as caught:
        getattr(nonet, name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("Abstain", "nonet.decide.Abstain"),
        ("AdaBoostStar", "nonet.boosting.AdaBoostStar"),
        ("HuberLoss", "nonet.losses.HuberLoss"),
        ("ShapValues", "nonet.trees.ShapValues"),
        ("StratifiedDraw", "nonet.bagging.StratifiedDraw"),
        ("Quantile", "nonet.resampling.Quantile"),
    ],
)
def test_name_of_a_sub_package_is_reported_with_its_path(name, position):
    assert message(name) == f"module 'nonet' has no attribute {name!r}; it is {position}."


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("XGBClassifier", "nonet.BoostedTreesClassifier"),
        ("LGBMRegressor", "nonet.BoostedTreesRegressor"),
        ("CatBoostClassifier", "nonet.BoostedTreesClassifier"),
        ("OneVsAllClassifier", "nonet.OneVsRestClassifier"),
        ("cross_validate", "nonet.cv_error"),
        ("PastingClassifier", "nonet.BaggingClassifier(bootstrap=False)"),
    ],
)
def test_synonym_is_reported_with_our_name(name, use):
    assert message(name) == f"module 'nonet' has no attribute {name!r}; use {use}."


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("AdaBostClassifier", "nonet.AdaBoostClassifier"),
        ("votingclassifier", "nonet.VotingClassifier"),
        ("XGBclassifier", "nonet.BoostedTreesClassifier"),
        ("plot_tre", "nonet.plots.plot_tree"),
        ("abstain", "nonet.decide.Abstain"),
    ],
)
def test_misspelt_name_is_reported_with_the_nearest_one(typed, meant):
    assert message(typed).endswith(f"; did you mean {meant}?")


def test_two_names_that_are_as_near_are_both_reported():
    text = message("RandomForest")
    assert "nonet.RandomForestClassifier" in text
    assert "nonet.RandomForestRegressor" in text


def test_name_that_is_like_no_other_gets_no_hint():
    assert message("zzzzzz") == "module 'nonet' has no attribute 'zzzzzz'"


@pytest.mark.parametrize("use", sorted(set(SYNONYMS.values())))
def test_every_synonym_leads_to_something_that_exists(use):
    assert eval(f"nonet.{use}", {"nonet": nonet}) is not None


def test_synonyms_are_not_names_of_the_library():
    public = {name for room in nonet._ROOMS for name in room.__all__} | set(nonet.__all__)
    assert sorted(public & set(SYNONYMS)) == []


def test_name_is_found_in_every_sub_package():
    rooms = [*nonet._ROOMS, import_module("nonet.plots")]
    names_per_room = {room.__name__: room.__all__ for room in rooms}
    for room, names in names_per_room.items():
        for name in names:
            assert explain_missing(name, {room: names}).endswith(f"it is {room}.{name}.")


def test_missing_names_do_not_disturb_hasattr_copy_and_pickle():
    assert not hasattr(nonet, "Abstain")
    assert not hasattr(nonet, "__wrapped__")
    assert getattr(nonet, "XGBClassifier", None) is None
    model = nonet.RandomForestClassifier(3)
    assert copy.deepcopy(model).n_estimators == 3
    assert pickle.loads(pickle.dumps(nonet.RandomForestClassifier)) is nonet.RandomForestClassifier


def test_plots_are_imported_when_used_and_not_before():
    code = (
        "import sys, nonet\n"
        "assert not hasattr(nonet, '_missing') and 'nonet.plots' not in sys.modules\n"
        "assert nonet.plots.plot_tree is nonet.plot_tree\n"
        "assert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
