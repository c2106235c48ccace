"""Uses that gave wrong results without a word: they are refused, or warn."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import nonet

ROWS = np.random.default_rng(0).normal(size=(40, 2))


@pytest.mark.parametrize("combine", ["score_sum", "borda"])
def test_scores_of_pairs_are_not_taken_for_scores_of_classes(combine):
    X, y = load_iris(return_X_y=True)
    pairs = make_pipeline(StandardScaler(), SVC(decision_function_shape="ovo"))
    with pytest.raises(ValueError, match="decision_function_shape='ovo' gives scores of pairs"):
        nonet.VotingClassifier([("svm", pairs)], combine=combine).fit(X, y).predict(X)
    classes = pairs.set_params(svc__decision_function_shape="ovr")
    vote = nonet.VotingClassifier([("svm", classes)], combine=combine).fit(X, y)
    assert vote.score(X, y) > 0.95


def test_stability_needs_a_clusterer_that_takes_the_number_of_clusters():
    with pytest.raises(TypeError, match="clusterer with a parameter n_clusters"):
        nonet.clustering_stability(DBSCAN(), ROWS, n_clusters=[2, 3])
    nonet.clustering_stability(KMeans(n_init=1), ROWS, n_clusters=[2, 3], n_repeats=2)


def test_function_for_outliers_must_return_their_labels():
    model = nonet.OutlierEnsemble(decide=lambda scores: 2 * scores, cv=2, random_state=0)
    with pytest.raises(ValueError, match="must return -1 for outliers and 1 for others"):
        model.fit(ROWS).predict(ROWS)
    model.set_params(decide=lambda scores: np.where(scores < scores.mean(), -1, 1))
    assert set(model.fit(ROWS).predict(ROWS)) == {-1, 1}


def test_identifiers_of_another_type_warn():
    data = nonet.make_ratings(30, 20, 300, random_state=0)
    model = nonet.BiasModel().fit(data.X, data.y)
    with pytest.warns(UserWarning, match="no identifier such as .* is known: fit saw"):
        model.predict(data.X.astype(str))


def test_ranking_by_the_ratings_of_fit_warns():
    data = nonet.make_ratings(30, 20, 300, random_state=0)
    model = nonet.BiasModel().fit(data.X, data.y)
    with pytest.warns(UserWarning, match="no relevant item was recommended to anyone"):
        nonet.ranking_scores(model, data.X)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of scikit-learn's PCA
def test_coordinates_that_overflow_are_one_sentence():
    with pytest.raises(ValueError, match="too large to be aligned; scale the columns of X"):
        nonet.EnsembleEmbedding(n_components=1, random_state=0).fit(ROWS * [1e200, 1.0])


def test_numbers_whose_distances_overflow_are_one_sentence():
    for call in (
        lambda: nonet.ConsensusClustering(n_clusters=2).fit(ROWS * 1e300),
        lambda: nonet.ConsensusClustering(n_clusters=2).fit(ROWS).predict(ROWS * 1e300),
        lambda: nonet.clustering_stability(KMeans(), ROWS * 1e300, [2]),
    ):
        with pytest.raises(ValueError, match="squared distances of rows are finite up to"):
            call()
    nonet.ConsensusClustering(n_clusters=2, n_estimators=2).fit(ROWS * 1e140)


def test_automatic_number_of_clusters_warns_once_at_most():
    rows = np.repeat(ROWS[:3], 10, axis=0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nonet.ConsensusClustering(n_clusters="auto", n_estimators=3, random_state=0).fit(rows)
    assert len(caught) <= 1
    with pytest.raises(ValueError, match="'auto' compares two halves of at least 2 rows each"):
        nonet.ConsensusClustering(n_clusters="auto").fit(ROWS[:3])


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (SVC(), "classifier"),
        (make_pipeline(StandardScaler(), SVC()), "classifier"),
        (LinearRegression(), "regressor"),
        (IsolationForest(), "detector of outliers"),
        (StandardScaler(), "transformer"),
    ],
)
def test_members_without_clusters_are_refused(model, kind):
    with pytest.raises(TypeError, match=f"member 'm' must be a clusterer.*is a {kind}"):
        nonet.ConsensusClustering([("m", model)], 2).fit(ROWS)
    with pytest.raises(TypeError, match=f"'estimator' must be a clusterer.*is a {kind}"):
        nonet.ConsensusClustering(model, 2).fit(ROWS)
    with pytest.raises(TypeError, match=f"must be a clusterer.*is a {kind}"):
        nonet.clustering_stability(model, ROWS, [2])


def test_partitions_of_a_frame_are_its_columns():
    partitions = {"one": [0, 0, 1, 1], "other": [1, 1, 0, 0]}
    expected = nonet.combine_partitions(list(partitions.values()), 2, random_state=0).labels
    for form in (partitions, pd.DataFrame(partitions)):
        found = nonet.combine_partitions(form, 2, random_state=0).labels
        np.testing.assert_array_equal(found, expected)


FOREST = nonet.RandomForestClassifier(3, random_state=0).fit(ROWS, ROWS[:, 0] > 0)
RATINGS = nonet.make_ratings(30, 20, 300, random_state=0)
BIASES = nonet.BiasModel().fit(RATINGS.X, RATINGS.y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nonet.BiasModel().fit([[[1], "a"], [[2], "b"]], [1, 2]), "the users of X must be"),
        (lambda: nonet.BiasModel().fit([[1, {}], [2, {}]], [1, 2]), "the items of X must be"),
        (lambda: nonet.BiasModel().fit(RATINGS.X, ["good"] * 300), "must be numbers"),
        (lambda: BIASES.predict([[[1], 2]]), "the users of X must be"),
        (lambda: BIASES.recommend([[1], [2]]), "users must be numbers, text"),
        (lambda: BIASES.recommend(np.array([[1, 2]])), "users must be a list"),
        (lambda: BIASES.recommend(pd.DataFrame({"user": [1]})), "users must be a list"),
        (lambda: BIASES.recommend([1, None]), "number 1 of users is missing"),
        (lambda: scores(min_rating="4"), "'min_rating' must be None or a finite number"),
        (lambda: scores(min_rating=[4]), "'min_rating' must be None or a finite number"),
        (lambda: scores(min_rating=float("nan")), "'min_rating' must be None or a finite number"),
        (lambda: scores(y=["a"] * 300, min_rating=1), "the ratings y must be numbers"),
        (lambda: list(nonet.TimeSplit().split([])), "without rows"),
        (lambda: implicit(alpha=1e300), "lower them, or raise the penalty"),
        (lambda: nonet.combine_partitions([[[0], [1, 2]], [0, 1]], 2), "one label for each row"),
        (lambda: nonet.combine_partitions([[0, 1]], 2, method=None), "None is not known"),
        (lambda: nonet.forest_proximity(FOREST, ROWS, ROWS[:, 0]), "2D array"),
        (lambda: nonet.forest_distance(FOREST, "abc"), "X must be an array"),
    ],
)
def test_odd_arguments_are_one_sentence(call, message):
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def scores(y=RATINGS.y, **settings):
    return nonet.ranking_scores(BIASES, RATINGS.X, y, **settings)


def implicit(**settings):
    return nonet.ImplicitFactorization(**settings).fit(RATINGS.X, np.ones(300))


def test_very_unequal_popularity_ends():
    data = nonet.make_ratings(50, 40, 900, popularity=1000.0, random_state=0)
    assert len(np.unique(data.X, axis=0)) == 900


def test_huge_penalty_of_descent_has_no_warning():
    model = nonet.SGDFactorization(penalty=1e300, user_penalty=1e300, random_state=0)
    assert np.isfinite(model.fit(RATINGS.X, RATINGS.y).predict(RATINGS.X)).all()


def test_embedding_of_equal_rows_has_no_warning():
    embedding = nonet.EnsembleEmbedding(random_state=0).fit(np.ones((20, 3)))
    np.testing.assert_array_equal(embedding.transform(np.ones((2, 3))), np.zeros((2, 2)))
