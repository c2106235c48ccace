"""The clock, and predictions of the time of tasks."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from nonet.auto.cost_model import CostModel, TaskCost

# ---- Costs ---------------------------------------------------------------------------------------


def task(configuration="a", family="boosted_trees", estimate=2.0):
    return TaskCost(configuration, family, estimate)


def test_first_prediction_is_the_estimate_with_a_margin():
    model = CostModel()
    assert model.predict(task()) == 2.0
    assert model.predict_high(task()) == pytest.approx(2.0 * 2.5**1.2816)


def test_prediction_learns_from_the_nearest_tasks():
    model = CostModel()
    for _ in range(3):
        model.observe(task("a"), 8.0)  # four times the estimate
    same, family, other = task("a"), task("b"), task("c", "linear")
    assert model.predict(same) == pytest.approx(8.0, rel=0.1)
    assert 4.0 < model.predict(other) <= model.predict(family) <= model.predict(same)
    margins = [model.predict_high(one) / model.predict(one) for one in (same, family, other)]
    assert margins == sorted(margins)
    assert 1.1 < margins[0] < 1.3


def test_own_folds_outweigh_the_rest_of_the_run():
    model = CostModel()
    for i in range(20):
        model.observe(task(f"other {i}", "linear"), 20.0)
    model.observe(task("a"), 1.0)
    assert model.predict(task("a")) == pytest.approx(1.0, rel=0.5)
    assert model.predict(task("other 3", "linear")) == pytest.approx(20.0, rel=0.1)


def test_one_task_that_met_a_busy_machine_changes_little():
    model = CostModel()
    for seconds in (2.0, 2.1, 1.9, 2.0):
        model.observe(task("a"), seconds)
    calm = model.predict_high(task("a"))
    model.observe(task("a"), 40.0)
    assert model.predict(task("a")) == pytest.approx(2.0, rel=0.1)
    assert model.predict_high(task("a")) < 1.2 * calm


def test_stopped_task_counts_only_if_it_was_longer_than_predicted():
    model = CostModel()
    model.observe(task("a"), 1.0, has_ended=False)
    assert model.predict(task("a")) == 2.0
    model.observe(task("a"), 10.0, has_ended=False)
    assert model.predict(task("a")) > 8.0


def test_predictions_scale_with_the_estimate():
    model = CostModel()
    model.observe(task("a"), 3.0)
    assert model.predict(task("a", estimate=20.0)) == pytest.approx(10 * model.predict(task("a")))


def test_task_fits_if_its_high_prediction_does():
    model = CostModel()
    model.observe(task("a"), 2.0)
    high = model.predict_high(task("a"))
    assert model.fits(task("a"), high * 1.001)
    assert not model.fits(task("a"), high * 0.999)
    assert model.fits(task("a"), inf)


@pytest.mark.parametrize("seconds", [0.0, 1e-9])
def test_tasks_of_no_time_do_no_harm(seconds):
    model = CostModel()
    model.observe(task("a", estimate=0.0), seconds)
    assert 0.0 < model.predict(task("a", estimate=0.0)) < 0.01
    assert np.isfinite(model.predict_high(task("b", estimate=5.0)))


def test_nine_in_ten_tasks_do_not_exceed_the_high_prediction():
    """Against a simulation: wrong formulas, a slow machine, and noise of each task."""
    rng = np.random.default_rng(0)
    n_within, n_tasks = {"own folds": 0, "new configuration": 0}, 0
    for _ in range(200):
        model, of_machine = CostModel(), rng.normal(0, 0.7)
        of_family = {family: of_machine + rng.normal(0, 0.5) for family in "xyz"}
        for number in range(12):
            one = task(f"c{number}", "xyz"[number % 3], float(rng.uniform(0.1, 10)))
            log_ratio = of_family[one.family] + rng.normal(0, 0.3)
            seconds = one.estimate * np.exp(log_ratio + rng.normal(0, 0.1, size=5))
            if number >= 6:
                n_tasks += 1
                n_within["new configuration"] += seconds[0] <= model.predict_high(one)
            for second in seconds[:4]:
                model.observe(one, float(second))
            if number >= 6:
                n_within["own folds"] += seconds[4] <= model.predict_high(one)
    assert 0.85 < n_within["new configuration"] / n_tasks < 0.99
    assert 0.85 < n_within["own folds"] / n_tasks < 0.99
