from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from nonet import StackingClassifier
from nonet.stacking.learned.class_by_class import ClassByClass


def members():
    return [("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(max_depth=3, random_state=0))]


def test_models_against_naive_read_their_own_class():
    X, y = load_wine(return_X_y=True)
    final = LinearRegression(positive=True)
    stack = StackingClassifier(members(), final, per_class=True).fit(X, y)
    probabilities = [cross_val_predict(m, X, y, method="predict_proba") for _, m in members()]
    for code, model in enumerate(stack.final_estimator_.models_):
        columns = np.column_stack([probability[:, code] for probability in probabilities])
        naive = LinearRegression(positive=True).fit(columns, y == code)
        np.testing.assert_allclose(model.coef_, naive.coef_)
    assert stack.score(X, y) > 0.9
    np.testing.assert_allclose(stack.predict_proba(X).sum(axis=1), 1)


def test_two_classes_have_two_models():
    X, y = load_wine(return_X_y=True)
    stack = StackingClassifier(members(), per_class=True).fit(X, y == 0)
    assert stack.transform(X).shape == (len(y), 4)
    assert len(stack.final_estimator_.models_) == 2


def test_columns_that_pass_through_reach_every_model():
    table = np.random.default_rng(0).random((30, 5))  # two members, two classes, one more column
    y = np.arange(30) % 2
    model = ClassByClass(LogisticRegression(), 2).fit(table, y)
    np.testing.assert_array_equal(model._columns_of(table, 1), table[:, [1, 3, 4]])
    thin = ClassByClass(LogisticRegression(), 2).fit(sparse.csr_array(table), y)
    np.testing.assert_allclose(
        thin.predict_proba(sparse.csr_array(table)), model.predict_proba(table), atol=1e-4
    )


def test_class_that_the_rows_lack_is_never_ruled_out():
    table, y = np.random.default_rng(0).random((30, 3)), np.arange(30) % 2
    model = ClassByClass(LogisticRegression(), 1, classes=[0, 1, 2]).fit(table, y)
    probabilities = model.predict_proba(table)
    assert (probabilities[:, 2] > 0).all()
    assert (probabilities[:, 2] < 1e-3).all()


def test_labels_as_codes_are_rejected():
    X, y = load_wine(return_X_y=True)
    with pytest.raises(ValueError, match="a column for each class, but member 'bayes'"):
        StackingClassifier(members(), per_class=True, stack_method="predict").fit(X, y)
