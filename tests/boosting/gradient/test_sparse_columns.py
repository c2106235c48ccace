"""Sparse tables and indicator columns give the trees of dense tables, whatever is drawn."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer

import nonet

N_ROWS = 1500
BASE = {
    "n_estimators": 6,
    "num_leaves": 15,
    "learning_rate": 0.2,
    "reg_lambda": 1.0,
    "min_child_samples": 3,
    "colsample_bynode": 1.0,
    "extra_trees": False,
    "n_bags": 1,
    "random_state": 0,
}
SETTINGS = {
    "plain": {},
    "columns of trees": {"colsample_bytree": 0.5},
    "columns of levels": {"colsample_bylevel": 0.5},
    "half the columns of nodes": {"colsample_bynode": 0.5},
    "few columns of nodes": {"colsample_bynode": 0.1},
    "rows": {"subsample": 0.5},
    "one-side": {"sampling_method": "goss"},
    "minimal variance": {"subsample": 0.4, "sampling_method": "mvs"},
    "random thresholds": {"extra_trees": True},
    "monotone": {"monotone_constraints": [1, -1] * 20},
    "interactions": {"interaction_constraints": [list(range(20)), list(range(15, 40))]},
    "dropped rounds": {"drop_rate": 0.3},
    "large leaves": {"min_child_samples": 40},
    "bags": {"n_bags": 2},
    "auto": {"n_bags": "auto", "colsample_bynode": "auto", "extra_trees": "auto"},
}


def draw_table() -> np.ndarray:
    """Draw numbers among zeros, indicators of ten levels, and a few missing values."""
    rng = np.random.default_rng(3)
    X = np.zeros((N_ROWS, 40))
    is_number = rng.random((N_ROWS, 30)) < 0.06
    X[:, :30][is_number] = rng.normal(size=is_number.sum()).round(1)
    X[np.arange(N_ROWS), 30 + rng.integers(0, 10, N_ROWS)] = 1
    X[rng.random(X.shape) < 0.01] = np.nan
    return X


X = draw_table()
KNOWN = np.nan_to_num(X)
NOISE = np.random.default_rng(4).normal(size=N_ROWS)
Y = (KNOWN[:, :5].sum(axis=1) + KNOWN[:, 31] - KNOWN[:, 33] + 0.3 * NOISE > 0).astype(int)


def outputs(model, rows):
    return model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_sparse_boosting_equals_dense(settings):
    dense = nonet.BoostedTreesClassifier(**BASE | settings).fit(X, Y)
    sparse = nonet.BoostedTreesClassifier(**BASE | settings).fit(sp.csr_matrix(X), Y)
    np.testing.assert_array_equal(outputs(dense, X), outputs(sparse, sp.csc_matrix(X)))


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_threads_change_nothing(n_threads):
    table = sp.csr_matrix(X)
    with nonet.limit_threads(n_threads):
        found = nonet.BoostedTreesRegressor(**BASE).fit(table, NOISE + KNOWN[:, 2]).predict(table)
    expected = nonet.BoostedTreesRegressor(**BASE).fit(X, NOISE + KNOWN[:, 2]).predict(X)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["RandomForest", "ExtraTrees", "DecisionTree", "ExtraTree"])
@pytest.mark.parametrize("settings", [{}, {"max_features": None}, {"max_leaf_nodes": 20}])
def test_sparse_forests_equal_dense(name, settings):
    if name in ("RandomForest", "ExtraTrees"):
        settings = settings | {"n_estimators": 4}
    for kind, y in (("Classifier", Y), ("Regressor", NOISE)):
        make = getattr(nonet, f"{name}{kind}")
        dense = make(random_state=0, **settings).fit(X, y)
        sparse = make(random_state=0, **settings).fit(sp.csr_matrix(X), y)
        np.testing.assert_array_equal(outputs(dense, X), outputs(sparse, sp.csr_matrix(X)))


def with_duplicates(table):
    """Store every entry as two halves, side by side and not in order."""
    entries = table.tocoo()
    rows = np.r_[entries.row, entries.row]
    order = np.argsort(rows, kind="stable")
    data = np.r_[entries.data, entries.data][order] / 2
    starts = np.searchsorted(rows[order], np.arange(table.shape[0] + 1))
    return sp.csr_matrix((data, np.r_[entries.col, entries.col][order], starts), shape=table.shape)


def with_long_indices(table):
    table = table.copy()
    table.indices = table.indices.astype(np.int64)
    table.indptr = table.indptr.astype(np.int64)
    return table


def with_explicit_zeros(table):
    entries = table.tocoo()
    zeros = np.arange(5)
    return sp.csr_matrix(
        sp.coo_matrix(
            (
                np.r_[entries.data, np.zeros(5)],
                (np.r_[entries.row, zeros], np.r_[entries.col, zeros + 20]),
            ),
            shape=table.shape,
        )
    )


ODD_FORMS = {
    "duplicates": with_duplicates,
    "64-bit indices": with_long_indices,
    "explicit zeros": with_explicit_zeros,
    "COO": sp.coo_matrix,
    "LIL": sp.lil_matrix,
    "DOK": sp.dok_matrix,
    "array": sp.csr_array,
    "single precision": lambda table: table.astype(np.float32),
}


@pytest.mark.parametrize("change", ODD_FORMS.values(), ids=ODD_FORMS)
def test_odd_sparse_forms_equal_dense(change):
    table = change(sp.csr_matrix(KNOWN))
    dense = table.toarray()
    for model in (
        nonet.BoostedTreesClassifier(**BASE),
        nonet.RandomForestClassifier(3, random_state=0),
    ):
        expected = model.fit(dense, Y).predict_proba(dense)
        np.testing.assert_array_equal(model.fit(table, Y).predict_proba(table), expected)


def test_infinite_values_are_in_the_end_bins_of_boosting():
    table = sp.csr_matrix(KNOWN)
    table.data[::50] = np.inf
    table.data[::77] = -np.inf
    dense = table.toarray()
    model = nonet.BoostedTreesClassifier(**BASE)
    expected = model.fit(dense, Y).predict_proba(dense)
    np.testing.assert_array_equal(model.fit(table, Y).predict_proba(table), expected)
    table.data[table.data == -np.inf] = 0  # the sum of both would warn
    with pytest.raises(ValueError, match="infinity"):
        nonet.RandomForestClassifier(3).fit(table, Y)


def test_evaluation_sets_and_stages_may_be_sparse():
    table = sp.csr_matrix(KNOWN)
    settings = BASE | {"early_stopping_rounds": 3}
    sparse = nonet.BoostedTreesClassifier(**settings)
    sparse.fit(table[:-50], Y[:-50], eval_set=[(table[-50:], Y[-50:])])
    dense = nonet.BoostedTreesClassifier(**settings)
    dense.fit(KNOWN[:-50], Y[:-50], eval_set=[(KNOWN[-50:], Y[-50:])])
    assert sparse.best_iteration_ == dense.best_iteration_
    for ours, theirs in zip(
        sparse.staged_predict_proba(table), dense.staged_predict_proba(KNOWN), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", ["BoostedTrees", "RandomForest", "DecisionTree"])
def test_rejects_more_columns_than_histograms_hold(name):
    wide = sp.random(50, 100_001, 0.001, format="csr", random_state=0)
    model = getattr(nonet, f"{name}Classifier")()
    with pytest.raises(ValueError, match=r"at most 100,000 columns, got 100,001.* MB"):
        model.fit(wide, np.arange(50) % 2)


def test_histogram_boosting_rejects_sparse_tables_as_sklearn():
    with pytest.raises(TypeError, match="dense data is required"):
        nonet.HistGradientBoostingClassifier().fit(sp.csr_matrix(KNOWN), Y)


def test_lists_of_indicators_give_the_trees_of_tables_too_small_for_lists():
    # Lists are made from 1,024 rows on; rows of weight 0 change nothing but that.
    codes = np.random.default_rng(5).integers(0, 6, N_ROWS).astype(float)
    rows = np.c_[X[:, 20:], codes]
    settings = BASE | {"categorical_features": [rows.shape[1] - 1]}
    few, weights = slice(1000), np.r_[np.ones(1000), np.zeros(N_ROWS - 1000)]
    small = nonet.BoostedTreesClassifier(**settings).fit(rows[few], Y[few], weights[few])
    large = nonet.BoostedTreesClassifier(**settings).fit(rows, Y, weights)
    np.testing.assert_allclose(small.predict_proba(rows), large.predict_proba(rows), rtol=1e-9)


def test_leaves_of_sparse_rows_are_those_of_dense_ones():
    table = sp.random(300, 20, density=0.2, format="csr", random_state=0)
    model = nonet.BoostedTreesClassifier(n_estimators=3).fit(table, np.arange(300) % 2)
    np.testing.assert_array_equal(model.apply(table), model.apply(table.toarray()))
    np.testing.assert_array_equal(model.predict(table, pred_leaf=True), model.apply(table))


# ---- Words of documents -------------------------------------------------------------------------


def draw_documents(n_documents=240):
    """Draw documents of three subjects; one is empty."""
    rng = np.random.default_rng(6)
    subjects = np.arange(n_documents) % 3
    frequencies = np.ones((3, 60)) + 3 * np.repeat(np.eye(3), 20, axis=1)
    words = [
        rng.choice(60, size=12, p=frequencies[subject] / frequencies[subject].sum())
        for subject in subjects
    ]
    documents = [" ".join(f"word{code}" for code in codes) for codes in words]
    return ["", *documents[1:]], subjects


@pytest.mark.parametrize(
    "model",
    [
        nonet.BoostedTreesClassifier(n_estimators=8, random_state=0),
        nonet.RandomForestClassifier(8, random_state=0),
        nonet.ExtraTreesClassifier(8, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_tf_idf_gives_the_model_of_its_dense_table(model):
    documents, subjects = draw_documents()
    table = TfidfVectorizer().fit_transform(documents)
    sparse, dense = clone(model).fit(table, subjects), clone(model).fit(table.toarray(), subjects)
    rows, dense_rows = table[:30], table[:30].toarray()
    for method in ("predict", "predict_proba", "apply"):
        expected = getattr(dense, method)(dense_rows)
        np.testing.assert_array_equal(getattr(sparse, method)(rows), expected)
        np.testing.assert_array_equal(getattr(sparse, method)(table[0]), expected[:1])
    found, expected = nonet.shap_values(sparse, rows), nonet.shap_values(dense, dense_rows)
    np.testing.assert_array_equal(found.values, expected.values)


def test_tf_idf_of_held_out_documents_stops_boosting():
    documents, subjects = draw_documents()
    words = TfidfVectorizer().fit(documents[:160])
    train, valid = (words.transform(part) for part in (documents[:160], documents[160:]))
    model = nonet.BoostedTreesClassifier(n_estimators=200, early_stopping_rounds=5, random_state=0)
    sets = [(valid, subjects[160:]), (train, subjects[:160])]
    model.fit(train, subjects[:160], eval_set=sets)
    values = model.evals_result_["validation_0"]["loss"]
    assert model.best_iteration_ == np.argmin(values) + 1 == model.n_iter_ - 5
    assert model.score(valid, subjects[160:]) > 0.6
