from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import (
    DBSCAN,
    HDBSCAN,
    AgglomerativeClustering,
    Birch,
    KMeans,
    MeanShift,
    MiniBatchKMeans,
    SpectralClustering,
)
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nonet import ConsensusClustering
from nonet.decide import Abstain, Argmax, Threshold

CENTRES = [[0, 0], [8, 0], [0, 8]]
BLOBS, TRUTH = make_blobs(120, centers=CENTRES, random_state=0)
CLUSTERERS = [
    KMeans(3, n_init=1),
    MiniBatchKMeans(3, n_init=1),
    AgglomerativeClustering(3),
    SpectralClustering(3),
    Birch(n_clusters=3),
    GaussianMixture(3),
    DBSCAN(1.5),
    HDBSCAN(copy=True),
    MeanShift(),
    make_pipeline(StandardScaler(), KMeans(3, n_init=1)),
    make_pipeline(StandardScaler(), AgglomerativeClustering(3)),
]


@pytest.mark.parametrize("clusterer", CLUSTERERS, ids=repr)
def test_any_clusterer_can_be_the_member(clusterer):
    model = ConsensusClustering(
        clusterer, 3, n_estimators=4, max_samples=0.7, member_clusters=3, random_state=0
    ).fit(BLOBS)
    assert adjusted_rand_score(TRUTH, model.labels_) > 0.9
    np.testing.assert_array_equal(
        model.predict(np.array(CENTRES)), model.labels_[_rows_at_centres()]
    )


def _rows_at_centres():
    return [int(np.linalg.norm(BLOBS - centre, axis=1).argmin()) for centre in CENTRES]


@pytest.mark.parametrize("combine", ["evidence", "vote", "median"])
def test_predict_of_training_rows_is_labels(combine):
    model = ConsensusClustering(n_clusters=3, n_estimators=10, combine=combine, random_state=0)
    np.testing.assert_array_equal(model.fit(BLOBS).predict(BLOBS), model.labels_)
    np.testing.assert_allclose(model.membership(BLOBS), model.memberships_)
    np.testing.assert_array_equal(clone(model).fit_predict(BLOBS), model.labels_)


@pytest.mark.parametrize("make", [make_moons, make_circles])
def test_evidence_follows_shapes_that_no_member_can(make):
    settings = {"factor": 0.4} if make is make_circles else {}
    X, y = make(400, noise=0.05, random_state=0, **settings)
    model = ConsensusClustering(n_clusters=2, random_state=0).fit(X)
    alone = KMeans(2, random_state=0, n_init=10).fit_predict(X)
    assert adjusted_rand_score(y, alone) < 0.6
    assert adjusted_rand_score(y, model.labels_) > 0.95


def test_consensus_of_named_members_of_different_kinds():
    members = [("ward", AgglomerativeClustering(3)), ("dense", DBSCAN(1.5)), ("km", KMeans(3))]
    model = ConsensusClustering(members, 3, random_state=0).fit(BLOBS)
    assert [member.name for member in model.members_] == ["ward", "dense", "km"]
    assert [type(one) for one in model.estimators_] == [AgglomerativeClustering, DBSCAN, KMeans]
    model.set_params(ward="drop", km__n_clusters=4).fit(BLOBS)
    assert [member.name for member in model.members_] == ["dense", "km"]
    assert model.estimators_[1].n_clusters == 4


def test_named_member_keeps_its_seed_and_others_get_one():
    members = [("own", KMeans(3, n_init=1, random_state=5)), ("none", KMeans(3, n_init=1))]
    model = ConsensusClustering(members, 3, random_state=0).fit(BLOBS)
    assert model.estimators_[0].random_state == 5
    assert model.estimators_[1].random_state is not None


def test_members_sample_rows_columns_and_numbers_of_clusters():
    X = np.random.default_rng(0).normal(size=(100, 6))
    model = ConsensusClustering(
        n_clusters=2,
        n_estimators=20,
        max_samples=0.5,
        max_features=3,
        member_clusters=(4, 7),
        random_state=0,
    ).fit(X)
    assert {len(member.columns) for member in model.members_} == {3}
    assert {len(member.unseen_rows) for member in model.members_} == {50}
    assert {one.n_clusters for one in model.estimators_} == {4, 5, 6, 7}
    assert len({tuple(member.columns) for member in model.members_}) > 5


