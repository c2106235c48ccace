"""Weights of the members of a consensus."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans, SpectralClustering
from sklearn.datasets import make_circles
from sklearn.metrics import adjusted_rand_score

from nonet import ConsensusClustering
from nonet.unsupervised.clustering.consensus import find_consensus
from nonet.unsupervised.clustering.partitions import Partitions, check_partitions

pytestmark = pytest.mark.filterwarnings("ignore:Graph is not fully connected")

RNG = np.random.default_rng(0)
LABELS = [np.repeat([0, 1, 2], 20), *RNG.integers(-1, 3, size=(3, 60))]
X, Y = make_circles(300, noise=0.05, factor=0.4, random_state=0)
MEMBERS = [
    ("k-means", KMeans(2, n_init=3)),
    ("ward", AgglomerativeClustering(2)),
    ("spectral", SpectralClustering(2, affinity="nearest_neighbors")),
]


@pytest.mark.parametrize("method", ["evidence", "vote", "median"])
def test_weights_mean_the_same_as_repetition(method):
    plain = check_partitions(LABELS)
    weighted = Partitions(plain.codes, plain.n_clusters, np.array([3.0, 1.0, 2.0, 1.0]))
    repeated = check_partitions(np.repeat(LABELS, [3, 1, 2, 1], axis=0))
    np.testing.assert_allclose(
        find_consensus(weighted, 3, method, 0).memberships(weighted),
        find_consensus(repeated, 3, method, 0).memberships(repeated),
        atol=1e-12,
    )


@pytest.mark.parametrize("combine", ["evidence", "vote", "median"])
def test_the_only_member_with_a_weight_decides(combine):
    model = ConsensusClustering(MEMBERS, 2, combine=combine, weights=[0, 0, 1], random_state=0).fit(
        X
    )
    own = model.member_outputs(X)[:, 2]
    assert adjusted_rand_score(own, model.labels_) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_stable_clusterer_outweighs_those_that_contradict_themselves():
    equal = ConsensusClustering(MEMBERS, 2, random_state=0).fit(X)
    stable = ConsensusClustering(MEMBERS, 2, weights="stability", random_state=0).fit(X)
    assert adjusted_rand_score(Y, equal.labels_) < 0.5
    assert adjusted_rand_score(Y, stable.labels_) > 0.95
    assert stable.weights_.argmax() == 2
    assert (stable.weights_[:2] < 0.1).all()
    np.testing.assert_array_equal(equal.weights_, np.ones(3))
    again = ConsensusClustering(MEMBERS, 2, weights="stability", random_state=0).fit(X)
    np.testing.assert_array_equal(again.weights_, stable.weights_)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "one number for each of the 3 members"),
        ([-1, 1, 1], "at least 0"),
        ([0, 0, 0], "not all be 0|above zero"),
        ("accuracy", "'weights' must be None or one of 'stability'|'stability'"),
        (["a", "b", "c"], "must be numbers"),
    ],
)
def test_rejects_weights_of_no_meaning(weights, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ConsensusClustering(MEMBERS, 2, weights=weights).fit(X)


def test_rejects_stability_of_a_single_clusterer():
    with pytest.raises(ValueError, match="weights='stability' compares different clusterers"):
        ConsensusClustering(n_clusters=2, weights="stability").fit(X)


def test_clusterer_that_fails_on_half_of_the_rows_gets_no_weight():
    some = X[:30]
    members = [("k-means", KMeans(2, n_init=3)), ("fine", KMeans(20, n_init=1))]
    model = ConsensusClustering(members, 2, weights="stability", random_state=0).fit(some)
    np.testing.assert_array_equal(model.weights_, [1.0, 0.0])
