"""Issue 19, part 2: three boosters, one loop, one watch, one view of a model for scorers."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import accuracy_score

import nonet
from nonet.boosting.gradient import rounds
from nonet.boosting.gradient.booster import Booster
from nonet.boosting.gradient.early_stopping.scored_model import at_scores
from nonet.boosting.gradient.early_stopping.stop_rules import BelowRecent, Patience, Stalled
from nonet.boosting.gradient.rounds import Watcher, run_rounds
from nonet.losses import HuberLoss, SquaredLoss

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 3))
VALUES = X[:, 0] + 0.3 * rng.normal(size=200)
LABELS = np.array(["a", "b", "c"])[np.digitize(VALUES, [-0.5, 0.5])]


def six_boosters(**settings):
    return [
        nonet.HistGradientBoostingRegressor(max_iter=6, random_state=0, **settings),
        nonet.HistGradientBoostingClassifier(max_iter=6, random_state=0, **settings),
        nonet.GradientBoostingRegressor(n_estimators=6, random_state=0, **settings),
        nonet.GradientBoostingClassifier(n_estimators=6, random_state=0, **settings),
        nonet.BoostedTreesRegressor(n_estimators=6, random_state=0, **settings),
        nonet.BoostedTreesClassifier(n_estimators=6, random_state=0, **settings),
    ]


def fit(model):
    return model.fit(X, LABELS if is_classifier(model) else VALUES)


def name_of(model):
    return type(model).__name__


@pytest.mark.parametrize("model", six_boosters(), ids=name_of)
def test_every_booster_runs_the_one_loop(model, monkeypatch):
    numbers = []

    def stop_after_three(booster, stage, wanted, watchers):
        numbers.extend(wanted)
        run_rounds(booster, stage, range(3), watchers)

    for kind in type(model).__mro__:
        module = vars(sys.modules[kind.__module__])
        if module.get("run_rounds") is rounds.run_rounds:
            monkeypatch.setitem(module, "run_rounds", stop_after_three)
    fit(model)
    assert numbers == list(range(6))
    assert len(model._booster.rounds) == 3


class Spy(Watcher):
    def __init__(self, name, events, last):
        self.name, self.events, self.last = name, events, last

    def begin_round(self):
        self.events.append(f"{self.name} begins")

    def follow(self, trees):
        self.events.append(f"{self.name} follows {trees}")

    def look(self, booster):
        self.events.append(f"{self.name} sees {len(booster.rounds)}")

    def is_enough(self):
        return len([event for event in self.events if event.startswith(f"{self.name} sees")]) == (
            self.last
        )


def test_loop_lets_all_watchers_look_before_it_stops():
    events = []
    stage = SimpleNamespace(loss=HuberLoss(2.0), add_round=lambda number: [number])
    booster = Booster(SquaredLoss(), np.zeros(1))
    run_rounds(booster, stage, range(4, 9), [Spy("first", events, 2), Spy("second", events, 9)])
    assert booster.rounds == [[4], [5]]
    assert booster.loss is stage.loss  # a loss may change from round to round
    one_round = ["{} begins", "{} follows [%d]", "{} sees %d"]
    expected = [
        line.format(name)
        for number in (4, 5)
        for line in (one_round[0], one_round[1] % number, one_round[2] % (number - 3))
        for name in ("first", "second")
    ]
    assert events == expected


@pytest.mark.parametrize("seed", range(20))
def test_stop_rules_against_naive(seed):
    values = np.random.default_rng(seed).integers(0, 4, size=12) / 4
    for n_rounds in (1, 2, 5):
        for end in range(1, len(values) + 1):
            seen = values[:end].tolist()
            best_round = max(range(end), key=lambda i: (seen[i], -i))
            assert Patience(n_rounds).is_enough(seen) == (end - 1 - best_round >= n_rounds)
            before, last = seen[:-n_rounds], seen[-n_rounds:]
            stalled = bool(before) and max(last) <= before[-1] + 0.25
            assert Stalled(n_rounds, tol=0.25).is_enough(seen) == stalled
            recent = seen[-n_rounds - 1 : -1]
            is_below = end > n_rounds and seen[-1] <= min(recent) + 0.25
            assert BelowRecent(n_rounds, tol=0.25).is_enough(seen) == is_below


@pytest.mark.parametrize("model", six_boosters(), ids=name_of)
def test_model_at_scores_predicts_from_them_and_is_not_copied(model):
    fit(model)
    before = dict(vars(model))
    scores = model._scores(X[::-1])
    scored = at_scores(model, scores)
    np.testing.assert_array_equal(scored.predict(None), model.predict(X[::-1]))
    assert is_classifier(scored) == is_classifier(model)
    assert is_regressor(scored) == is_regressor(model)
    assert scored.n_features_in_ == 3
    if is_classifier(model):
        np.testing.assert_array_equal(scored.predict_proba(None), model.predict_proba(X[::-1]))
        np.testing.assert_array_equal(
            scored.decision_function(None), model.decision_function(X[::-1])
        )
        assert scored.score(None, LABELS[::-1]) == model.score(X, LABELS)
    else:
        assert not hasattr(scored, "predict_proba")
        assert scored.score(None, VALUES[::-1]) == pytest.approx(model.score(X, VALUES))
    assert vars(model).keys() == before.keys()


def test_scorer_of_the_user_sees_the_model_as_it_is_now():
    seen = []

    def scorer(estimator, rows, y, sample_weight=None):
        seen.append((estimator.n_iter_, len(rows)))
        return accuracy_score(y, estimator.predict(rows))

    settings = {"max_iter": 4, "early_stopping": True, "validation_fraction": 40}
    model = nonet.HistGradientBoostingClassifier(**settings, scoring=scorer, random_state=0)
    model.fit(X, LABELS)
    assert seen == [(n, rows) for n in range(5) for rows in (160, 40)]
    assert model.validation_score_.shape == (5,)
