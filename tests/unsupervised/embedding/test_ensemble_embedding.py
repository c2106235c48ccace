from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import orthogonal_procrustes
from scipy.sparse import csr_array
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA, KernelPCA
from sklearn.preprocessing import scale
from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection

from nonet import EnsembleEmbedding
from nonet.unsupervised.embedding.alignment import average_aligned, spread_of_members

X = scale(load_wine().data)


def same_up_to_signs(one, other, **tolerance):
    signs = np.sign((one * other).sum(axis=0))
    np.testing.assert_allclose(one * signs, other, **tolerance)


@pytest.mark.parametrize("combine", ["average", "stack"])
def test_members_of_one_pca_are_that_pca(combine):
    members = [("one", PCA(2)), ("two", PCA(2))]
    model = EnsembleEmbedding(members, combine=combine).fit(X)
    same_up_to_signs(model.embedding_, PCA(2).fit_transform(X), atol=1e-8)
    np.testing.assert_allclose(model.spread_, 0, atol=1e-6)
    np.testing.assert_allclose(model.axis_stability_, 1)


def test_alignment_undoes_rotations_and_reflections():
    random = np.random.default_rng(0)
    base = random.normal(size=(50, 3)) * [3, 2, 1]
    base -= base.mean(axis=0)
    turns = [np.linalg.qr(random.normal(size=(3, 3)))[0] for _ in range(6)]
    parts = [base @ turn for turn in turns]
    mean = np.hstack(parts) @ average_aligned(parts, 3)
    turn, _ = orthogonal_procrustes(mean, base)
    np.testing.assert_allclose(mean @ turn, base, atol=1e-10)
    np.testing.assert_allclose(spread_of_members(parts, mean), 0, atol=1e-7)


def test_average_is_nearer_to_the_truth_than_its_members():
    random = np.random.default_rng(0)
    truth = random.normal(size=(200, 2)) * [3, 2]
    parts = []
    for _ in range(10):
        turn = np.linalg.qr(random.normal(size=(2, 2)))[0]
        part = (truth + random.normal(size=truth.shape)) @ turn
        parts.append(part - part.mean(axis=0))

    def distance(found):
        turn, _ = orthogonal_procrustes(found, truth)
        return np.linalg.norm(found @ turn - truth)

    mean = np.hstack(parts) @ average_aligned(parts, 2)
    assert distance(mean) < 0.5 * min(distance(part) for part in parts)


@pytest.mark.parametrize("combine", ["average", "stack"])
@pytest.mark.parametrize(
    "member", [None, GaussianRandomProjection(), SparseRandomProjection(density=0.5)], ids=repr
)
@pytest.mark.parametrize("max_features", [1.0, 0.5])
def test_components_are_the_linear_map(combine, member, max_features):
    model = EnsembleEmbedding(
        member, 2, n_estimators=4, max_features=max_features, combine=combine, random_state=0
    ).fit(X)
    centre = X.mean(axis=0)
    np.testing.assert_allclose(model.transform(X), model.embedding_)
    np.testing.assert_allclose((X - centre) @ model.components_.T, model.embedding_, atol=1e-9)


def test_axes_are_ordered_by_variance():
    model = EnsembleEmbedding(n_components=4, random_state=0).fit(X)
    assert (np.diff(model.embedding_.var(axis=0)) < 0).all()


def test_average_of_bootstrapped_pca_is_near_pca():
    model = EnsembleEmbedding(n_components=2, n_estimators=30, random_state=0).fit(X)
    plain = PCA(2).fit_transform(X)
    for axis in range(2):
        assert abs(np.corrcoef(model.embedding_[:, axis], plain[:, axis])[0, 1]) > 0.98


def test_axis_without_structure_is_unstable():
    random = np.random.default_rng(0)
    strong = random.normal(size=(100, 1)) * 10
    rows = np.hstack([strong, random.normal(size=(100, 6))])
    model = EnsembleEmbedding(n_components=2, n_estimators=20, random_state=0).fit(rows)
    assert model.axis_stability_[0] > 0.98
    assert model.axis_stability_[1] < 0.9


def test_stack_takes_members_of_different_widths_and_average_does_not():
    members = [("three", PCA(3)), ("kernel", KernelPCA(5, kernel="rbf"))]
    assert EnsembleEmbedding(members, combine="stack").fit(X).transform(X[:7]).shape == (7, 2)
    with pytest.raises(ValueError, match="they have .3, 5.; use combine='stack'"):
        EnsembleEmbedding(members).fit(X)


def test_components_of_a_member_that_is_not_linear_are_missing():
    model = EnsembleEmbedding([("kernel", KernelPCA(2))]).fit(X)
    with pytest.raises(AttributeError, match="KernelPCA is not known to be"):
        _ = model.components_


def test_names_and_frames_out():
    frame = load_iris(as_frame=True).data
    model = EnsembleEmbedding(random_state=0).set_output(transform="pandas").fit(frame)
    out = model.transform(frame)
    assert isinstance(out, pd.DataFrame)
    assert list(out) == list(model.get_feature_names_out())
    assert list(out) == ["ensembleembedding0", "ensembleembedding1"]


def test_sparse_rows_have_the_embedding_of_dense_ones():
    rows = np.where(np.random.default_rng(0).random((60, 8)) < 0.6, 0, X[:60, :8])
    dense = EnsembleEmbedding(random_state=0).fit(rows)
    sparse = EnsembleEmbedding(random_state=0).fit(csr_array(rows))
    np.testing.assert_allclose(sparse.transform(csr_array(rows)), dense.transform(rows), atol=1e-8)


def test_embedding_is_deterministic_over_jobs():
    one, two = (EnsembleEmbedding(n_jobs=jobs, random_state=0).fit(X) for jobs in (1, 2))
    np.testing.assert_array_equal(one.embedding_, two.embedding_)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (EnsembleEmbedding(n_components=14), "n_features=13"),
        (EnsembleEmbedding(n_components=5, max_features=4), "each member sees 4 columns"),
        (EnsembleEmbedding(combine="mean"), "'combine' must be one of"),
        (EnsembleEmbedding(estimator="pca"), "'estimator' must be"),
        (EnsembleEmbedding([("p", PCA(2)), ("p", PCA(2))]), "not unique"),
        (EnsembleEmbedding([("p", PCA(1))], 2, combine="stack"), "have 1 columns together"),
    ],
)
def test_bad_settings_are_rejected_in_one_sentence(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)
    assert not hasattr(model, "embedding_")
