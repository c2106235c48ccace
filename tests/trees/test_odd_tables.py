"""Odd tables to boosters and forests: a right model, or one sentence that names the column."""

import datetime
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import nonet
from trees.sparse_forms import SPARSE

N_ROWS = 120
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N_ROWS, 6)) * (RNG.random((N_ROWS, 6)) < 0.5)
Y = (X[:, 0] + X[:, 1] > 0).astype(int)

FORESTS = [
    getattr(nonet, name + kind)
    for name in ("RandomForest", "ExtraTrees")
    for kind in ("Classifier", "Regressor")
]
BOOSTED_TREES = [nonet.BoostedTreesClassifier, nonet.BoostedTreesRegressor]
HISTOGRAMS = [nonet.HistGradientBoostingClassifier, nonet.HistGradientBoostingRegressor]
ALL = [*FORESTS, *BOOSTED_TREES, *HISTOGRAMS]


def make(kind):
    size = "max_iter" if kind in HISTOGRAMS else "n_estimators"
    return kind(**{size: 5}, random_state=0)


def outputs(model, table):
    return getattr(model, "predict_proba", model.predict)(table)


# ---- Sparse matrices -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*FORESTS, *BOOSTED_TREES])
@pytest.mark.parametrize(("change", "form"), SPARSE)
@pytest.mark.parametrize("missing", [False, True])
def test_odd_sparse_matrices_give_the_model_of_the_dense_table(kind, change, form, missing):
    table = X.copy()
    if missing:
        table[[3, 5, 7], [0, 2, 2]] = np.nan
    given = change(table, form)
    before = given.data.copy(), given.copy().toarray()
    expected = outputs(make(kind).fit(table, Y), table)
    assert np.array_equal(outputs(make(kind).fit(given, Y), given), expected)
    assert np.array_equal(given.data, before[0], equal_nan=True)  # the user's matrix stays
    assert np.array_equal(given.toarray(), before[1], equal_nan=True)


@pytest.mark.parametrize("kind", HISTOGRAMS)
def test_rejects_sparse_matrices_as_sklearn_does(kind):
    with pytest.raises(TypeError, match="dense data is required"):
        make(kind).fit(sparse.csr_array(X), Y)


@pytest.mark.parametrize("kind", FORESTS)
def test_rejects_infinity_in_sparse_matrices(kind):
    table = X.copy()
    table[3, 0] = np.inf
    with pytest.raises(ValueError, match=r"(?i)infinity"):
        make(kind).fit(sparse.csr_array(table), Y)


# ---- Frames --------------------------------------------------------------------------------------

NAMES = list("aacdef")
REPEATED = {
    "pandas": pd.DataFrame(X, columns=NAMES),
    "pandas with categories": pd.DataFrame(X, columns=NAMES).assign(
        g=pd.Categorical(["x", "y"] * (N_ROWS // 2))
    ),
    "Arrow": pa.table([pa.array(column) for column in X.T], names=NAMES),
}


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("form", REPEATED)
def test_rejects_two_columns_of_one_name(kind, form):
    with pytest.raises(ValueError, match=r"must have different names, but 'a' is repeated\.$"):
        make(kind).fit(REPEATED[form], Y)


@pytest.mark.parametrize("kind", ALL)
def test_rejects_two_columns_of_one_name_at_predict(kind):
    model = make(kind).fit(pd.DataFrame(X, columns=list("abcdef")), Y)
    with pytest.raises(ValueError, match="'a'|feature names"):
        outputs(model, REPEATED["pandas"])


def repeat(value, dtype=None):
    return pa.array([value] * N_ROWS, dtype)


UNION = pa.UnionArray.from_dense(
    repeat(0, pa.int8()), pa.array(range(N_ROWS), pa.int32()), [repeat(1.5)]
)
REFUSED = {
    "date": repeat(datetime.date(2020, 1, 1)),
    "timestamp": repeat(datetime.datetime(2020, 1, 1)),
    "time": repeat(datetime.time(1)),
    "duration": repeat(datetime.timedelta(1)),
    "interval": repeat(pa.MonthDayNano([1, 2, 3])),
    "list": repeat([1]),
    "list view": repeat([1], pa.list_view(pa.int8())),
    "struct": repeat({"a": 1}),
    "map": repeat([(1, 2)], pa.map_(pa.int8(), pa.int8())),
    "binary": repeat(b"x"),
    "binary view": repeat(b"x", pa.binary_view()),
    "binary of one size": repeat(b"x", pa.binary(1)),
    "union": UNION,
}
VALUES = np.arange(N_ROWS) % 7
TAKEN = {
    "half": pa.array(VALUES.astype(np.float16)),
    "unsigned": pa.array(VALUES, pa.uint64()),
    "decimal": pa.array([decimal.Decimal(int(value)) for value in VALUES]),
    "wide decimal": pa.array([decimal.Decimal(int(value)) for value in VALUES], pa.decimal256(40)),
    "chunks": pa.chunked_array([VALUES[:50], VALUES[50:50], VALUES[50:]]),
}


def arrow_table(column):
    return pa.table({"a": X[:, 0], "odd": column, "c": X[:, 2]})


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", REFUSED)
def test_rejects_arrow_types_without_numbers(kind, name):
    with pytest.raises((ValueError, TypeError), match=r"column 'odd' of X .*\.$") as caught:
        make(kind).fit(arrow_table(REFUSED[name]), Y)
    assert "\n" not in str(caught.value)
    assert type(caught.value) in (ValueError, TypeError)  # not one of Arrow's own


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", TAKEN)
def test_arrow_types_of_numbers_give_the_model_of_floats(kind, name):
    table, floats = arrow_table(TAKEN[name]), arrow_table(pa.array(VALUES.astype(float)))
    expected = outputs(make(kind).fit(floats, Y), floats)
    assert np.array_equal(outputs(make(kind).fit(table, Y), table), expected)


STRINGS = np.array(["red", "green", "a colour of a longer name"])[np.arange(N_ROWS) % 3]
STRING_TYPES = {
    "string": pa.string(),
    "large string": pa.large_string(),
    "string view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int8(), pa.string()),
}


@pytest.mark.parametrize("kind", ALL)
def test_all_types_of_strings_give_one_model(kind):
    codes = np.unique(STRINGS, return_inverse=True)[1]
    coded = make(kind).set_params(categorical_features=[1])
    table = np.column_stack([X[:, 0], codes, X[:, 2]])
    expected = outputs(coded.fit(table, Y), table)
    frames = [arrow_table(pa.array(STRINGS.tolist(), dtype)) for dtype in STRING_TYPES.values()]
    whole = arrow_table(pa.array(STRINGS.tolist()))
    halves = [whole.slice(start, N_ROWS // 2) for start in (0, 60)]
    frames += [pl.from_arrow(frames[0]), frames[0].to_pandas(), pa.concat_tables(halves)]
    for frame in frames:
        assert np.array_equal(outputs(make(kind).fit(frame, Y), frame), expected)


POLARS_REFUSED = {
    "list": [[1]] * N_ROWS,
    "struct": [{"a": 1}] * N_ROWS,
    "date": [datetime.date(2020, 1, 1)] * N_ROWS,
    "binary": [b"x"] * N_ROWS,
}


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", POLARS_REFUSED)
def test_rejects_polars_types_without_numbers(kind, name):
    frame = pl.DataFrame({"a": X[:, 0], "odd": POLARS_REFUSED[name]})
    with pytest.raises((ValueError, TypeError), match=r"column 'odd' of X .*\.$") as caught:
        make(kind).fit(frame, Y)
    assert type(caught.value) in (ValueError, TypeError)
