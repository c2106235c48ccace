"""Families of members: configurations of the portfolio become estimators that can be saved."""

from __future__ import annotations

import numpy as np
import pytest

import nonet
from nonet.auto.configuration import Configuration, read_portfolio
from nonet.auto.families import MemberFacts, make_member
from nonet.auto.fold_task import predict_rows

CATEGORICAL = np.array([False, False, False, True])
CASES = [(task, c) for task in ("classification", "regression") for c in read_portfolio(task)]

# Networks end before they converge.
QUIETLY = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def some_rows(task):
    """Give numbers with gaps, one of them with a long tail, and codes of categories."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    X[:, 1] = np.exp(X[:, 1])
    X[:, 3] = rng.integers(0, 4, 300)
    X[::7, 0] = np.nan
    y = np.nan_to_num(X[:, 0]) + X[:, 3] + 0.1 * X[:, 2]
    return X, (y > 1.5).astype(int) if task == "classification" else y


@QUIETLY
@pytest.mark.parametrize(
    ("task", "configuration"), CASES, ids=lambda case: getattr(case, "name", case)
)
def test_members_of_the_portfolio_predict_the_same_after_saving(task, configuration, tmp_path):
    X, y = some_rows(task)
    params = dict(configuration.params)
    if "n_estimators" in params:
        params["n_estimators"] = 5
    short = Configuration(configuration.name, configuration.family, params)
    model = make_member(short, MemberFacts(task, CATEGORICAL, seed=0)).fit(X, y)
    nonet.save(model, tmp_path / "member.nonet")
    predictions = predict_rows(model, X)
    assert np.isfinite(predictions).all()
    again = predict_rows(nonet.load(tmp_path / "member.nonet"), X)
    np.testing.assert_array_equal(again, predictions)


@pytest.mark.parametrize("family", ["linear", "neighbors", "network"])
def test_ranks_do_not_see_how_long_a_tail_is(family):
    X, _ = some_rows("regression")
    longer = X.copy()
    longer[:, 1] **= 3  # keeps the order
    facts = MemberFacts("regression", CATEGORICAL, seed=0)
    params = {"n_neighbors": 5, "hidden_layer_sizes": [4]}
    differences = []
    for by_rank in (False, True):
        configuration = Configuration("member", family, params | {"by_rank": by_rank})
        prepare = make_member(configuration, facts)[0]
        differences.append(abs(prepare.fit_transform(X) - prepare.fit_transform(longer)).max())
    assert differences[0] > 1 > 0.1 > differences[1]


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_splines_follow_a_curve_in_a_column_with_a_long_tail(task):
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    X = np.column_stack([np.exp(4 * x), rng.normal(size=400)])
    y = np.cos(2 * x)
    y = (y > 0).astype(int) if task == "classification" else y
    facts = MemberFacts(task, np.array([False, False]), seed=0)
    scores = [
        make_member(Configuration("line", "linear", {"n_knots": n_knots}), facts)
        .fit(X[:300], y[:300])
        .score(X[300:], y[300:])
        for n_knots in (0, 5)
    ]
    assert scores[1] > 0.8 > scores[0]
