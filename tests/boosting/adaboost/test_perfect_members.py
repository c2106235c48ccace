"""Issue 17, item 7: boosting rounds whose member makes no error, under every method."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from nonet import AdaBoostClassifier, AdaBoostRegressor
from nonet.boosting import BOOSTING_METHODS, AdaBoostRho, Confidence, LabelMethod

N_ROWS = 10
X = np.arange(N_ROWS, dtype=float)[:, np.newaxis]
Y = np.array(["no", "yes"])[np.arange(N_ROWS) % 2]

# What the members do on each row, round by round: 1 is right, -1 wrong, 0 abstains. In the first
# three rounds one row is wrong, another one each time; the last member is always right.
PERFECT_LAST = np.ones((4, N_ROWS)) - 2 * np.eye(4, N_ROWS) * [[1], [1], [1], [0]]


class Steady(LabelMethod):
    """A method of a user's own: all members weigh the same."""

    def vote_weight(self, error, rows):
        return 0.3


METHODS = {**BOOSTING_METHODS, "rho": AdaBoostRho(0.1), "closed": Confidence("closed")}
METHODS["own"] = Steady()
BY_ERROR = set(METHODS) - {"samme", "samme_r", "gentle", "logit", "lp"}


class Scripted(ClassifierMixin, BaseEstimator):
    """A member that does on each row what the script has for its round."""

    script = np.empty((0, 0))
    n_fits = 0
    fits_per_round = 1

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        turn = Scripted.n_fits // Scripted.fits_per_round
        Scripted.n_fits += 1
        self.plan_ = Scripted.script[min(turn, len(Scripted.script) - 1)]
        self.codes_ = np.searchsorted(self.classes_, y)
        return self

    def _doings(self, X):
        rows = X[:, 0].astype(int)
        return self.codes_[rows], self.plan_[rows]

    def predict_proba(self, X):
        codes, doings = self._doings(X)
        of_true = (1 + doings) / 2
        return np.column_stack([np.where(codes == k, of_true, 1 - of_true) for k in (0, 1)])

    def predict(self, X):
        codes, doings = self._doings(X)
        return self.classes_[np.where(doings < 0, 1 - codes, codes)]


