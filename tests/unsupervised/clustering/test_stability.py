from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from nonet import ConsensusClustering, clustering_stability
from nonet._base.streams import stream
from nonet.unsupervised import ClusteringStability

X, _ = make_blobs(150, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=0)


@pytest.mark.parametrize(
    "clusterer",
    [
        KMeans(n_init=3),
        AgglomerativeClustering(),
        GaussianMixture(n_init=3),
        ConsensusClustering(n_estimators=5),
    ],
    ids=lambda one: type(one).__name__,
)
def test_most_stable_number_of_clusters_is_that_of_the_data(clusterer):
    found = clustering_stability(clusterer, X, range(2, 7), n_repeats=5, random_state=0)
    assert found.best == 4
    assert found.scores.shape == (5, 5)
    assert found.means[2] > 0.95


def test_score_against_two_fits_by_hand():
    found = clustering_stability(AgglomerativeClustering(), X, [3], n_repeats=2, random_state=7)
    order = stream(7, 0).permutation(150)
    labels = []
    for rows in (np.sort(order[:75]), np.sort(order[75:])):
        own = AgglomerativeClustering(3).fit_predict(X[rows])
        nearest = np.linalg.norm(X[:, np.newaxis] - X[rows], axis=2).argmin(axis=1)
        labels.append(own[nearest])
    assert found.scores[0, 0] == pytest.approx(adjusted_rand_score(*labels))


def test_best_is_the_largest_number_within_one_standard_error():
    scores = np.array([[0.9, 0.85, 0.2], [1.0, 0.97, 0.3]])
    found = ClusteringStability(np.array([2, 3, 4]), scores)
    np.testing.assert_allclose(found.means, [0.95, 0.91, 0.25])
    np.testing.assert_allclose(found.standard_errors[0], 0.05)
    assert found.best == 3


def test_stability_is_deterministic_over_jobs():
    one, two = (
        clustering_stability(KMeans(), X, [2, 3], n_repeats=2, n_jobs=jobs, random_state=0)
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.scores, two.scores)


def test_plot_shows_means_and_the_chosen_number():
    found = clustering_stability(KMeans(), X, [2, 3, 4], n_repeats=3, random_state=0)
    ax = found.plot()
    np.testing.assert_allclose(ax.lines[0].get_ydata(), found.means)
    assert f"chosen: {found.best}" in [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_clusters": [1, 2]}, "whole numbers of at least 2"),
        ({"n_clusters": []}, "whole numbers of at least 2"),
        ({"n_clusters": [76]}, "at most half the number of rows .75."),
        ({"n_repeats": 1}, "'n_repeats' must be"),
        ({"estimator": "kmeans"}, "'estimator' must be a clusterer"),
    ],
)
def test_bad_arguments_are_rejected_in_one_sentence(settings, message):
    with pytest.raises(ValueError, match=message):
        clustering_stability(**{"estimator": KMeans(), "X": X} | settings)
