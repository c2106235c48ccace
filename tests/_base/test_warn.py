"""Warnings name the user's line, however deep in the library they arise."""

from __future__ import annotations

import pytest

from nonet import DecisionTreeRegressor, GradientBoostingRegressor, IsolationForest

X = [[0.0], [1.0], [2.0], [3.0]]
y = [0.0, 1.0, 1.0, 3.0]


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor(criterion="friedman_mse"),
        GradientBoostingRegressor(n_estimators=2, criterion="squared_error"),
        IsolationForest(n_estimators=2, max_samples=10),
    ],
    ids=lambda model: type(model).__name__,
)
def test_warning_of_fit_names_the_line_that_called_fit(model):
    with pytest.warns() as caught:
        model.fit(X, y)
    assert {warning.filename for warning in caught} == {__file__}