class ScriptedValues(RegressorMixin, Scripted):
    """The same for methods whose members are regressors of -1 and +1."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y > 0, sample_weight)

    def predict(self, X):
        codes, doings = self._doings(X)
        return doings * np.where(codes == 1, 1.0, -1.0)


def boost(method, script, sample_weight=None, **settings):
    """Boost scripted members, one for each line of the script."""
    Scripted.script, Scripted.n_fits = np.asarray(script, dtype=float), 0
    Scripted.fits_per_round = 2 if method == "mh" else 1
    if method == "samme_r":  # which turns down a member that is wrong and quite sure
        Scripted.script = 0.9 * Scripted.script
    learner = ScriptedValues() if method in ("gentle", "logit") else Scripted()
    n_rounds = len(Scripted.script)
    model = AdaBoostClassifier(learner, method=METHODS[method], n_estimators=n_rounds, **settings)
    return model.fit(X, Y, sample_weight)


def check_probabilities(model):
    """Probabilities are finite and on the right side, and the bound of the log holds."""
    probabilities = model.predict_proba(X)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (probabilities[np.arange(N_ROWS), (Y == "yes").astype(int)] > 0.5).all()
    assert model.score(X, Y) == 1
    log = model.round_log_
    assert np.isfinite(log.alpha).all()
    assert log.training_error[-1] == 0
    assert log.product_bound[-1] > 0


@pytest.mark.parametrize("learning_rate", [1.0, 0.1])
@pytest.mark.parametrize("method", METHODS)
def test_perfect_first_member_predicts_alone(method, learning_rate):
    model = boost(method, np.ones((6, N_ROWS)), learning_rate=learning_rate)
    check_probabilities(model)
    if method not in ("gentle", "logit"):
        assert len(model.estimators_) == 1
    if method in BY_ERROR - {"own"}:
        n_pairs = 2 * N_ROWS if method == "mh" else N_ROWS
        expected = learning_rate * np.log(2 * n_pairs + 1) / 2
        assert model.round_log_.alpha[0] == pytest.approx(expected)
        assert model.round_log_.z[0] == pytest.approx(np.exp(-expected))


@pytest.mark.parametrize("learning_rate", [1.0, 0.1])
@pytest.mark.parametrize("method", sorted(set(METHODS) - {"samme"}))
def test_no_member_weighs_more_than_a_perfect_one(method, learning_rate):
    model = boost(method, PERFECT_LAST, learning_rate=learning_rate)
    check_probabilities(model)
    weights = np.abs(model.estimator_weights_)
    assert len(model.estimators_) == 4
    assert weights[-1] == weights.max()
    if method not in ("gentle", "logit", "lp"):
        assert model.round_log_.stopped == "a member makes no weighted error"


def test_perfect_member_against_the_weights_of_issue_17():
    """Its weights were 2.20, 2.83, 3.50 and 2.94 for the last, which is perfect."""
    weights = boost("discrete", PERFECT_LAST).estimator_weights_
    np.testing.assert_allclose(weights, np.log([9, 17, 33, 33]))


def test_perfect_member_against_sklearn_weighs_one_under_samme():
    weights = boost("samme", PERFECT_LAST).estimator_weights_
    np.testing.assert_allclose(weights, [*np.log([9, 17, 33]), 1])


@pytest.mark.parametrize("method", METHODS)
def test_bound_holds_where_a_perfect_member_is_outvoted(method):
    """Three members that err on the same row weigh more together than one that never errs."""
    script = np.ones((4, N_ROWS))
    script[:3, 0] = -1
    log = boost(method, script).round_log_
    assert np.isfinite(log.margins).all()
    if METHODS[method].weights_follow_scores:
        assert (log.training_error <= log.product_bound + 1e-12).all()


@pytest.mark.parametrize("method", ["confidence", "closed", "samme_r", "m2", "gentle", "logit"])
def test_member_that_abstains_and_is_never_wrong_leaves_room_for_others(method):
    """Each member knows half of the rows: both halves must come out right, and equally sure."""
    halves = np.repeat([[1.0, 0.0]], N_ROWS // 2, axis=1)
    script = np.array([halves, 1 - halves] * 5).reshape(10, N_ROWS)
    model = boost(method, script)
    check_probabilities(model)
    assert len(model.estimators_) == 10
    weights = np.abs(model.estimator_weights_)
    assert weights.max() <= 3 * weights.min()


def test_alpha_of_an_abstaining_member_against_schapire_and_singer():
    """alpha = 1/2 ln((W+ + e) / (W- + e)) with W+ = 1/2, W- = 0 and e = 1/2n."""
    script = np.repeat([[1.0, 0.0]], N_ROWS // 2, axis=1)
    smoothed = 0.5 * np.log((0.5 + 1 / 20) / (1 / 20))
    assert boost("confidence", script).round_log_.alpha[0] == pytest.approx(smoothed)
    halved = boost("confidence", script / 2).round_log_  # half as sure: alpha is twice as large
    assert halved.alpha[0] == pytest.approx(2 * smoothed)


@pytest.mark.parametrize("doubt", [1e-3, 1e-9, 1e-300])
def test_alpha_stays_bounded_where_a_member_is_hardly_wrong(doubt):
    """Almost right on a row: the alpha that minimizes Z grows beyond all bounds."""
    script = np.ones((1, N_ROWS))
    script[0, 0] = -doubt
    smoothed = 0.5 * np.log((0.9 + 1 / 20) / (1 / 20))
    assert 0 < boost("confidence", script).round_log_.alpha[0] <= smoothed * (1 + 1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_wrong_row_of_hardly_any_weight_gives_finite_weights(method):
    weights = np.ones(N_ROWS)
    weights[0] = 1e-300
    model = boost(method, PERFECT_LAST, weights)
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.abs(model.estimator_weights_).max() <= 40
    assert np.isfinite(model.round_log_.z).all()


def test_probabilities_of_iris_versicolor_under_confidence_are_on_either_side_of_one_half():
    """They ended below 0.51, because a member that abstains weighed 1024."""
    table, species = load_iris(return_X_y=True)
    is_versicolor = species == 1
    model = AdaBoostClassifier(method="confidence").fit(table, is_versicolor)
    found = model.predict_proba(table)[:, 1]
    assert np.abs(model.estimator_weights_).max() <= np.log(301) / 2
    assert found[is_versicolor].mean() > 0.53
    assert found[~is_versicolor].mean() < 0.45
    assert log_loss(is_versicolor, found) < np.log(2)


def test_logit_boosts_a_perfect_member_for_many_rounds():
    model = boost("logit", np.full((400, N_ROWS), 4.0))
    assert np.isfinite(model.predict_proba(X)).all()
    assert model.score(X, Y) == 1


class ScriptedNumbers(RegressorMixin, BaseEstimator):
    """Members that miss one row each, by 1; the fourth misses none."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        self.y_, self.turn_ = y, ScriptedNumbers.n_fits
        ScriptedNumbers.n_fits += 1
        return self

    def predict(self, X):
        missed = PERFECT_LAST[min(self.turn_, 3)] < 0
        return (self.y_ + missed)[X[:, 0].astype(int)]


def test_regressor_without_error_weighs_no_less_than_others():
    ScriptedNumbers.n_fits = 0
    model = AdaBoostRegressor(ScriptedNumbers(), n_estimators=5, resample=False)
    model.fit(X, np.arange(N_ROWS))
    assert len(model.estimators_) == 4
    assert model.estimator_weights_[3] == model.estimator_weights_.max() > 1
    assert model.round_log_.z[3] == pytest.approx(np.exp(-model.estimator_weights_[3]))


def test_first_regressor_without_error_against_sklearn_weighs_one():
    model = AdaBoostRegressor(n_estimators=5, resample=False).fit(X[:4], [1, 2, 1, 2])
    np.testing.assert_array_equal(model.estimator_weights_, [1, 0, 0, 0, 0])