def test_clusterer_without_predict_labels_new_rows_like_their_nearest_row():
    model = ConsensusClustering([("dense", DBSCAN(0.9))], 3, random_state=0).fit(BLOBS)
    new = np.random.default_rng(1).uniform(-2, 10, size=(200, 2))
    own = model.estimators_[0].labels_
    assert (own == -1).any()
    nearest = KNeighborsClassifier(1).fit(BLOBS, own).predict(new)
    np.testing.assert_array_equal(model.member_outputs(new)[:, 0] == -1, nearest == -1)
    np.testing.assert_array_equal(model.predict(new) == -1, nearest == -1)


def test_abstention_labels_unstable_rows_minus_one():
    X, _ = make_blobs(200, centers=[[0, 0], [3, 0]], random_state=0)
    settings = {"n_clusters": 2, "combine": "vote", "max_samples": 0.3, "random_state": 0}
    plain = ConsensusClustering(**settings).fit(X)
    model = ConsensusClustering(**settings, decide=Abstain(0.9)).fit(X)
    unstable = plain.memberships_.max(axis=1) < 0.9
    assert 0 < unstable.sum() < 100
    np.testing.assert_array_equal(model.labels_, np.where(unstable, -1, plain.labels_))
    np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize(
    "rule", [Threshold(threshold="tune"), Argmax(tie="arbiter", arbiter=KMeans())]
)
def test_rule_that_needs_labels_is_rejected(rule):
    with pytest.raises(ValueError, match="a rule that needs no labels"):
        ConsensusClustering(n_clusters=2, decide=rule).fit(BLOBS)


def test_stability_is_low_between_clusters():
    X, _ = make_blobs(200, centers=[[-4, 0], [4, 0]], random_state=0)
    X = np.vstack([X, [[0.0, 0.0]]])
    model = ConsensusClustering(n_clusters=2, combine="vote", max_samples=0.2, random_state=0).fit(
        X
    )
    assert model.stability_[-1] < np.median(model.stability_)
    assert np.median(model.stability_) == 1


def test_frame_is_read_like_its_array():
    frame = pd.DataFrame(BLOBS, columns=["a", "b"])
    model = ConsensusClustering(n_clusters=3, n_estimators=5, random_state=0).fit(frame)
    plain = ConsensusClustering(n_clusters=3, n_estimators=5, random_state=0).fit(BLOBS)
    np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert list(model.feature_names_in_) == ["a", "b"]


def test_number_of_clusters_is_found_with_auto():
    model = ConsensusClustering(n_clusters="auto", n_estimators=5, random_state=0).fit(BLOBS)
    assert model.n_clusters_ == model.stability_curve_.best == 3
    assert adjusted_rand_score(TRUTH, model.labels_) == 1


# ---- Bad input ---------------------------------------------------------------------------------


class Odd(ClusterMixin, BaseEstimator):
    """A clusterer with given labels."""

    def __init__(self, labels=None):
        self.labels = labels

    def fit(self, X, y=None):
        if self.labels is not None:
            self.labels_ = np.asarray(self.labels)
        return self


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ConsensusClustering(n_clusters=121), "n_clusters=121 must be at most the number of rows"),
        (ConsensusClustering(n_clusters=0), "parameter 'n_clusters' must be"),
        (ConsensusClustering(n_clusters=2, member_clusters=(5, 3)), "'member_clusters' must be"),
        (ConsensusClustering(n_clusters=2, max_samples=121), "'max_samples' must be at most"),
        (ConsensusClustering(n_clusters=2, max_features=3), "'max_features' must be at most"),
        (ConsensusClustering(n_clusters=2, combine="mean"), "'combine' must be one of"),
        (ConsensusClustering([], 2), "'estimator' must be a non-empty list"),
        (ConsensusClustering([("a", KMeans()), ("a", KMeans())], 2), "not unique"),
        (
            ConsensusClustering([("d", DBSCAN(1e-9))], 2),
            "'d' .1 of 1. .* labels every row as noise",
        ),
        (ConsensusClustering([("o", Odd([0, 1]))], 2), "its labels have shape .2,."),
        (ConsensusClustering([("o", Odd())], 2), "neither labels_ nor predict"),
        (ConsensusClustering([("k", KMeans(3))], 2, combine="vote"), "numbers of clusters are .3."),
    ],
)
def test_bad_settings_are_rejected_in_one_sentence(model, message):
    with pytest.raises((ValueError, TypeError), match=message):
        model.fit(BLOBS)
    assert not hasattr(model, "labels_")
