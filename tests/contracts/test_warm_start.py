"""Issue 17, item 9: a fit that goes on from an earlier one keeps its columns and categories.

Trees of other columns beside the old ones made predictions leave their memory.
"""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier

from contracts.public import estimator_classes

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.integers(0, 4, size=80), RNG.normal(size=(80, 3))]).astype(float)
Y = (X[:, 0] + X[:, 1] > 1).astype(int)

KINDS = [kind for kind in estimator_classes() if "warm_start" in inspect.signature(kind).parameters]
WITH_CATEGORIES = [
    kind for kind in KINDS if "categorical_features" in inspect.signature(kind).parameters
]


def size_of(kind):
    return "max_iter" if "max_iter" in inspect.signature(kind).parameters else "n_estimators"


def fitted(kind, table=X, **params):
    return kind(**{size_of(kind): 2, "warm_start": True, **params}).fit(table, Y)


def test_there_are_kinds_to_look_at():
    assert len(KINDS) >= 16
    assert len(WITH_CATEGORIES) >= 8


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_columns", [3, 5])
def test_warm_start_rejects_another_number_of_columns(kind, n_columns):
    model = fitted(kind).set_params(**{size_of(kind): 4})
    other = np.column_stack([X, X])[:, :n_columns]
    message = f"goes on from an earlier fit with 4 columns, but X has {n_columns} columns now"
    with pytest.raises(ValueError, match=message):
        model.fit(other, Y)


@pytest.mark.parametrize("kind", KINDS)
def test_warm_start_rejects_columns_of_other_names(kind):
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = fitted(kind, frame).set_params(**{size_of(kind): 4})
    with pytest.raises(ValueError, match="goes on from an earlier fit with the columns"):
        model.fit(frame[list("bacd")], Y)


@pytest.mark.parametrize("kind", WITH_CATEGORIES)
@pytest.mark.parametrize(("before", "now"), [([0], None), (None, [0]), ([0], [0, 1])])
def test_warm_start_rejects_other_columns_of_categories(kind, before, now):
    coded = np.column_stack([X[:, 0], X[:, 0], X[:, 2:]])
    model = fitted(kind, coded, categorical_features=before)
    model.set_params(**{size_of(kind): 4, "categorical_features": now})
    with pytest.raises(ValueError, match="goes on from an earlier fit with categories in the"):
        model.fit(coded, Y)


@pytest.mark.parametrize("kind", WITH_CATEGORIES)
def test_warm_start_rejects_new_categories(kind):
    model = fitted(kind, categorical_features=[0]).set_params(**{size_of(kind): 4})
    other = X.copy()
    other[3, 0] = 7
    with pytest.raises(ValueError, match="column 0 has the category 7.0 now"):
        model.fit(other, Y)


@pytest.mark.parametrize("kind", WITH_CATEGORIES)
def test_codes_of_categories_stay_when_some_are_not_there_any_more(kind):
    model = fitted(kind, categorical_features=[0], random_state=0)
    model.set_params(**{size_of(kind): 4})
    some = X[:, 0] != 1
    model.fit(X[some], Y[some])
    codes = vars(model).get("_category_codes", vars(model).get("_codes"))
    np.testing.assert_array_equal(codes.known[0], [0, 1, 2, 3])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if is_classifier(kind())])
def test_warm_start_rejects_other_labels(kind):
    model = fitted(kind).set_params(**{size_of(kind): 4})
    with pytest.raises(ValueError, match="class"):
        model.fit(X, Y + 5)


def test_packed_predictions_after_changed_categories_are_refused_in_fit():
    """The case of the issue: predict on many rows was a segmentation fault."""
    kind = next(kind for kind in KINDS if kind.__name__ == "HistGradientBoostingRegressor")
    table = np.tile(X, (400, 1))
    target = np.tile(Y, 400)
    model = kind(categorical_features=[0], warm_start=True, max_iter=2, max_leaf_nodes=100)
    model.fit(table, target)
    with pytest.raises(ValueError, match="without warm_start"):
        model.set_params(max_iter=4, categorical_features=None).fit(table, target)
