"""Rows of tables for models that were fitted in Python."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nonet
from nonet.cli.model_rows import rows_for
from nonet.tables.as_table import as_table


@pytest.mark.parametrize("kind", [nonet.BoostedTreesClassifier, nonet.RandomForestClassifier])
def test_categories_that_are_digits_stay_words(kind):
    rng = np.random.default_rng(0)
    codes, size = rng.integers(1, 4, 200), rng.normal(size=200)
    frame = pd.DataFrame({"floor": pd.Categorical(codes.astype(str)), "size": size})
    model = kind(n_estimators=5, categorical_features="from_dtype", random_state=0)
    model.fit(frame, (codes == 2) | (size > 1))
    for column in (codes, codes.astype(float), codes.astype(str)):
        rows = rows_for(model, as_table({"size": size, "floor": column}))
        assert np.array_equal(model.predict_proba(rows), model.predict_proba(frame))
