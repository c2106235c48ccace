"""Issue 18, item A.3: random ties in ensembles depend on the seed and on the row of X."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import chisquare
from sklearn.dummy import DummyClassifier

from nonet import BaggingClassifier, VotingClassifier
from nonet.decide import Abstain, Argmax

LABELS = np.array(["a", "b", "c"])
X = np.random.default_rng(0).integers(-3, 4, size=(3000, 5)).astype(float)
Y = np.resize(LABELS, len(X))


def tied_vote(decide):
    """Return an ensemble in which all classes have one vote on every row."""
    members = [(label, DummyClassifier(strategy="constant", constant=label)) for label in LABELS]
    return VotingClassifier(members, decide=decide).fit(X, Y)


@pytest.mark.parametrize("rule", [Argmax("random"), Abstain(0.2, tie="random", abstain_label="?")])
def test_tied_rows_spread_over_the_classes(rule):
    rows = np.unique(X, axis=0)
    counts = np.unique(tied_vote(rule).predict(rows), return_counts=True)[1]
    assert len(counts) == 3
    assert chisquare(counts).pvalue > 0.001


def test_equal_rows_tie_alike_and_a_subset_of_rows_ties_as_all_do():
    model = tied_vote(Argmax("random"))
    predictions = model.predict(X)
    _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    assert len(first) < len(X)
    np.testing.assert_array_equal(predictions, predictions[first][inverse.ravel()])
    rows = np.random.default_rng(1).permutation(len(X))[:200]
    np.testing.assert_array_equal(model.predict(X[rows]), predictions[rows])


def test_other_seed_other_classes():
    one, other = (tied_vote(Argmax("random", random_state=seed)).predict(X) for seed in (0, 1))
    assert 0.2 < np.mean(one == other) < 0.5


@pytest.mark.parametrize(
    "same",
    [
        np.where(X == 0, -0.0, X),
        X.astype(np.float32),
        X.astype(np.int8),
        X.astype(object),
        np.asfortranarray(X),
        csr_matrix(X),
        pd.DataFrame(X.astype(int)).astype({0: "Int64", 1: "float32"}),
        pl.DataFrame(X.astype(int)),
        X.tolist(),
    ],
    ids=[
        "negative_zero",
        "float32",
        "int8",
        "object",
        "fortran",
        "csr",
        "pandas",
        "polars",
        "list",
    ],
)
def test_ties_do_not_depend_on_the_kind_of_table(same):
    model = tied_vote(Argmax("random"))
    np.testing.assert_array_equal(model.predict(same), model.predict(X))


def test_rows_of_text_and_missing_values_tie_alike():
    names = np.array(["red", "green", None, "blue", np.nan], dtype=object)
    column = names[np.random.default_rng(2).integers(5, size=400)]
    colours = pd.Series(column, dtype=object)
    frame = pd.DataFrame({"colour": colours, "size": np.tile([1.0, np.nan, 3.0, 4.0], 100)})
    predictions = tied_vote(Argmax("random")).predict(frame)
    by_row = pd.Series(predictions).groupby([frame["colour"].map(repr), frame["size"].map(repr)])
    assert (by_row.nunique() == 1).all()
    assert by_row.ngroups == 20
    assert len(set(predictions)) == 3
    apart = tied_vote(Argmax("random")).predict(frame.iloc[::7])
    np.testing.assert_array_equal(apart, predictions[::7])


def test_strings_in_a_list_tie_by_their_words():
    docs = [f"text {number % 50}" for number in range(200)]
    predictions = tied_vote(Argmax("random")).predict(docs)
    np.testing.assert_array_equal(predictions, np.resize(predictions[:50], 200))
    assert len(set(predictions)) == 3


def test_bagging_ties_by_the_row_too():
    halves = [DummyClassifier(strategy="constant", constant=label) for label in LABELS]
    model = BaggingClassifier(halves, 3, decide=Argmax("random"), random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), tied_vote(Argmax("random")).predict(X))
