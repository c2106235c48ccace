"""What trees read beside arrays of numbers: categories of all kinds, sparse matrices."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from nonet import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)
from nonet._native.data import BinnedDataset
from nonet.plots import plot_tree
from nonet.trees import export_text, shap_values
from nonet.trees.category_codes import CategoryCodes
from nonet.trees.category_columns import category_columns
from nonet.trees.columns import predict_in_blocks

KINDS = [DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor]
CITIES = np.array(["bern", "kyiv", "oslo", "rome"], dtype=object)


def bytes_of(model):
    return model.tree_._native.to_bytes()


@pytest.fixture
def cities():
    """Return cities, a number, and a label that is 1 in Kyiv and Oslo."""
    rng = np.random.default_rng(0)
    codes = rng.integers(4, size=200)
    return CITIES[codes], rng.normal(size=200), np.isin(codes, [1, 2]).astype(int)


def frames(city, number):
    """Yield the same table in all its forms, with the setting that names the category column."""
    yield pd.DataFrame({"city": pd.Categorical(city), "number": number}), "from_dtype"
    yield pd.DataFrame({"city": city, "number": number}), ["city"]
    yield pl.DataFrame({"city": list(city), "number": number}), [True, False]
    dtype = pl.Enum(list(CITIES))
    yield pl.DataFrame({"city": pl.Series(list(city), dtype=dtype), "number": number}), "from_dtype"
    yield np.column_stack([city, number.astype(object)]), [0]
    yield np.column_stack([city, number.astype(object)]).tolist(), np.array([0])
    yield np.column_stack([np.searchsorted(CITIES, city) * 10 - 7, number]), [0]


# ---- Which columns ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("categorical_features", "expected"),
    [
        (None, []),
        ([], []),
        ("from_dtype", []),
        ([False, True, True], [1, 2]),
        ([2, 0, 2], [0, 2]),
        (np.array([1], dtype=np.uint8), [1]),
    ],
)
def test_category_columns_of_an_array(categorical_features, expected):
    assert category_columns(np.zeros((4, 3)), categorical_features) == expected


def test_category_columns_by_name_come_in_the_order_of_the_table():
    frame = pd.DataFrame({"a": [1], "b": [2], "c": [3]})
    assert category_columns(frame, ["c", "a"]) == [0, 2]


@pytest.mark.parametrize(
    ("categorical_features", "sentence"),
    [
        ([3], "0 to 2, but has 3"),
        ([-1], "0 to 2, but has -1"),
        ([True, False], "a mask of 3 booleans"),
        ([0.5], "positions or names of columns"),
        ([[0, 1]], "positions or names of columns"),
        (["a"], "X has no names; give positions or a mask"),
    ],
)
def test_fit_rejects_columns_that_are_not_there(categorical_features, sentence):
    model = DecisionTreeRegressor(categorical_features=categorical_features)
    with pytest.raises(ValueError, match=sentence):
        model.fit(np.eye(3), [1, 2, 3])


def test_fit_rejects_names_that_are_not_there():
    frame = pd.DataFrame({"a": [1, 2], "b": [2, 3]})
    with pytest.raises(ValueError, match=r"'z' is none of \['a', 'b'\]"):
        DecisionTreeRegressor(categorical_features=["z"]).fit(frame, [1, 2])


# ---- Codes --------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["a", "b", "c", None, float("nan"), 3, pd.NA]), min_size=1))
def test_codes_name_known_values_and_nothing_else(values):
    table = np.empty((len(values), 1), dtype=object)
    table[:, 0] = values
    codes = CategoryCodes.learn(table, [0])
    encoded = codes.encode(table)[:, 0]
    for value, code in zip(values, encoded, strict=True):
        if isinstance(value, (str, int)):
            assert codes.known[0][int(code)] == value
        else:
            assert np.isnan(code)
    has_strings = any(isinstance(value, str) for value in values)
    unseen = np.array([["unseen" if has_strings else 7], [None]], dtype=object)
    assert np.isnan(codes.encode(unseen)).all()


def test_codes_of_a_column_without_known_values_are_missing():
    codes = CategoryCodes.learn(np.full((3, 1), np.nan), [0])
    assert np.isnan(codes.encode(np.array([[1.0], [np.nan]]))).all()


def test_codes_of_numbers_are_the_same_in_all_dtypes():
    codes = CategoryCodes.learn(np.array([[5], [-2], [7]]), [0])
    for dtype in (np.int8, np.float32, np.float64, object):
        table = np.array([[7], [5], [6]], dtype=dtype)
        np.testing.assert_array_equal(codes.encode(table), [[2.0], [1.0], [np.nan]])


@pytest.mark.parametrize("row", [0, 4095, 4096, 9999])
def test_categories_of_a_frame_are_those_of_its_rows_wherever_they_are(row):
    values = np.full(10_000, "common", dtype=object)
    values[row], values[7777] = "rare", None
    column = pd.Categorical(values, categories=["rare", "unused", "common"])
    table = pd.DataFrame({"number": 1.0, "kind": column})
    codes = CategoryCodes.learn(table, [1])
    assert codes.known[1].tolist() == ["common", "rare"]
    expected = np.select([values == "common", values == "rare"], [0.0, 1.0], np.nan)
    np.testing.assert_array_equal(codes.encode(table)[:, 1], expected)


def test_columns_between_categories_stay_in_place():
    table = np.array([[1.5, 7, 2.5], [np.nan, 9, 3.5]])
    encoded = CategoryCodes.learn(table, [1]).encode(table)
    np.testing.assert_array_equal(encoded, [[1.5, 0, 2.5], [np.nan, 1, 3.5]])


# ---- Trees on categories ------------------------------------------------------------------------


def test_all_forms_of_a_table_give_the_same_tree(cities):
    city, number, y = cities
    trees = {
        bytes_of(DecisionTreeClassifier(categorical_features=setting).fit(table, y))
        for table, setting in frames(city, number)
    }
    assert len(trees) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_set_of_categories_is_one_split(cities, kind):
    city, number, y = cities
    table = pd.DataFrame({"city": city, "number": number})
    model = kind(categorical_features=["city"], random_state=0).fit(table, y)
    assert model.score(table, y) == 1.0
    np.testing.assert_array_equal(model.is_categorical_, [True, False])
    if model.splitter == "best":
        assert model.get_n_leaves() == 2
        assert model.feature_importances_.tolist() == [1.0, 0.0]


def naive_best_gain(codes, y):
    """Return the largest decrease of the squared error over all sets of categories."""
    best, all_codes = 0.0, np.unique(codes)
    for bits in range(1, 2 ** len(all_codes) - 1):
        left = np.isin(codes, all_codes[[bits >> i & 1 == 1 for i in range(len(all_codes))]])
        cost = left.sum() * y[left].var() + (~left).sum() * y[~left].var()
        best = max(best, len(y) * y.var() - cost)
    return best


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_split_of_categories_against_naive_is_the_best_of_all_sets(seed):
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.r_[np.repeat(np.arange(6), 10), rng.integers(6, size=20)])
    y = rng.normal(size=80).round(1)  # all categories have the support of 10 rows
    model = DecisionTreeRegressor(max_depth=1, categorical_features=[0])
    tree = model.fit(codes[:, np.newaxis], y).tree_
    cost = tree.impurity * tree.weighted_n_node_samples
    assert cost[0] - cost[1] - cost[2] == pytest.approx(naive_best_gain(codes, y))


@pytest.mark.parametrize("kind", KINDS)
def test_unseen_categories_follow_the_missing_side(kind):
    rng = np.random.default_rng(1)
    codes = rng.integers(8, size=300).astype(float)
    codes[rng.uniform(size=300) < 0.2] = np.nan
    y = np.where(np.isnan(codes), 5, codes % 3).astype(int)
    X = np.column_stack([codes, rng.normal(size=300)])
    model = kind(categorical_features=[0], random_state=0).fit(X, y)
    unseen, missing = X.copy(), X.copy()
    unseen[:, 0], missing[:, 0] = 99, np.nan
    np.testing.assert_array_equal(model.predict(unseen), model.predict(missing))
    assert (model.predict(missing) == 5).mean() > 0.5


def test_unseen_categories_of_a_complete_column_follow_the_heavier_child():
    X, y = np.array([[0], [0], [0], [1]]), [0, 0, 0, 1]
    model = DecisionTreeClassifier(categorical_features=[0])
    assert model.fit(X, y).predict([[7]]) == [0]
    assert model.fit(X, y, sample_weight=[1, 1, 1, 9]).predict([[7]]) == [1]


def test_any_number_of_categories_is_allowed():
    # Issue 17, item 1: the most frequent ones are kept, of equally frequent ones the first.
    model = DecisionTreeRegressor(max_depth=1, categorical_features=[0])
    many = np.repeat(np.arange(3000), 10)[:, np.newaxis]
    assert model.fit(many, many[:, 0] % 2).score(many, many[:, 0] % 2) == 1.0
    assert model.joined_categories_ == {}
    too_many = np.r_[np.arange(70_000), 69_999][:, np.newaxis]
    model.fit(too_many, too_many[:, 0] > 69_000)
    np.testing.assert_array_equal(model.joined_categories_[0], np.arange(65_533, 69_999))
    predictions = model.predict([[65_533], [65_534], [69_998]])
    assert predictions[0] == predictions[1] == predictions[2]


def test_rare_categories_share_a_code():
    # Issue 17, item 1.
    names = np.array([f"level {i:03}" for i in range(300)], dtype=object)
    counts = np.where(np.arange(300) % 3 == 0, 12, 4)
    column = np.repeat(names, counts)
    for table in (column[:, np.newaxis], pd.DataFrame({"a": pd.Categorical(column)})):
        codes = CategoryCodes.learn(table, [0], min_rows=10)
        np.testing.assert_array_equal(codes.known[0], names[::3])
        np.testing.assert_array_equal(codes.joined[0], names[np.arange(300) % 3 > 0])
        encoded = codes.encode(table)[:, 0]
        is_rare = np.isin(column, codes.joined[0])
        np.testing.assert_array_equal(encoded[is_rare], 100)
        known = codes.known[0][encoded[~is_rare].astype(int)]
        np.testing.assert_array_equal(known, column[~is_rare])
        assert np.isnan(codes.encode(np.array([["unknown"]], dtype=object))).all()
        assert codes.names[0].tolist() == [*names[::3], "200 rare categories"]


def test_few_categories_stay_apart_however_rare():
    codes = CategoryCodes.learn(np.arange(255)[:, np.newaxis], [0], min_rows=10)
    assert len(codes.known[0]) == 255
    assert codes.joined == {}
    assert codes.names.keys() == {0}


def test_several_targets_on_categories_keep_their_sets(cities):
    city, number, y = cities
    table = pd.DataFrame({"city": city, "number": number})
    both = np.column_stack([y, city == "rome"])
    model = DecisionTreeClassifier(categorical_features=["city"]).fit(table, both)
    np.testing.assert_array_equal(model.predict(table), both)


def test_pruning_and_copies_keep_the_sets(cities):
    city, number, y = cities
    table = pd.DataFrame({"city": city, "number": number})
    noisy = np.where(number > 1.5, 1 - y, y)
    model = DecisionTreeClassifier(categorical_features=["city"], ccp_alpha=0.1).fit(table, noisy)
    back = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(back.predict(table), y)
    assert back.tree_.categories_left(0).tolist() == model.tree_.categories_left(0).tolist()
    np.testing.assert_array_equal(clone(model).fit(table, noisy).predict(table), y)


def test_shapley_values_of_categories_sum_to_the_prediction(cities):
    city, number, y = cities
    table = pd.DataFrame({"city": city, "number": number})
    model = DecisionTreeRegressor(categorical_features=["city"]).fit(table, y + 0.1 * number)
    fractions = shap_values(model, table)
    np.testing.assert_allclose(fractions.base + fractions.values.sum(axis=1), model.predict(table))


def test_view_text_and_picture_name_the_categories(cities):
    city, number, y = cities
    model = DecisionTreeClassifier(categorical_features=[0])
    model.fit(pd.DataFrame({"city": city, "number": number}), y)
    view = model.tree_
    assert np.isnan(view.threshold[0])
    assert view.is_category_split.tolist() == [True, False, False]
    left = view.categories_left(0).tolist()
    assert left in (["kyiv", "oslo"], ["bern", "rome"])
    shown = "{" + ", ".join(left) + "}"
    lines = export_text(model).splitlines()
    assert lines[0] == f"|--- city in {shown}"
    assert lines[2] == f"|--- city not in {shown}"
    assert plot_tree(model).texts[0].get_text() == f"city in {shown}\n200 rows"
    with pytest.raises(ValueError, match="Node 1 does not split categories"):
        view.categories_left(1)


def test_picture_truncates_long_sets():
    codes = np.repeat(np.arange(60), 10)
    model = DecisionTreeRegressor(max_depth=1, categorical_features=[0])
    model.fit(codes[:, np.newaxis], codes % 2)
    condition = plot_tree(model).texts[0].get_text().splitlines()[0]
    assert len(condition) == 40
    assert condition.endswith(" ...}")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([["a"], [{"b": 1}]], "must be a string or number"),
        ([[1j], [2j]], "Complex data not supported"),
        ([[0.0], [np.inf]], "Category column 0 contains infinity"),
        (["a", "b"], "Expected 2D array"),
        (np.empty((0, 1)), r"0 sample\(s\)"),
        (scipy.sparse.csr_matrix(np.eye(2)), "needs a dense table"),
    ],
)
def test_fit_rejects_tables_without_categories(table, sentence):
    table = table if hasattr(table, "shape") else np.array(table)
    with pytest.raises((ValueError, TypeError), match=sentence):
        DecisionTreeClassifier(categorical_features=[0]).fit(table, [0, 1])


def test_predict_rejects_tables_of_another_kind(cities):
    city, number, y = cities
    table = pd.DataFrame({"city": city, "number": number})
    model = DecisionTreeClassifier(categorical_features=["city"]).fit(table, y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table.rename(columns={"city": "town"}))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(table[["city"]])
    with pytest.raises(ValueError, match="X is sparse"):
        model.predict(scipy.sparse.csr_matrix(np.eye(2)))


def test_monotone_rejects_columns_of_categories():
    model = DecisionTreeRegressor(categorical_features=[0], monotonic_cst=[1])
    with pytest.raises(ValueError, match="must be 0 for columns of categories"):
        model.fit([[0], [1]], [0, 1])


# ---- Sparse matrices ----------------------------------------------------------------------------


def sparse_table(dtype=np.float64):
    rng = np.random.default_rng(0)
    X = scipy.sparse.random(300, 20, 0.15, random_state=0, format="csr", dtype=dtype)
    X.data -= dtype(0.5)
    return X, (X[:, [0]].toarray().ravel() > 0) + rng.integers(2, size=300)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "csr_array"])
@pytest.mark.parametrize("kind", KINDS)
def test_sparse_against_dense_is_the_same(kind, form, dtype):
    X, y = sparse_table(dtype)
    dense = X.toarray()
    table = scipy.sparse.csr_array(X) if form == "csr_array" else X.asformat(form)
    expected = kind(random_state=0).fit(dense, y)
    model = kind(random_state=0).fit(table, y)
    assert bytes_of(model) == bytes_of(expected)
    np.testing.assert_array_equal(model.predict(table), expected.predict(dense))
    np.testing.assert_array_equal(model.apply(table), expected.apply(dense))
    assert (model.decision_path(table) != expected.decision_path(dense)).nnz == 0
    np.testing.assert_array_equal(
        model.cost_complexity_pruning_path(table, y).ccp_alphas,
        expected.cost_complexity_pruning_path(dense, y).ccp_alphas,
    )
    if issubclass(kind, DecisionTreeRegressor):
        np.testing.assert_array_equal(
            shap_values(model, table).values, shap_values(expected, dense).values
        )


def test_sparse_blocks_of_rows_are_all_rows_in_order(monkeypatch):
    X, _ = sparse_table()
    monkeypatch.setattr("nonet.trees.columns._BLOCK_NUMBERS", 20 * 7)
    blocks = predict_in_blocks(np.copy, X)  # the blocks share their memory
    assert [len(block) for block in blocks] == [7] * 42 + [6]
    np.testing.assert_array_equal(np.concatenate(blocks), X.toarray())


def test_sparse_entries_given_twice_are_summed():
    pieces = scipy.sparse.coo_matrix(([1.0, 2.0, 5.0], ([0, 0, 1], [0, 0, 0])), shape=(3, 1))
    dataset = BinnedDataset(pieces.tocsc())
    np.testing.assert_array_equal(dataset.edges(0), [1.5, 4.0])
    np.testing.assert_array_equal(dataset.bins(0), [1, 2, 0])


def test_sparse_missing_entries_learn_their_side():
    X, y = sparse_table()
    X.data[::3] = np.nan
    model = DecisionTreeClassifier().fit(X, y)
    assert bytes_of(model) == bytes_of(DecisionTreeClassifier().fit(X.toarray(), y))


@pytest.mark.parametrize("max_bins", [4, 255])
def test_sparse_dataset_against_dense_has_equal_bins(max_bins):
    X, _ = sparse_table()
    weights = np.random.default_rng(1).integers(3, size=300)
    for base in (None, weights):
        sparse = BinnedDataset(X, max_bins=max_bins, weights=base)
        dense = BinnedDataset(X.toarray(), max_bins=max_bins, weights=base)
        for column in range(X.shape[1]):
            np.testing.assert_array_equal(sparse.edges(column), dense.edges(column))
            np.testing.assert_array_equal(sparse.bins(column), dense.bins(column))
            assert sparse.has_missing(column) == dense.has_missing(column)


def test_sparse_dataset_rejects_entries_outside_the_matrix():
    X = scipy.sparse.csc_matrix(np.eye(3))
    X.indices[1] = 7
    with pytest.raises(ValueError, match="Entries of a sparse matrix must lie in its rows"):
        BinnedDataset(X)
