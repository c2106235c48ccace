"""Blends of models of ratings, recommendations, splits, ranking metrics, simulated ratings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.metrics import ndcg_score

from nonet import (
    ALSFactorization,
    BiasModel,
    BlendingRegressor,
    ItemNeighbors,
    RatingEnsemble,
    TimeSplit,
    UserSplit,
    make_ratings,
    ranking_scores,
)

DATA = make_ratings(200, 100, 6000, rank=2, random_state=0)
X, Y = DATA.X, DATA.y
NEW, TRUTH = X[5000:], Y[5000:]
SMALL = make_ratings(40, 30, 400, random_state=1)


def members():
    return [
        ("bias", BiasModel()),
        ("items", ItemNeighbors(20)),
        ("als", ALSFactorization(4, penalty=0.05, random_state=0)),
    ]


def fitted(**settings):
    settings = {"estimators": members(), "cv": 3, "random_state": 0} | settings
    return RatingEnsemble(**settings).fit(X[:5000], Y[:5000])


def rmse(predicted, y=TRUTH):
    return float(np.sqrt(np.mean((predicted - y) ** 2)))


# ---- Blends --------------------------------------------------------------------------------------


@pytest.mark.parametrize("blend", ["ridge_to_uniform", "non_negative", "least_squares", "counts"])
def test_prediction_is_the_clipped_blend_of_the_members(blend):
    model = fitted(blend=blend)
    outputs = model.member_outputs(NEW)
    values = model.combine_(outputs, NEW)
    np.testing.assert_allclose(model.predict(NEW), model.decide_(values, NEW))
    np.testing.assert_allclose(model.predict(NEW), np.clip(values, *model.rating_range_))


def test_weights_are_found_on_held_out_ratings_against_naive():
    model = fitted(blend="non_negative")
    held_out = model.ledger_.predictions[0]
    np.testing.assert_allclose(model.weights_, nnls(held_out, Y[:5000])[0], atol=1e-6)
    for position, (_, prototype) in enumerate(members()):
        page = np.empty(5000)
        for train, test in model.blend_.cv.split(X[:5000]):
            page[test] = clone(prototype).fit(X[train], Y[train]).predict(X[test])
        np.testing.assert_allclose(held_out[:, position], page)


def test_blend_is_that_of_blending_regressor():
    model = fitted(blend="simplex", decide="identity")
    plain = BlendingRegressor(members(), weights="simplex", cv=model.blend_.cv)
    plain.fit(X[:5000], Y[:5000])
    np.testing.assert_allclose(plain.predict(NEW), model.predict(NEW))


@pytest.mark.parametrize("blend", ["least_squares", "non_negative", "ridge_to_uniform", "counts"])
def test_blend_is_better_than_its_best_member(blend):
    model = fitted(blend=blend)
    outputs = model.member_outputs(NEW)[:, :3]
    assert rmse(model.predict(NEW)) < min(rmse(column) for column in outputs.T)


def test_counts_are_the_last_columns_of_a_final_model():
    model = fitted(blend=LinearRegression())
    assert [m.name for m in model.members_[3:]] == ["user_count", "item_count"]
    n_ratings = np.bincount(X[:5000, 0], minlength=200)[NEW[:, 0]]
    np.testing.assert_allclose(model.member_outputs(NEW)[:, 3], np.log1p(n_ratings))


def test_second_blend_from_the_same_ledger():
    first = fitted(blend="simplex")
    second = RatingEnsemble(members(), blend="least_squares", cv=3, random_state=0)
    second.fit(X[:5000], Y[:5000], ledger=first.ledger_)
    np.testing.assert_allclose(
        second.predict(NEW), fitted(blend="least_squares").predict(NEW), atol=1e-8
    )


def test_blend_rejects_a_ledger_of_other_pairs_with_the_same_ratings():
    first = fitted(blend="simplex")
    second = RatingEnsemble(members(), blend="least_squares", cv=3, random_state=0)
    with pytest.raises(ValueError, match="made on other rows: y is the same"):
        second.fit(X[:5000, ::-1], Y[:5000], ledger=first.ledger_)
    pairs = [(int(user), int(item)) for user, item in X[:5000]]
    second.fit(pairs, Y[:5000], ledger=first.ledger_)


def test_weights_of_members_follow_the_number_of_ratings():
    """Where only users with many ratings follow the factors, counts find it out; weights do not."""
    rng = np.random.default_rng(0)
    data = make_ratings(300, 60, 6000, rank=1, bias=0.0, noise=0.2, popularity=1.2, random_state=3)
    many = np.bincount(data.X[:, 0], minlength=300)[data.X[:, 0]] > 25
    y = np.where(many, data.y, 3.5 + rng.normal(scale=0.7, size=6000))
    pair = [("bias", BiasModel()), ("als", ALSFactorization(2, penalty=0.01, random_state=0))]
    settings = {"estimators": pair, "cv": 3, "random_state": 0}
    by_counts = RatingEnsemble(**settings, blend="counts").fit(data.X[:5000], y[:5000])
    by_weights = RatingEnsemble(**settings, blend="least_squares").fit(data.X[:5000], y[:5000])
    test = slice(5000, None)
    assert rmse(by_counts.predict(data.X[test]), y[test]) < 0.99 * rmse(
        by_weights.predict(data.X[test]), y[test]
    )


def test_default_members_and_determinism():
    first, second = (RatingEnsemble(cv=2, random_state=4).fit(SMALL.X, SMALL.y) for _ in range(2))
    assert [m.name for m in first.members_] == ["bias", "items", "users", "als", "sgd"]
    np.testing.assert_array_equal(first.predict(SMALL.X), second.predict(SMALL.X))


def test_weight_of_two_is_the_rating_given_twice():
    """With a test set of its own, the members see the repeated rows and the blend the others."""
    train, test = np.arange(2000), np.arange(2000, 3000)
    settings = {"estimators": members(), "blend": "simplex", "random_state": 0}
    twice = np.concatenate([train, train, test])
    rows = np.arange(len(twice))
    repeated = RatingEnsemble(**settings, cv=[(rows[:4000], rows[4000:])]).fit(X[twice], Y[twice])
    weights = np.where(np.arange(3000) < 2000, 2.0, 1.0)
    weighted = RatingEnsemble(**settings, cv=[(train, test)])
    weighted.fit(X[:3000], Y[:3000], sample_weight=weights)
    np.testing.assert_allclose(weighted.predict(NEW), repeated.predict(NEW), rtol=1e-6)


# ---- Range ---------------------------------------------------------------------------------------


def test_predictions_are_in_the_range():
    stars = np.clip(np.round(Y), 1, 5)
    model = RatingEnsemble(members(), rating_range=(1, 5), cv=2, random_state=0).fit(X, stars)
    predicted = model.predict(X)
    assert predicted.min() >= 1
    assert predicted.max() <= 5
    assert (predicted == 5).any()  # some are clipped


def test_rejects_ratings_out_of_range():
    with pytest.raises(ValueError, match=r"rating\(s\) out of rating_range=\(1.0, 5.0\)"):
        fitted(rating_range=(1, 5))


@pytest.mark.parametrize("bounds", [(5, 1), (1, 2, 3), ("a", "b")])
def test_rejects_bad_ranges(bounds):
    with pytest.raises(ValueError, match="parameter 'rating_range' must be"):
        fitted(rating_range=bounds)


def test_rejects_three_columns_through_the_members():
    with pytest.raises(ValueError, match="values are passed as y"):
        RatingEnsemble().fit(np.column_stack([X, Y]), Y)


# ---- Recommendations -----------------------------------------------------------------------------


def test_recommendations_are_the_best_unseen_items():
    model = fitted()
    users = [3, 50]
    for user, items in zip(users, model.recommend(users, n=5), strict=True):
        values = model.combine_(model.member_outputs([(user, i) for i in range(100)]))
        seen = X[:5000][X[:5000, 0] == user, 1]
        order = [item for item in np.argsort(-values, kind="stable") if item not in seen]
        assert items.tolist() == order[:5]


def test_seen_items_can_be_shown():
    model = BiasModel().fit(X, Y)
    (items,) = model.recommend([0], n=100, hide_seen=False)
    assert len(items) == 100
    hidden = model.recommend([0], n=100)[0]
    assert len(hidden) == 100 - len(np.unique(X[X[:, 0] == 0, 1]))
    assert hidden.tolist() == [item for item in items if item not in X[X[:, 0] == 0, 1]]


def test_unknown_user_gets_the_items_with_the_highest_biases():
    model = fitted()
    biases = model.named_estimators_["bias"].item_biases_
    first = model.recommend(["nobody", 3], n=4)[0]
    assert first.tolist() == np.argsort(-biases, kind="stable")[:4].tolist()


def test_recommendations_do_not_depend_on_the_blocks(monkeypatch):
    model = fitted()
    whole = model.recommend(range(9), n=3)
    monkeypatch.setattr("nonet.unsupervised.ratings.recommender._PAIRS_PER_BLOCK", 250)
    np.testing.assert_array_equal(model.recommend(range(9), n=3), whole)


@pytest.mark.parametrize(("users", "n"), [("ann", 3), (7, 3), ([7], 0), ([7], 2.5)])
def test_rejects_bad_requests(users, n):
    with pytest.raises((TypeError, ValueError), match="must be"):
        BiasModel().fit(X, Y).recommend(users, n=n)


# ---- Ranking metrics -----------------------------------------------------------------------------


class Fixed:
    """Recommends the same items to everybody."""

    def __init__(self, items):
        self.items = np.array(items)

    def recommend(self, users, n):
        return [self.items[:n] for _ in users]


def test_ranking_scores_against_a_hand_count():
    test = [("ann", "a"), ("ann", "b"), ("bob", "c"), ("bob", "x"), ("eve", "x")]
    scores = ranking_scores(Fixed(["a", "c", "b", "d"]), test, n=4)
    assert scores.n_users == 3
    assert scores.precision == pytest.approx((2 / 4 + 1 / 4 + 0) / 3)
    assert scores.recall == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_ndcg_against_sklearn():
    rng = np.random.default_rng(0)
    values = rng.permutation(20).astype(float)
    relevant = rng.choice(20, 6, replace=False)
    order = np.argsort(-values)
    ours = ranking_scores(Fixed(order), [("ann", int(i)) for i in relevant], n=8).ndcg
    truth = np.isin(np.arange(20), relevant).astype(float)
    assert ours == pytest.approx(ndcg_score([truth], [values], k=8))


def test_min_rating_chooses_the_relevant_items():
    test = [("ann", "a"), ("ann", "b"), ("bob", "a")]
    scores = ranking_scores(Fixed(["a", "b"]), test, [5.0, 2.0, 1.0], n=2, min_rating=4)
    assert (scores.n_users, scores.recall, scores.precision) == (1, 1.0, 0.5)
    with pytest.raises(ValueError, match="no item is relevant"):
        ranking_scores(Fixed(["a"]), test, [5.0, 2.0, 1.0], min_rating=6)


# ---- Splits --------------------------------------------------------------------------------------


def test_time_split_holds_out_the_last_rows():
    ((train, test),) = TimeSplit(0.3).split(X[:10])
    assert (train.tolist(), test.tolist()) == (list(range(7)), [7, 8, 9])


def test_user_split_leaves_ratings_of_each_user():
    for train, test in UserSplit(0.3, 2, random_state=0).split(X):
        counts = np.bincount(X[:, 0], minlength=200)
        held_out = np.bincount(X[test, 0], minlength=200)
        np.testing.assert_array_equal(held_out, np.minimum(counts - 1, (3 * counts) // 10))
        assert np.array_equal(np.sort(np.append(train, test)), np.arange(len(X)))


def test_splits_serve_as_cv():
    for cv in (TimeSplit(), UserSplit(random_state=0), 0.2):
        model = fitted(cv=cv)
        covered = model.ledger_.covered_rows
        assert 0.1 < len(covered) / 5000 < 0.3


@pytest.mark.parametrize("split", [TimeSplit(1.0), UserSplit(0.2, 0), UserSplit(0)])
def test_rejects_bad_splits(split):
    with pytest.raises(ValueError, match="must be"):
        next(split.split(X))


def test_rejects_split_without_rows():
    with pytest.raises(ValueError, match="without rows"):
        next(UserSplit(0.2).split([("ann", "a"), ("bob", "b")]))


# ---- Simulated ratings ---------------------------------------------------------------------------


def test_simulated_ratings_have_the_given_rank_and_noise():
    data = make_ratings(30, 20, 300, rank=2, bias=0.0, mean=0.0, random_state=0)
    assert len(np.unique(data.X @ [20, 1])) == 300
    dense = make_ratings(40, 20, 400, rank=2, bias=0.0, mean=0.0, popularity=0.0, random_state=5)
    table = np.full((40, 20), np.nan)
    table[dense.X[:, 0], dense.X[:, 1]] = dense.expected
    # All 3 x 3 minors of a matrix of rank 2 are 0.
    blocks = [
        table[np.ix_(rows, columns)]
        for rows in np.random.default_rng(0).integers(0, 40, size=(300, 3))
        for columns in ([0, 1, 2], [5, 9, 13], [4, 7, 19])
    ]
    minors = [np.linalg.det(block) for block in blocks if np.isfinite(block).all()]
    assert len(minors) > 0
    np.testing.assert_allclose(minors, 0, atol=1e-12)


def test_simulated_scales():
    data = make_ratings(2000, 1000, 200_000, rank=4, noise=0.4, drift=2.0, random_state=0)
    noise = data.y - data.expected
    assert noise.std() == pytest.approx(0.4, rel=0.02)
    late = data.y[-20_000:].mean() - data.y[:20_000].mean()
    assert late == pytest.approx(1.8, abs=0.1)
    counts = np.sort(np.bincount(data.X[:, 1]))
    assert counts[-1] > 10 * counts[len(counts) // 4]


def test_rejects_too_many_simulated_ratings():
    with pytest.raises(ValueError, match="at most half of the 100 pairs"):
        make_ratings(10, 10, 51)
