"""Callbacks of boosted trees after scikit-learn's convention."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

from nonet import BoostedTreesRegressor

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has none")


class StopAfter:
    """Ends boosting after so many rounds, and keeps what it saw."""

    def __init__(self, n_rounds):
        self.n_rounds, self.predictions, self.events = n_rounds, [], []

    def setup(self, estimator, context):
        self.events.append("setup")

    def teardown(self, estimator, context):
        self.events.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X, fitted_estimator):
        self.events.append(f"end {context.task_name}")
        if context.task_name == "round":
            self.predictions.append(fitted_estimator.predict(X))
        return context.task_name == "round" and context.task_id + 1 == self.n_rounds


def test_callback_sees_every_round_and_may_stop():
    X, y = load_diabetes(return_X_y=True)
    watcher = StopAfter(3)
    model = BoostedTreesRegressor(n_estimators=9).set_callbacks(watcher).fit(X, y)
    assert model.n_iter_ == 3
    rounds = ["begin round", "end round"] * 3
    assert watcher.events == ["setup", "begin fit", *rounds, "end fit", "teardown"]
    np.testing.assert_allclose(watcher.predictions, list(model.staged_predict(X)))


def test_callbacks_are_torn_down_after_an_error(monkeypatch):
    def fail(*_):
        raise RuntimeError("no more")

    X, y = load_diabetes(return_X_y=True)
    watcher = StopAfter(3)
    monkeypatch.setattr("nonet.boosting.gradient.stage.Stage.add_round", fail)
    with pytest.raises(RuntimeError, match="no more"):
        BoostedTreesRegressor(n_estimators=9).set_callbacks(watcher).fit(X, y)
    assert watcher.events == ["setup", "begin fit", "begin round", "teardown"]


def test_scoring_monitor_of_scikit_learn_works():
    X, y = load_diabetes(return_X_y=True)
    monitor = callback.ScoringMonitor(scoring="r2")
    model = BoostedTreesRegressor(n_estimators=4).set_callbacks(monitor).fit(X, y)
    log = monitor.get_logs()
    scores = [row["r2"] for row in log.data if row["task_name"] == "round"]
    assert len(scores) == 4
    assert scores[-1] == pytest.approx(model.score(X, y))
