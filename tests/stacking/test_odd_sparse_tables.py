"""Odd sparse tables to ledgers, stacks and other combinations: the result of dense tables."""

from __future__ import annotations

import numpy as np
import pytest

import nonet
from trees.sparse_forms import SPARSE

RNG = np.random.default_rng(0)
# Fewer values than bins, so that edges found on folds are those of all rows.
X = RNG.integers(1, 9, size=(150, 6)) * (RNG.random((150, 6)) < 0.5).astype(float)
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=150) > 0).astype(int)
MEMBERS = [
    ("boosted", nonet.BoostedTreesClassifier(n_estimators=4, random_state=0)),
    ("forest", nonet.RandomForestClassifier(4, random_state=0)),
]


def fitted(model):
    return lambda table: model.fit(table, Y).predict_proba(table)


WORK = {
    "ledger": lambda table: nonet.make_ledger(MEMBERS, table, Y, cv=3).outputs,
    "stack": fitted(nonet.StackingClassifier(MEMBERS, cv=3)),
    "stack that reads X": fitted(
        nonet.StackingClassifier(MEMBERS, MEMBERS[1][1], cv=3, passthrough=True)
    ),
    "blend": fitted(nonet.BlendingClassifier(MEMBERS, random_state=0)),
    "vote": fitted(nonet.VotingClassifier(MEMBERS, voting="soft")),
    "bag": fitted(nonet.BaggingClassifier(MEMBERS[0][1], n_estimators=3, random_state=0)),
    "honest score": lambda table: (
        nonet.honest_score(nonet.VotingClassifier(MEMBERS, voting="soft"), table, Y, cv=3).score
    ),
}


@pytest.mark.parametrize(("change", "form"), SPARSE)
@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("missing", [False, True])
def test_odd_sparse_tables_give_the_result_of_dense_ones(work, change, form, missing):
    table = X.copy()
    if missing:
        table[[3, 5, 7], [0, 2, 2]] = np.nan
    given = change(table, form)
    before = given.data.copy()
    np.testing.assert_array_equal(WORK[work](given), WORK[work](table))
    np.testing.assert_array_equal(given.data, before)
