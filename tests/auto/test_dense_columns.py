"""Tests of the columns of linear models, neighbors and networks, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, QuantileTransformer, StandardScaler

from nonet.auto.dense_columns import DenseColumns

N_ROWS = 300


def _sklearn(is_category, numbers, max_levels):
    one_hot = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=max_levels, sparse_output=False
    )
    impute = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
    return ColumnTransformer(
        [
            ("numbers", make_pipeline(impute, numbers), np.flatnonzero(~is_category)),
            ("categories", one_hot, np.flatnonzero(is_category)),
        ]
    )


def _table(seed, is_category, holes):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, len(is_category)))
    for position in np.flatnonzero(is_category):
        X[:, position] = rng.poisson(2.0 + 10 * position, size=N_ROWS)
    X[rng.random(X.shape) < holes] = np.nan
    return X


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("max_levels", [3, 8, 50])
@pytest.mark.parametrize(
    "is_category", [[False, True, False, True], [True, True], [False, False, False]]
)
def test_dense_columns_equal_sklearn_columns(seed, holes, max_levels, is_category):
    is_category = np.array(is_category)
    numbers = QuantileTransformer(n_quantiles=20) if seed % 2 else StandardScaler()
    X, unseen = _table(seed, is_category, holes), _table(seed + 100, is_category, 0.2)
    unseen[:5] = 1000.0  # unknown codes
    if seed == 3 and not is_category.all():
        X[:, np.flatnonzero(~is_category)[0]] = np.nan
    own = DenseColumns(is_category.tolist(), numbers, max_levels).fit(X)
    peer = _sklearn(is_category, numbers, max_levels).fit(X)
    np.testing.assert_array_equal(own.transform(X), peer.transform(X))
    np.testing.assert_array_equal(own.transform(unseen), peer.transform(unseen))
