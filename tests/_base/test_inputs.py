"""What is no table and no target is refused in one sentence (issue 18, net B and item A.20)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, random_array
from sklearn.base import ClassifierMixin, RegressorMixin

import nonet
from nonet._base.errors import one_sentence, show
from nonet._base.estimator import Estimator
from nonet._base.inputs import check_is_table, check_is_training_table, check_target
from nonet._base.number_tables import explain_refusal

X = np.arange(12.0).reshape(6, 2)


class Classifier(ClassifierMixin, Estimator):
    def fit(self, X, y, sample_weight=None):
        self.seen_ = X, y, sample_weight
        return self


class Regressor(RegressorMixin, Classifier):
    pass


@pytest.mark.parametrize(
    "table",
    [X, X.tolist(), csr_array(X), pd.DataFrame(X), X.astype(object), ["some", "strings"]],
    ids=lambda table: type(table).__name__,
)
def test_tables_are_taken(table):
    check_is_training_table(Classifier(), table)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (None, "X must be an array, a sparse matrix, a frame or a list of rows, but got None"),
        ("text", "but got 'text'"),
        (3.0, "but got 3.0"),
        ({"a": [1]}, "but got {'a': "),
        ((row for row in X), "but got <generator"),
        (np.float64(3), r"but got np.float64\(3.0\)"),
        (np.asmatrix(X), r"X is an np.matrix; np.asarray\(X\)"),
        (np.ma.masked_equal(X, 3), "X has masked values"),
        (np.zeros(3, dtype=[("a", float)]), "structured_to_unstructured"),
        (X + 1j, "Complex data not supported, but X has dtype complex128"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "different names, but 'a' is repeated"),
        (X[:, :0], r"Found array with 0 feature\(s\) \(shape=\(6, 0\)\)"),
        (pd.DataFrame(), r"Found array with 0 feature\(s\)"),
    ],
)
def test_what_is_no_table_is_refused(table, words):
    with pytest.raises((TypeError, ValueError), match=words):
        check_is_table(Classifier(), table)


@pytest.mark.parametrize("table", [X[:0], [], pd.DataFrame(columns=["a"])])
def test_nothing_can_be_learned_from_no_rows(table):
    with pytest.raises(ValueError, match=r"0 sample\(s\) .* is required by Classifier\.$"):
        check_is_training_table(Classifier(), table)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (3, "y must be an array or a list of targets, but got 3"),
        ("word", "but got 'word'"),
        ({0: 1}, "but got {0: 1}"),
        ([[1], [1, 2]], "the rows of y must be of one length"),
        (np.zeros((2, 1, 1)), r"y must have one dimension, .* but has shape \(2, 1, 1\)"),
        ([1, None], r"y is missing \(None\) in row 1"),
        (pd.Series(["a", pd.NA]), "y is missing .* in row 1"),
        (np.array([1, "a"], dtype=object), "targets of one type, but has int and str"),
        (np.array([1j, 2]), "Complex data not supported, but y"),
        (np.zeros(2, dtype=[("a", int)]), "y is an array of dtype"),
        (csr_array([[1], [0]]), "y is sparse, but must be dense"),
    ],
)
def test_what_is_no_target_is_refused(y, words):
    with pytest.raises((TypeError, ValueError), match=words):
        check_target(Classifier(), y)


@pytest.mark.parametrize("y", [["a", "b"], np.array(["1", "2"]), pd.to_datetime(["2020", "2021"])])
def test_targets_that_are_no_numbers_are_refused_in_regression(y):
    check_target(Classifier(), y)
    with pytest.raises(ValueError, match="^Regressor: y must be numbers, but holds"):
        check_target(Regressor(), y)


@pytest.mark.parametrize("values", [[1, 2], [True, False], [1.5, 2]])
def test_objects_that_are_numbers_become_numbers(values):
    found = check_target(Classifier(), np.array(values, dtype=object))
    assert found.dtype == np.array(values).dtype
    np.testing.assert_array_equal(found, values)


def test_every_fit_checks_what_it_is_given():
    with pytest.raises(TypeError, match="^Classifier: X must be an array"):
        Classifier().fit(None, [1, 2])
    with pytest.raises(ValueError, match="^Classifier: y is missing"):
        Classifier().fit(X[:2], [1, None])
    with pytest.raises(ValueError, match="sample_weight must be finite and at least 0"):
        Classifier().fit(X, range(6), sample_weight=-np.ones(6))
    np.testing.assert_array_equal(
        Classifier().fit(X, range(6), sample_weight=2).seen_[2], [2.0] * 6
    )


def test_unsupervised_fit_does_not_look_at_y():
    forest = nonet.IsolationForest(n_estimators=2, random_state=0)
    with_target = forest.fit(X, "no target").score_samples(X)
    np.testing.assert_array_equal(with_target, forest.fit(X).score_samples(X))


@pytest.mark.parametrize(
    "kind", [nonet.RandomForestClassifier, nonet.ExtraTreesRegressor, nonet.BoostedTreesClassifier]
)
def test_unknown_argument_of_fit_names_the_class_of_the_user(kind):
    """Issue 18, item A.20: Python names the parent that defines `fit`, such as `Forest.fit()`."""
    words = (
        rf"^{kind.__name__}.fit\(\) got an unexpected keyword argument 'weights'; "
        "(it takes X, y|did you mean 'sample_weight')"
    )
    with pytest.raises(TypeError, match=words):
        kind().fit(X, range(6), weights=1)


@pytest.mark.parametrize("table", [X[:, 0], X[:, :, np.newaxis]])
@pytest.mark.parametrize(
    "model",
    [
        nonet.RandomForestRegressor(),
        nonet.HistGradientBoostingRegressor(),
        nonet.DecisionTreeRegressor(categorical_features=[0]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_wrong_number_of_dimensions_is_one_sentence(model, table):
    """Issue 18, item A.20: "a table of 1 dimensions"."""
    words = rf"Expected 2D array, got {table.ndim}D array instead, of shape \(.*; Reshape your data"
    with pytest.raises(ValueError, match=words) as caught:
        model.fit(table, range(6))
    assert "\n" not in str(caught.value)


# ---- Sentences ---------------------------------------------------------------------------------


class WithoutRepr:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (np.arange(4).reshape(2, 2), "array([[0, 1], [2, 3]])"),
        ("a" * 100, f"'{'a' * 75} ..."),
        (WithoutRepr(), "an object of type WithoutRepr"),
    ],
)
def test_values_are_shown_on_one_short_line(value, text):
    assert show(value) == text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Input X contains NaN.\nSome model does not accept it.", "Input X contains NaN."),
        ("got 1D array instead:\narray=[1.].", "got 1D array instead."),
        ("it failed", "it failed."),
    ],
)
def test_messages_of_others_become_one_sentence(text, sentence):
    assert one_sentence(text) == sentence


@pytest.mark.parametrize(
    ("table", "why", "words"),
    [
        ([[1.0], [1.0, 2.0]], "setting an array element", "row 0 has 1 values and row 1 has 2"),
        (np.array([[{}, 1]]), "float() argument", "column 0 of X holds the value {}"),
        (np.array([[1, 10**400]]), "too large to convert", "column 1 of X holds the value 1000"),
        (X, "Input X contains NaN.\nAnd so on.", "SimpleImputer"),
        (X, "One\nTwo", "^One.$"),
    ],
)
def test_refusals_are_explained(table, why, words):
    explained = str(explain_refusal(ValueError(why), None, table))
    assert "\n" not in explained
    with pytest.raises(ValueError, match=words):
        raise ValueError(explained)


def damaged(kind, fault):
    table = random_array((300, 20), density=0.2, format=kind, rng=np.random.default_rng(0))
    if fault == "entries":
        table.indptr[-1] += 100
    elif fault == "order":
        table.indptr[5] = table.indptr[7] + 3
    else:
        table.indices[0] = fault
    return table


@pytest.mark.parametrize("fault", [-5, 1000, 10**6, "entries", "order"])
@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("model", [nonet.BoostedTreesClassifier, nonet.RandomForestClassifier])
def test_damaged_sparse_matrices_are_refused_in_fit_and_predict(model, kind, fault):
    y = np.arange(300) % 2
    broken = damaged(kind, fault)
    with pytest.raises(ValueError, match="X is a damaged sparse matrix"):
        model(n_estimators=3).fit(broken, y)
    whole = random_array((300, 20), density=0.2, format=kind, rng=np.random.default_rng(1))
    fitted = model(n_estimators=3).fit(whole, y)
    with pytest.raises(ValueError, match="X is a damaged sparse matrix"):
        fitted.predict(broken)
