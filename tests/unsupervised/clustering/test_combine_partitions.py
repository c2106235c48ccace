from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score, pair_confusion_matrix

from nonet import combine_partitions
from nonet.unsupervised.clustering import partitions as partitions_module
from nonet.unsupervised.clustering.aligned_votes import align_clusters, vote_on_clusters
from nonet.unsupervised.clustering.evidence import accumulate_evidence, coassociation_tables
from nonet.unsupervised.clustering.median_partition import count_disagreements
from nonet.unsupervised.clustering.partitions import check_partitions

METHODS = ["evidence", "vote", "median"]
RANDOM = np.random.default_rng(0)


def noisy_copies(truth, n_copies, noise, seed=0):
    """Return copies of labels with renamed clusters and a fraction of random labels."""
    random = np.random.default_rng(seed)
    k = truth.max() + 1
    copies = []
    for _ in range(n_copies):
        labels = np.where(
            random.random(truth.size) < noise, random.integers(k, size=truth.size), truth
        )
        copies.append(random.permutation(k)[labels])
    return copies


TRUTH = np.repeat([0, 1, 2], [60, 50, 40])
COPIES = noisy_copies(TRUTH, 15, 0.3)


@pytest.mark.parametrize("method", METHODS)
def test_consensus_of_noisy_copies_is_the_truth(method):
    found = combine_partitions(COPIES, 3, method=method, random_state=0)
    assert max(adjusted_rand_score(TRUTH, copy) for copy in COPIES) < 0.7
    assert adjusted_rand_score(TRUTH, found.labels) > 0.95


@pytest.mark.parametrize("method", METHODS)
def test_clusters_are_numbered_by_size_and_memberships_sum_to_one(method):
    found = combine_partitions(COPIES, 3, method=method, random_state=0)
    assert (np.diff(np.bincount(found.labels)) <= 0).all()
    np.testing.assert_allclose(found.memberships.sum(axis=1), 1)
    np.testing.assert_array_equal(found.memberships.argmax(axis=1), found.labels)
    top_two = np.sort(found.memberships, axis=1)[:, -2:]
    np.testing.assert_allclose(found.stability, top_two[:, 1] - top_two[:, 0])


@pytest.mark.parametrize("method", METHODS)
def test_names_of_clusters_do_not_matter(method):
    renamed = [np.array(["x", "b", "q"])[copy] for copy in COPIES]
    one = combine_partitions(COPIES, 3, method=method, random_state=0)
    other = combine_partitions(renamed, 3, method=method, random_state=0)
    assert adjusted_rand_score(one.labels, other.labels) == 1


@pytest.mark.parametrize("method", METHODS)
def test_equal_partitions_are_their_own_consensus(method):
    found = combine_partitions([TRUTH] * 4, 3, method=method, random_state=0)
    np.testing.assert_array_equal(found.labels, TRUTH)
    np.testing.assert_array_equal(found.agreement, 1)


@pytest.mark.parametrize("method", METHODS)
def test_noise_is_an_abstention_on_that_row(method):
    copies = np.array(COPIES)
    copies[RANDOM.random(copies.shape) < 0.2] = -1
    copies[:, 7] = -1
    found = combine_partitions(copies, 3, method=method, random_state=0)
    assert found.labels[7] == -1
    assert (found.memberships[7] == 0).all()
    others = np.arange(len(TRUTH)) != 7
    assert adjusted_rand_score(TRUTH[others], found.labels[others]) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_consensus_is_deterministic(method):
    one, other = (combine_partitions(COPIES, 3, method=method, random_state=3) for _ in range(2))
    np.testing.assert_array_equal(one.memberships, other.memberships)


@pytest.mark.parametrize("method", METHODS)
def test_blocks_of_rows_change_nothing(method, monkeypatch):
    whole = combine_partitions(COPIES, 3, method=method, random_state=0)
    monkeypatch.setattr(partitions_module, "_ROWS_PER_BLOCK", 11)
    blocks = combine_partitions(COPIES, 3, method=method, random_state=0)
    np.testing.assert_array_equal(whole.labels, blocks.labels)
    np.testing.assert_allclose(whole.memberships, blocks.memberships, atol=1e-12)


# ---- Each method against a naive computation ---------------------------------------------------


def test_alignment_against_all_permutations():
    overlaps = RANDOM.integers(0, 30, size=(4, 4))
    names = align_clusters(overlaps)
    rows, columns = linear_sum_assignment(-overlaps)
    assert sorted(names) == [0, 1, 2, 3]
    assert overlaps[np.arange(4), names].sum() == overlaps[rows, columns].sum()


def test_clusters_in_excess_join_the_one_they_overlap_most():
    overlaps = np.array([[9, 0], [0, 9], [1, 5]])
    np.testing.assert_array_equal(align_clusters(overlaps), [0, 1, 1])


def test_vote_memberships_are_fractions_of_votes():
    found = combine_partitions([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 1]], 2, method="vote")
    of_second_row = sorted(found.memberships[1])
    np.testing.assert_allclose(of_second_row, [1 / 3, 2 / 3])


