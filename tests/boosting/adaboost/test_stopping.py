from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_hastie_10_2

from nonet import AdaBoostClassifier
from nonet.boosting import STOP_RULES, ErrorLimit, Fitted, Plateau, TimeLimit

X, Y = make_hastie_10_2(300, random_state=1)


def boost(stop_when, **settings):
    return AdaBoostClassifier(
        n_estimators=200, stop_when=stop_when, random_state=0, **settings
    ).fit(X, Y)


def test_error_limit_stops_after_the_member_that_reaches_it():
    log = boost(ErrorLimit(0.42)).round_log_
    assert log.error[-1] >= 0.42
    assert (log.error[:-1] < 0.42).all()


@pytest.mark.parametrize("extra_rounds", [0, 3])
def test_fitted_stops_so_many_rounds_after_the_last_training_error(extra_rounds):
    log = boost(Fitted(extra_rounds), method="samme_r").round_log_
    assert (log.training_error[-1 - extra_rounds :] == 0).all()
    assert log.training_error[-2 - extra_rounds] > 0


def test_held_out_plateau_drops_the_members_after_the_best_round():
    model = boost(Plateau(patience=7))
    log = model.round_log_
    assert len(model.estimators_) == np.argmin(log.held_out_error) + 1
    assert len(log) == len(model.estimators_) + 7
    assert (model.estimator_weights_[len(model.estimators_) :] == 0).all()


def test_margin_plateau_keeps_all_members():
    model = boost(Plateau("smallest_margin", patience=5, tolerance=0.01))
    assert len(model.estimators_) == len(model.round_log_) < 200
    assert "smallest_margin" in model.round_log_.stopped


def test_time_limit_stops_after_a_round():
    model = boost(TimeLimit(1e-9))
    assert len(model.estimators_) == 1
    assert model.round_log_.stopped == "1e-09 seconds are over"


def test_first_of_several_rules_stops():
    log = boost(["fitted", ErrorLimit(0.3)]).round_log_
    assert log.stopped == "a weighted error reached 0.3"


@pytest.mark.parametrize("name", STOP_RULES)
def test_short_name_stands_for_its_rule(name):
    by_name, by_rule = boost(name), boost(clone(STOP_RULES[name]))
    assert len(by_name.round_log_) == len(by_rule.round_log_)


@pytest.mark.parametrize(
    "rule",
    [ErrorLimit(0.7), Fitted(-1), Plateau("loss"), Plateau(patience=0), TimeLimit(0)],
    ids=repr,
)
def test_rule_rejects_bad_parameter(rule):
    with pytest.raises(ValueError, match="must be"):
        boost(rule)


def test_stop_when_rejects_what_is_no_rule():
    with pytest.raises(ValueError, match="parameter 'stop_when' must be"):
        boost(3)
    with pytest.raises(ValueError, match="did you mean 'fitted'"):
        boost("fited")
