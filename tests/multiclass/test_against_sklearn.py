"""The three reductions give what scikit-learn's give, where both can."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.multiclass as theirs
from sklearn.datasets import (
    load_digits,
    load_iris,
    load_wine,
    make_classification,
    make_multilabel_classification,
)
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, SGDClassifier
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import scale
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import nonet

KINDS = ("OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier")
LEARNERS = [
    LogisticRegression(max_iter=2000),
    LinearSVC(random_state=0),
    SVC(),
    LinearDiscriminantAnalysis(),
    GaussianNB(),
    KNeighborsClassifier(4),
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(4, random_state=0),
]


def digits():
    X, y = load_digits(n_class=5, return_X_y=True)
    return X[:160] / 16, y[:160]


def words():
    X, y = load_iris(return_X_y=True)
    return X, np.array(["setosa", "versicolor", "virginica"])[y]


def iris():
    return load_iris(return_X_y=True)


def wine():
    X, y = load_wine(return_X_y=True)
    return scale(X), y


def two():
    return make_classification(150, random_state=0)


DATA = {"digits": digits, "iris": words, "wine": wine, "two classes": two}


def pair(kind, learner, **settings):
    if kind == "OutputCodeClassifier":
        settings["random_state"] = 1
    return getattr(nonet, kind)(learner, **settings), getattr(theirs, kind)(learner, **settings)


def gap_of_support(model, X):
    top_two = np.sort(model.combine_(model.member_outputs(X)), axis=1)[:, -2:]
    return top_two[:, 1] - top_two[:, 0]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_predictions_against_sklearn_are_equal(kind, learner, data):
    X, y = DATA[data]()
    ours, reference = (model.fit(X[::2], y[::2]) for model in pair(kind, learner))
    differs = ours.predict(X) != reference.predict(X)
    assert (gap_of_support(ours, X)[differs] < 1e-9).all()  # a tie may turn on rounding
    assert differs.mean() < 0.02
    np.testing.assert_array_equal(ours.classes_, reference.classes_)
    for method in ("decision_function", "predict_proba"):
        if hasattr(reference, method):
            mine, expected = getattr(ours, method)(X), getattr(reference, method)(X)
            known = expected.any(axis=-1) if method == "predict_proba" else slice(None)
            np.testing.assert_allclose(mine[known], expected[known], rtol=0, atol=1e-12)


def test_row_that_all_members_refuse_is_uniform():
    """scikit-learn gives a row of zeros, which is no distribution."""
    X, y = words()
    ours, reference = (
        m.fit(X[::10], y[::10])
        for m in pair("OneVsRestClassifier", DecisionTreeClassifier(random_state=0))
    )
    nobody = ~reference.predict_proba(X).any(axis=1)
    assert nobody.any()
    np.testing.assert_allclose(ours.predict_proba(X)[nobody], 1 / 3)


@pytest.mark.parametrize("learner", [LogisticRegression(), GaussianNB()])
def test_code_book_against_sklearn_is_equal(learner):
    ours, reference = (m.fit(*words()) for m in pair("OutputCodeClassifier", learner))
    np.testing.assert_array_equal(ours.code_book_, reference.code_book_)


@pytest.mark.parametrize("learner", [LinearRegression(), Ridge()])
def test_regressors_against_sklearn_in_one_vs_rest(learner):
    for data in (words, two):
        X, y = data()
        ours, reference = (m.fit(X, y) for m in pair("OneVsRestClassifier", learner))
        np.testing.assert_array_equal(ours.predict(X), reference.predict(X))


def test_regressor_votes_in_one_vs_one():
    """scikit-learn counts a regressor's vote only if it is exactly 0 or 1; with two classes it
    always names the first."""
    X, y = two()
    ours, reference = (m.fit(X, y) for m in pair("OneVsOneClassifier", LinearRegression()))
    assert set(reference.predict(X)) == {0}
    assert ours.score(X, y) > 0.8


@pytest.mark.parametrize("layout", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("learner", [LogisticRegression(), GaussianNB(), SVC(), Ridge()])
def test_multilabel_against_sklearn_is_equal(layout, learner):
    X, labels = make_multilabel_classification(120, random_state=0, allow_unlabeled=True)
    y = layout(labels)
    ours, reference = (m.fit(X, y) for m in pair("OneVsRestClassifier", learner))
    mine, expected = ours.predict(X), reference.predict(X)
    assert sp.issparse(mine) == sp.issparse(expected)
    np.testing.assert_array_equal(sp.csr_array(mine).toarray(), sp.csr_array(expected).toarray())
    assert ours.multilabel_
    if hasattr(reference, "predict_proba"):
        np.testing.assert_allclose(ours.predict_proba(X), reference.predict_proba(X))


def test_multilabel_column_of_one_side_against_sklearn():
    X, y = make_multilabel_classification(60, n_classes=3, random_state=0)
    y[:, 1], y[:, 2] = 0, 1
    ours, reference = pair("OneVsRestClassifier", LogisticRegression())
    with warnings.catch_warnings(action="always", record=True) as seen:
        ours.fit(X, y)
    assert [str(one.message) for one in seen] == [
        "no row has label 1 in training.",
        "all rows have label 2 in training.",
    ]
    with warnings.catch_warnings(action="ignore"):
        reference.fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), reference.predict(X))


@pytest.mark.parametrize("data", [iris, two])
@pytest.mark.parametrize("kind", KINDS[:2])
def test_partial_fit_against_sklearn_is_equal(kind, data):
    X, y = data()
    order = np.random.default_rng(0).permutation(len(y))
    models = pair(kind, SGDClassifier(random_state=0))
    for model in models:
        for rows in np.array_split(order, 5):
            model.partial_fit(X[rows], y[rows], classes=np.unique(y))
    ours, reference = models
    np.testing.assert_array_equal(ours.predict(X), reference.predict(X))
    np.testing.assert_allclose(ours.decision_function(X), reference.decision_function(X))


def test_batches_that_lack_classes_against_sklearn():
    X, y = iris()
    models = pair("OneVsOneClassifier", SGDClassifier(random_state=0))
    for model in models:
        model.partial_fit(X[:100], y[:100], classes=np.unique(y))  # class 2 has not come yet
        model.partial_fit(X[100:], y[100:]).partial_fit(X[50:], y[50:])
    np.testing.assert_array_equal(*[model.predict(X) for model in models])


@pytest.mark.parametrize("kind", KINDS[:2])
def test_kernel_matrix_against_sklearn(kind):
    X, y = words()
    kernel = X @ X.T
    ours, reference = (m.fit(kernel, y) for m in pair(kind, SVC(kernel="precomputed")))
    np.testing.assert_array_equal(ours.predict(kernel), reference.predict(kernel))
    if kind == "OneVsOneClassifier":
        for mine, expected in zip(ours.pairwise_indices_, reference.pairwise_indices_, strict=True):
            np.testing.assert_array_equal(mine, expected)


DOCUMENTS = ["red apple", "green pear", "blue sea", "red cherry", "green leaf", "blue sky"]
COLOURS = [text.split()[0] for text in DOCUMENTS]


@pytest.mark.parametrize("kind", ["OneVsRestClassifier", "OutputCodeClassifier"])
def test_text_against_sklearn(kind):
    """X may be whatever the learner takes, such as a list of documents."""
    learner = make_pipeline(TfidfVectorizer(), MultinomialNB())
    ours, reference = (m.fit(DOCUMENTS, COLOURS) for m in pair(kind, learner))
    np.testing.assert_array_equal(ours.predict(DOCUMENTS), reference.predict(DOCUMENTS))


def test_one_vs_one_takes_text_where_sklearn_cannot():
    learner = make_pipeline(TfidfVectorizer(), MultinomialNB())
    ours, reference = pair("OneVsOneClassifier", learner)
    assert ours.fit(DOCUMENTS, COLOURS).predict(DOCUMENTS).tolist() == COLOURS
    with pytest.raises(ValueError, match="2D array"):
        reference.fit(DOCUMENTS, COLOURS)


@pytest.mark.parametrize("kind", KINDS)
def test_sparse_data_against_sklearn(kind):
    X, y = digits()
    learner = LogisticRegression(max_iter=2000)
    ours, reference = (m.fit(sp.csr_array(X), y) for m in pair(kind, learner))
    np.testing.assert_array_equal(ours.predict(X), reference.predict(X))
