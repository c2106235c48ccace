"""Outlier ensembles: calibrations, rank rules, honest training scores, thresholds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KernelDensity, LocalOutlierFactor, NearestNeighbors
from sklearn.svm import OneClassSVM

from nonet import IsolationForest, OutlierEnsemble
from nonet.combine import borda
from nonet.unsupervised.outliers.calibration import SCORE_CALIBRATIONS, learn_calibrations

RNG = np.random.default_rng(0)
NORMAL = RNG.normal(size=(190, 3)) @ np.diag([1.0, 5.0, 0.2])
ODD = RNG.normal([4.0, 0.0, 2.0], 1.0, size=(10, 3))
X = np.vstack([NORMAL, ODD])
IS_ODD = np.arange(200) >= 190


class NearestDistance(OutlierMixin, BaseEstimator):
    """The distance to the nearest training row: 0 for each row it has memorised."""

    def fit(self, X, y=None):
        self.tree_ = NearestNeighbors(n_neighbors=1).fit(X)
        self.n_features_in_ = X.shape[1]
        return self

    def score_samples(self, X):
        return -self.tree_.kneighbors(X)[0][:, 0]


def detectors():
    return [
        ("forest", IsolationForest(n_estimators=30, random_state=0)),
        ("density", KernelDensity()),
        ("factor", LocalOutlierFactor(novelty=True)),
    ]


def make(**settings):
    settings = {"estimators": detectors(), "random_state": 0} | settings
    return OutlierEnsemble(**settings)


# ---- Calibrations --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCORE_CALIBRATIONS)
def test_calibration_is_a_monotone_map_to_the_unit_interval(name):
    scores = RNG.normal(size=300)
    (calibrate,) = learn_calibrations(name, scores[:, np.newaxis])
    probabilities = calibrate(np.linspace(-9, 9, 99))
    assert probabilities.min() >= 0
    assert probabilities.max() <= 1
    assert (np.diff(probabilities) <= 0).all()
    assert probabilities[0] > 0.999
    assert probabilities[-1] == 0


def test_rank_calibration_against_naive_counts():
    scores = np.array([3.0, 1.0, 2.0, 2.0])
    (calibrate,) = learn_calibrations("rank", scores[:, np.newaxis])
    new = np.array([0.0, 1.0, 2.0, 2.5, 9.0])
    naive = [((scores > s) + 0.5 * (scores == s)).mean() for s in new]
    np.testing.assert_allclose(calibrate(new), naive)


def test_gaussian_calibration_against_the_normal_distribution():
    """Kriegel et al., 2011: max(0, 2 Phi(z) - 1), which is erf(z / sqrt 2)."""
    scores = RNG.normal(5.0, 2.0, size=500)
    (calibrate,) = learn_calibrations("gaussian", scores[:, np.newaxis])
    z = (scores.mean() - scores) / scores.std()
    np.testing.assert_allclose(calibrate(scores), np.maximum(0, 2 * stats.norm.cdf(z) - 1))


def test_gamma_calibration_against_scipy():
    scores = -RNG.gamma(3.0, 2.0, size=500)
    (calibrate,) = learn_calibrations("gamma", scores[:, np.newaxis])
    distances = scores.max() - scores
    shape, scale = distances.mean() ** 2 / distances.var(), distances.var() / distances.mean()
    fitted = stats.gamma(shape, scale=scale)
    low = fitted.cdf(distances.mean())
    expected = np.clip((fitted.cdf(distances) - low) / (1 - low), 0, 1)
    np.testing.assert_allclose(calibrate(scores), expected, atol=1e-12)


@pytest.mark.parametrize("name", SCORE_CALIBRATIONS)
def test_equal_training_scores_are_not_outliers_and_lower_ones_are(name):
    (calibrate,) = learn_calibrations(name, np.full((9, 1), 2.0))
    same, lower, higher = calibrate(np.array([2.0, 1.0, 3.0]))
    assert same <= 0.5
    assert (lower, higher) == (1.0, 0.0)


# ---- F -------------------------------------------------------------------------------------------


def test_borda_orders_held_out_rows_like_the_borda_count_of_the_members():
    model = make(combine="borda").fit(X)
    points = borda(-model.held_out_outputs_.T[np.newaxis])[0]
    order = stats.rankdata(points)
    np.testing.assert_array_equal(stats.rankdata(-model.held_out_scores_.round(12)), order)


@pytest.mark.parametrize(
    ("combine", "function"), [("mean", np.mean), ("median", np.median), ("max", np.max)]
)
def test_score_is_minus_the_combined_probability(combine, function):
    model = make(combine=combine).fit(X)
    expected = -function(model.member_probabilities(X), axis=1)
    np.testing.assert_allclose(model.score_samples(X), expected)


def test_integer_weights_mean_repeated_members():
    once, twice = make(weights=[2, 1, 1]), make(estimators=[("again", detectors()[0][1])])
    twice.estimators = [*twice.estimators, *detectors()]
    np.testing.assert_allclose(once.fit(X).score_samples(X), twice.fit(X).score_samples(X))


def test_rows_are_scored_one_by_one():
    model = make().fit(X)
    one_by_one = [model.score_samples(row[np.newaxis])[0] for row in X[:5]]
    np.testing.assert_array_equal(model.score_samples(X[:5]), one_by_one)


def test_scale_of_a_member_does_not_matter_for_ranks():
    class Stretched(KernelDensity):
        def score_samples(self, X):
            return np.expm1(super().score_samples(X) / 10)

    plain = make(estimators=[("density", KernelDensity()), ("svm", OneClassSVM())]).fit(X)
    stretched = make(estimators=[("density", Stretched()), ("svm", OneClassSVM())]).fit(X)
    np.testing.assert_allclose(plain.score_samples(X), stretched.score_samples(X))


# ---- Honest scores -------------------------------------------------------------------------------


def test_training_rows_are_scored_by_members_that_have_not_seen_them():
    """A row that is memorised has distance 0; the held-out score has the distance to another."""
    model = make(estimators=[("nearest", NearestDistance())], cv=200).fit(X)
    distances = NearestNeighbors(n_neighbors=2).fit(X).kneighbors(X)[0][:, 1]
    np.testing.assert_allclose(model.held_out_outputs_[:, 0], -distances)
    assert (model.member_outputs(X) == 0).all()


def test_held_out_offset_reports_that_fraction_of_new_rows():
    rng = np.random.default_rng(1)
    seen, new = rng.normal(size=(500, 2)), rng.normal(size=(4000, 2))
    members = [("nearest", NearestDistance())]
    settings = {"estimators": members, "contamination": 0.1, "random_state": 0}
    honest = OutlierEnsemble(**settings, decide="held_out", cv=10).fit(seen)
    usual = OutlierEnsemble(**settings, cv=10).fit(seen)
    assert abs((honest.predict(new) == -1).mean() - 0.1) < 0.03
    assert (usual.predict(new) == -1).mean() > 0.5  # all training rows have distance 0


# ---- C, and what users see -----------------------------------------------------------------------


@pytest.mark.parametrize("contamination", [0.02, 0.1, 0.5])
def test_contamination_is_the_fraction_of_reported_training_rows(contamination):
    model = make(contamination=contamination, combine="mean").fit(X)
    assert abs((model.predict(X) == -1).mean() - contamination) <= 1 / len(X)


def test_decide_may_be_a_function_of_the_scores():
    model = make(decide=lambda scores: np.where(scores < -0.9, -1, 1)).fit(X)
    np.testing.assert_array_equal(model.predict(X) == -1, model.score_samples(X) < -0.9)


def test_default_members_find_planted_outliers():
    model = OutlierEnsemble(random_state=0).fit(X)
    assert roc_auc_score(IS_ODD, -model.score_samples(X)) > 0.97
    assert roc_auc_score(IS_ODD, -model.held_out_scores_) > 0.97


def test_is_deterministic():
    first, second = (OutlierEnsemble(random_state=3).fit(X) for _ in range(2))
    np.testing.assert_array_equal(first.score_samples(X), second.score_samples(X))
    np.testing.assert_array_equal(first.held_out_outputs_, second.held_out_outputs_)


def test_members_can_be_dropped_and_set_by_name():
    model = make().set_params(density="drop", forest__n_estimators=7).fit(X)
    assert [member.name for member in model.members_] == ["forest", "factor"]
    assert len(model.named_estimators_["forest"].estimators_) == 7


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"estimators": [("factor", LocalOutlierFactor())]}, "novelty=True"),
        ({"combine": "plurality"}, "parameter 'combine' must be"),
        ({"combine": "borda", "calibrate": "gamma"}, "'rank' if combine='borda'"),
        ({"contamination": 0.6}, "parameter 'contamination' must be"),
        ({"weights": [1.0, 2.0]}, "weights"),
        ({"decide": "argmax"}, "parameter 'decide' must be"),
        ({"cv": 1}, "parameter 'cv' must be"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_rejects_bad_settings(settings, words):
    with pytest.raises(ValueError, match=words):
        make(**settings).fit(X)


def test_rejects_one_row():
    with pytest.raises(ValueError, match="n_samples=1"):
        OutlierEnsemble().fit(X[:1])
