"""Uses that gave wrong results without a word: they are refused, or warn."""

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, KMeans
from sklearn.datasets import load_iris
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