def test_evidence_memberships_against_the_coassociation_matrix():
    checked = check_partitions(COPIES)
    labels = RANDOM.integers(3, size=len(TRUTH))
    memberships = coassociation_tables(checked, labels, 3).memberships(checked)
    coassociation = np.mean([np.equal.outer(copy, copy) for copy in COPIES], axis=0)
    naive = np.stack([coassociation[:, labels == j].mean(axis=1) for j in range(3)], axis=1)
    np.testing.assert_allclose(memberships, naive / naive.sum(axis=1, keepdims=True))


def test_evidence_against_spectral_clustering_of_the_coassociation_matrix():
    X, _ = make_moons(200, noise=0.05, random_state=0)
    fine = [KMeans(12, n_init=1, random_state=seed).fit_predict(X) for seed in range(20)]
    coassociation = np.mean([np.equal.outer(one, one) for one in fine], axis=0)
    theirs = SpectralClustering(2, affinity="precomputed", random_state=0)
    naive = theirs.fit_predict(coassociation)
    found = combine_partitions(fine, 2, random_state=0)
    assert adjusted_rand_score(naive, found.labels) > 0.95


def test_sparse_eigenvectors_give_the_consensus_of_dense_ones(monkeypatch):
    checked = check_partitions(COPIES)
    dense = accumulate_evidence(checked, 3, 0).memberships(checked)
    monkeypatch.setattr("nonet.unsupervised.clustering.evidence._MAX_DENSE", 10)
    sparse = accumulate_evidence(checked, 3, 0).memberships(checked)
    assert adjusted_rand_score(dense.argmax(axis=1), sparse.argmax(axis=1)) == 1


def test_kmeans_on_a_sample_of_rows_gives_the_same_consensus(monkeypatch):
    whole = combine_partitions(COPIES, 3, random_state=0).labels
    monkeypatch.setattr("nonet.unsupervised.clustering.evidence._MAX_KMEANS_ROWS", 60)
    np.testing.assert_array_equal(combine_partitions(COPIES, 3, random_state=0).labels, whole)


def test_disagreements_against_pair_confusion_matrix():
    checked = check_partitions(COPIES)
    naive = sum(pair_confusion_matrix(TRUTH, copy)[[0, 1], [1, 0]].sum() / 2 for copy in COPIES)
    assert count_disagreements(checked, TRUTH.astype(np.int32), 3) == naive


def disagreements(labels, copies):
    return sum(pair_confusion_matrix(labels, copy)[[0, 1], [1, 0]].sum() / 2 for copy in copies)


def test_median_has_fewer_disagreements_than_every_member_and_every_single_move():
    X, _ = make_blobs(60, centers=4, cluster_std=3, random_state=0)
    copies = [KMeans(4, n_init=1, random_state=seed).fit_predict(X) for seed in range(8)]
    labels = combine_partitions(copies, 4, method="median", random_state=0).labels
    best = disagreements(labels, copies)
    assert best <= min(disagreements(copy, copies) for copy in copies)
    for row in range(len(labels)):
        for cluster in range(4):
            moved = labels.copy()
            moved[row] = cluster
            assert disagreements(moved, copies) >= best


def test_vote_needs_a_partition_with_the_number_of_clusters():
    with pytest.raises(ValueError, match="needs a partition with n_clusters=2 clusters"):
        vote_on_clusters(check_partitions(COPIES), 2, 0)


# ---- Bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ([[0, 1, 1], [0, 1]], "partition 0 has 3 labels and partition 1 has 2"),
        ([], "at least one partition"),
        ([[-1, -1, -1], [0, 1, 1]], "partition 0 labels every row as noise"),
        ([[0.0, np.nan, 1.0]], "partition 0 has a missing label in row 1"),
        ([[[0, 1]], [[1, 0]]], "one label for each row"),
    ],
)
def test_bad_partitions_are_rejected_in_one_sentence(partitions, message):
    with pytest.raises(ValueError, match=message):
        combine_partitions(partitions, 2)


def test_objects_that_are_numbers_are_read_as_numbers():
    copies = np.array(COPIES)
    copies[:, :5] = -1
    whole = combine_partitions(copies, 3, random_state=0)
    of_objects = combine_partitions([pd.array(copy, "Int64") for copy in copies], 3, random_state=0)
    np.testing.assert_array_equal(of_objects.labels, whole.labels)
    assert set(whole.labels[:5]) == {-1}


def test_text_is_no_list_of_partitions():
    with pytest.raises(TypeError, match="list of label arrays"):
        combine_partitions("abc", 2)


def test_more_clusters_than_rows_are_rejected():
    with pytest.raises(ValueError, match="n_clusters=5 must be at most the number of rows"):
        combine_partitions([[0, 1, 1]], 5)


def test_unknown_method_is_rejected_with_the_known_ones():
    with pytest.raises(ValueError, match="did you mean 'evidence'"):
        combine_partitions(COPIES, 3, method="evidense")


@pytest.mark.parametrize("method", METHODS)
def test_one_cluster_in_all_partitions_is_one_cluster_with_a_warning(method):
    with pytest.warns(ConvergenceWarning, match="has 1 clusters where n_clusters=2"):
        found = combine_partitions([np.zeros(9), np.ones(9)], 2, method=method, random_state=0)
    assert set(found.labels) == {0}


def test_consensus_of_one_cluster_is_one_cluster():
    assert set(combine_partitions(COPIES, 1, random_state=0).labels) == {0}
