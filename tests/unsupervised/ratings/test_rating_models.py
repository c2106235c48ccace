"""Models of ratings: against naive formulas, ridge regression, and simulated truth."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from nonet import (
    ALSFactorization,
    BiasModel,
    ImplicitFactorization,
    ItemNeighbors,
    RatingCounts,
    SGDFactorization,
    UserNeighbors,
    make_ratings,
)
from nonet.unsupervised.ratings.similarity import nearest_items

DATA = make_ratings(60, 40, 900, rank=2, mean=9.0, random_state=0)  # counts are positive
X, Y = DATA.X, DATA.y
NEW = np.array([[u, i] for u in range(60) for i in range(40)])
MODELS = [
    BiasModel(),
    ItemNeighbors(10),
    UserNeighbors(10),
    ALSFactorization(3, random_state=0),
    SGDFactorization(3, n_iter=5, random_state=0),
    ImplicitFactorization(3, random_state=0),
    RatingCounts("item"),
]
# Batches of gradient descent are drawn by the positions of rows.
EXACT = [model for model in MODELS if not isinstance(model, SGDFactorization)]
by_name = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


def rmse(model, X, y):
    return float(np.sqrt(np.mean((model.predict(X) - y) ** 2)))


# ---- Formulas ------------------------------------------------------------------------------------


def test_bias_model_against_ridge_regression_on_indicators():
    indicators = np.zeros((len(X), 100))
    indicators[np.arange(len(X)), X[:, 0]] = 1
    indicators[np.arange(len(X)), 60 + X[:, 1]] = 1
    ridge = Ridge(alpha=3.0, fit_intercept=False, solver="cholesky").fit(indicators, Y - Y.mean())
    model = BiasModel(user_penalty=3.0, item_penalty=3.0, max_iter=500).fit(X, Y)
    np.testing.assert_allclose(model.user_biases_, ridge.coef_[:60], atol=1e-7)
    np.testing.assert_allclose(model.item_biases_, ridge.coef_[60:], atol=1e-7)


def test_item_neighbors_against_naive_loops():
    model = ItemNeighbors(5, shrinkage=4.0, damping=0.5).fit(X, Y)
    biases = BiasModel().fit(X, Y)
    rest = np.full((60, 40), np.nan)
    rest[X[:, 0], X[:, 1]] = Y - biases.predict(X)
    known = ~np.isnan(rest)
    filled = np.nan_to_num(rest)
    cosine = filled.T @ filled
    lengths = np.sqrt(np.diag(cosine))
    common = known.T.astype(float) @ known
    similarity = cosine / np.outer(lengths, lengths) * common / (common + 4.0)
    np.fill_diagonal(similarity, 0)
    expected = biases.predict(NEW)
    for row, (user, item) in enumerate(NEW):
        near = [j for j in np.argsort(-similarity[item])[:5] if similarity[item, j] > 0]
        near = [j for j in near if known[user, j]]
        total = sum(similarity[item, j] * rest[user, j] for j in near)
        expected[row] += total / (sum(similarity[item, j] for j in near) + 0.5)
    np.testing.assert_allclose(model.predict(NEW), expected)


def test_user_neighbors_are_item_neighbors_of_exchanged_columns():
    by_user = UserNeighbors(8).fit(X, Y)
    by_item = ItemNeighbors(8).fit(X[:, ::-1], Y)
    np.testing.assert_allclose(by_user.predict(NEW), by_item.predict(NEW[:, ::-1]))


def test_similarities_do_not_depend_on_the_blocks(monkeypatch):
    matrix = sparse.random_array((50, 30), density=0.3, random_state=0, format="csr")
    whole = nearest_items(matrix, 4, 1.0).toarray()
    monkeypatch.setattr("nonet.unsupervised.ratings.similarity._CELLS_PER_BLOCK", 90)
    np.testing.assert_allclose(nearest_items(matrix, 4, 1.0).toarray(), whole)
    assert (np.count_nonzero(whole, axis=1) <= 4).all()


def test_similarities_of_many_items_are_never_dense(monkeypatch):
    monkeypatch.setattr("nonet.unsupervised.ratings.similarity._CELLS_PER_BLOCK", 1 << 18)
    matrix = sparse.random_array((200, 4000), density=0.02, random_state=0, format="csr")
    tracemalloc.start()
    nearest = nearest_items(matrix, 20, 1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert nearest.nnz <= 20 * 4000
    assert peak < 4000 * 4000 * 8 / 4


def test_als_is_at_a_minimum_for_the_items_given_the_users():
    """The normal equations of each item, written as a loop."""
    weights = 1.0 + np.arange(len(Y)) % 3
    model = ALSFactorization(3, penalty=0.2, n_iter=4, random_state=0).fit(X, Y, weights)
    rest = Y - BiasModel().fit(X, Y, weights).predict(X)
    for item in range(40):
        rows = np.flatnonzero(X[:, 1] == item)
        p, w = model.user_factors_[X[rows, 0]], weights[rows]
        system = (p.T * w) @ p + 0.2 * w.sum() * np.eye(3)
        expected = np.linalg.solve(system, (p.T * w) @ rest[rows])
        np.testing.assert_allclose(model.item_factors_[item], expected, atol=1e-10)


def test_implicit_factorization_against_dense_normal_equations():
    """Hu, Koren and Volinsky, 2008: all pairs count, with confidence 1 + alpha y."""
    counts = np.floor(np.abs(Y))
    model = ImplicitFactorization(3, penalty=0.5, alpha=2.0, n_iter=3, random_state=0)
    model.fit(X, counts)
    confidence, preference = np.ones((60, 40)), np.zeros((60, 40))
    confidence[X[:, 0], X[:, 1]] += 2.0 * counts
    preference[X[:, 0], X[:, 1]] = counts > 0
    p = model.user_factors_
    for item in range(40):
        c = confidence[:, item]
        system = (p.T * c) @ p + 0.5 * np.eye(3)
        expected = np.linalg.solve(system, (p.T * c) @ preference[:, item])
        np.testing.assert_allclose(model.item_factors_[item], expected, atol=1e-10)


def test_one_step_of_sgd_against_the_gradient():
    settings = {"n_factors": 2, "penalty": 0.3, "learning_rate": 0.1, "random_state": 0}
    X, y = [("ann", "film"), ("ann", "book")], [1.0, 2.0]
    two = SGDFactorization(**settings, n_iter=2, batch_size=2).fit(X, y)
    one = SGDFactorization(**settings, n_iter=1, batch_size=2).fit(X, y)
    # The first step of AdaGrad has the size of the learning rate in every coordinate, in standard
    # deviations of the ratings.
    np.testing.assert_allclose(np.abs(one.item_biases_), 0.1 * np.std(y), rtol=1e-3)
    assert one.item_biases_[one.items_ == "book"] > 0 > one.item_biases_[one.items_ == "film"]
    assert np.abs(two.predict(X) - y).mean() < np.abs(one.predict(X) - y).mean()


def test_counts_are_logarithms():
    counts = RatingCounts("user").fit(X, Y)
    np.testing.assert_allclose(np.expm1(counts.predict(X)), np.bincount(X[:, 0])[X[:, 0]])


# ---- Known truth ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", [ALSFactorization(3, penalty=0.02), SGDFactorization(3)], ids=repr
)
def test_factorization_finds_the_rank_of_simulated_ratings(model):
    data = make_ratings(300, 150, 18_000, rank=3, noise=0.3, popularity=0.0, random_state=1)
    model = clone(model).set_params(random_state=0).fit(data.X[:16_000], data.y[:16_000])
    biases = BiasModel().fit(data.X[:16_000], data.y[:16_000])
    held_out = data.X[16_000:], data.y[16_000:]
    assert rmse(model, *held_out) < 1.35 * data.noise < 0.6 * rmse(biases, *held_out)


def test_without_factors_the_bias_model_finds_the_expected_ratings():
    data = make_ratings(300, 150, 18_000, rank=0, noise=0.3, random_state=2)
    model = BiasModel(user_penalty=0.5, item_penalty=0.5).fit(data.X[:16_000], data.y[:16_000])
    assert rmse(model, data.X[16_000:], data.expected[16_000:]) < 0.3 * data.noise


# ---- What holds for all --------------------------------------------------------------------------


@by_name
def test_identifiers_may_be_of_any_kind(model):
    expected = clone(model).fit(X, Y).predict(NEW)
    names = np.array([f"user {u:02d}" for u in range(60)])
    films = np.array([f"film {i:02d}" for i in range(40)])
    text = np.column_stack([names[X[:, 0]], films[X[:, 1]]])
    new = np.column_stack([names[NEW[:, 0]], films[NEW[:, 1]]])
    np.testing.assert_allclose(clone(model).fit(text, Y).predict(new), expected)
    pairs = list(zip(X[:, 0].tolist(), films[X[:, 1]].tolist(), strict=True))
    new = list(zip(NEW[:, 0].tolist(), films[NEW[:, 1]].tolist(), strict=True))
    np.testing.assert_allclose(clone(model).fit(pairs, Y).predict(new), expected)


@by_name
def test_dataframe_gives_the_same(model):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"user": X[:, 0], "item": X[:, 1]})
    fitted = clone(model).fit(frame, pandas.Series(Y))
    assert fitted.feature_names_in_.tolist() == ["user", "item"]
    np.testing.assert_array_equal(fitted.predict(frame), clone(model).fit(X, Y).predict(X))
    with pytest.raises(ValueError, match="must have the columns"):
        fitted.predict(frame[["item", "user"]])


def test_mixed_types_of_identifiers_are_kept_apart():
    X = [("1", "a"), (1, "a"), (None.__class__, "b"), (("x", 2), "b")]
    model = BiasModel(user_penalty=0.1).fit(X, [1.0, 5.0, 3.0, 3.0])
    one, other = model.predict([("1", "c"), (1, "c")])
    assert other - one > 3


@pytest.mark.parametrize("model", EXACT, ids=lambda model: type(model).__name__)
def test_weights_mean_repetition(model):
    weights = 1 + np.arange(len(Y)) % 3
    weights[5] = 0
    repeated = np.repeat(np.arange(len(Y)), weights)
    expected = clone(model).fit(X[repeated], Y[repeated]).predict(NEW)
    weighted = clone(model).fit(X, Y, sample_weight=weights).predict(NEW)
    np.testing.assert_allclose(weighted, expected, rtol=1e-7)


@pytest.mark.parametrize("model", EXACT, ids=lambda model: type(model).__name__)
def test_order_of_rows_does_not_matter(model):
    order = np.random.default_rng(0).permutation(len(Y))
    expected = clone(model).fit(X, Y).predict(NEW)
    np.testing.assert_allclose(clone(model).fit(X[order], Y[order]).predict(NEW), expected)


@by_name
def test_is_deterministic(model):
    first, second = (clone(model).fit(X, Y).predict(NEW) for _ in range(2))
    np.testing.assert_array_equal(first, second)


@by_name
def test_number_of_threads_does_not_change_a_bit(model):
    data = make_ratings(700, 300, 20_000, mean=9.0, random_state=3)
    with threadpool_limits(1):
        one = clone(model).fit(data.X, data.y).predict(data.X)
    with threadpool_limits(4):
        several = clone(model).fit(data.X, data.y).predict(data.X)
    np.testing.assert_array_equal(one, several)


@pytest.mark.parametrize("model", MODELS[:5], ids=lambda model: type(model).__name__)
def test_unknown_users_and_items_get_the_known_bias(model):
    model = clone(model).fit(X, Y)
    both = model.predict([(99, 99)])[0]
    assert both == pytest.approx(Y.mean())
    biases = model if isinstance(model, SGDFactorization) else BiasModel().fit(X, Y)
    known_item = biases.item_biases_[biases.items_ == 7][0]
    assert model.predict([(99, 7)])[0] == pytest.approx(Y.mean() + known_item)


@by_name
@pytest.mark.parametrize(
    ("bad_X", "bad_y", "words"),
    [
        (np.column_stack([X, Y]), Y, "two columns user and item, but has 3"),
        (X[:, 0], Y, "two columns user and item, but has 1"),
        (X, np.where(np.arange(len(Y)) == 3, np.nan, Y), "rating in row 3 of y is nan"),
        (X, Y[:-1], "one rating per row"),
        (X, None, "y"),
        (np.where(np.arange(len(X))[:, None] == 4, np.nan, X), Y, "user of row 4 of X is missing"),
    ],
    ids=["three columns", "one column", "nan", "length", "no y", "missing user"],
)
def test_rejects_bad_ratings(model, bad_X, bad_y, words):
    with pytest.raises(ValueError, match=words):
        clone(model).fit(bad_X, bad_y)


def test_rejects_a_matrix_of_ratings_and_words_as_pairs():
    with pytest.raises(TypeError, match="nonzero"):
        BiasModel().fit(sparse.csr_array(np.eye(3)), [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="two columns"):
        BiasModel().fit(["ab", "cd"], [1.0, 2.0])


def test_rejects_negative_counts():
    with pytest.raises(ValueError, match="must not be negative"):
        ImplicitFactorization().fit(X, -np.abs(Y))
