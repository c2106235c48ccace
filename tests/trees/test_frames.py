"""Frames of pandas, polars and Arrow give the bits of the array; what they cannot hold is refused.

Issue 23: columns are read in bulk, and known names are checked quickly.
"""

from __future__ import annotations

import datetime
import decimal
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone, is_classifier

import nonet
from nonet._base import frame_columns
from nonet._base.frame_columns import open_frame
from nonet._base.frames import as_frame

N_ROWS = 1500  # more than any reader looks up one by one
RNG = np.random.default_rng(23)
CODES = RNG.integers(0, [3, 70], size=(N_ROWS, 2)).astype(float)
CODES[RNG.random((N_ROWS, 2)) < 0.05] = np.nan
NUMBERS = RNG.normal(size=(N_ROWS, 2))
NUMBERS[RNG.random((N_ROWS, 2)) < 0.05] = np.nan
WHOLE = RNG.integers(-5, 100, N_ROWS)
ARRAY = np.column_stack([NUMBERS, WHOLE, CODES])
Y = (np.nan_to_num(NUMBERS[:, 0]) + np.nan_to_num(CODES[:, 0]) + RNG.normal(size=N_ROWS) > 1) * 1
NAMES = ["height", "weight", "year", "size", "city"]
MODELS = [
    nonet.DecisionTreeClassifier(max_depth=5, random_state=0),
    nonet.RandomForestClassifier(10, random_state=0),
    nonet.ExtraTreesRegressor(10, max_depth=6, random_state=0),
    nonet.HistGradientBoostingClassifier(max_iter=10),
    nonet.HistGradientBoostingRegressor(max_iter=10),
    nonet.BoostedTreesClassifier(n_estimators=10),
    nonet.BoostedTreesRegressor(n_estimators=10, num_leaves=70),
]
NUMERIC_MODELS = [
    *MODELS,
    nonet.GradientBoostingClassifier(n_estimators=3),
    nonet.IsolationForest(n_estimators=5, random_state=0),
]


class OfferedStream:
    """A table of an unknown library: all that is known of it is Arrow's stream of capsules."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OfferedArray:
    """The same with a single batch."""

    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


# ---- The same data in many forms ----------------------------------------------------------------


def text_of(codes):
    """Return names whose order is that of the codes, None where a code is missing."""
    return [None if np.isnan(code) else f"level {int(code):02}" for code in codes]


def pandas_frame(X, dtype):
    frame = pd.DataFrame(X[:, :3], columns=NAMES[:3]).astype({"year": "int64"})
    for j, name in enumerate(NAMES[3:]):
        frame[name] = pd.Series(text_of(X[:, 3 + j]), dtype=dtype)
    return frame


def nullable_frame(X):
    dtypes = {"height": "Float64", "weight": "double[pyarrow]", "year": "Int64"}
    return pandas_frame(X, "string").astype(dtypes)


def other_order(X):
    """Return categories in another order than that of their names, some of which no row has."""
    levels = [*(f"level {i:02}" for i in range(69, -1, -1)), "nowhere"]
    return pandas_frame(X, pd.CategoricalDtype(levels))


def polars_frame(X, dtype):
    frame = pl.DataFrame({name: pandas_frame(X, object)[name].tolist() for name in NAMES})
    filled = [pl.col(name).fill_nan(None) for name in NAMES[:2]]  # null is missing as NaN is
    return frame.with_columns(filled).cast(dict.fromkeys(NAMES[3:], dtype))


def arrow_table(X, dtype=None):
    table = pa.table(
        {
            **{name: pa.array(X[:, j], from_pandas=True) for j, name in enumerate(NAMES[:2])},
            "year": pa.array(X[:, 2].astype(np.int32)),
            **{
                name: pa.array(text_of(X[:, 3 + j]), pa.string())
                for j, name in enumerate(NAMES[3:])
            },
        }
    )
    if dtype is None:
        return table
    for j in (3, 4):
        table = table.set_column(j, NAMES[j], table[j].cast(dtype))
    return table


def chunked_table(X):
    """Return chunks that have dictionaries of their own, and values in several chunks."""
    half = len(X) // 2
    tables = [arrow_table(part) for part in (X[:half], X[half:])]
    coded = [
        table.set_column(3, "size", table["size"].dictionary_encode()).set_column(
            4, "city", table["city"].dictionary_encode()
        )
        for table in tables
    ]
    return pa.concat_tables(coded)


ENUM = [f"level {i:02}" for i in range(70)]
FORMS = {
    "pandas, objects": lambda X: pandas_frame(X, object),
    "pandas, strings": lambda X: pandas_frame(X, "str"),
    "pandas, categories": lambda X: pandas_frame(X, "category"),
    "pandas, categories in another order": other_order,
    "pandas, Arrow strings": lambda X: pandas_frame(X, pd.ArrowDtype(pa.string())),
    "pandas, Arrow dictionary": lambda X: pandas_frame(
        X, pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
    "pandas, nullable": nullable_frame,
    "polars, strings": lambda X: polars_frame(X, pl.String),
    "polars, categories": lambda X: polars_frame(X, pl.Categorical),
    "polars, enum": lambda X: polars_frame(X, pl.Enum(ENUM)),
    "Arrow": arrow_table,
    "Arrow, large strings": lambda X: arrow_table(X, pa.large_string()),
    "Arrow, string views": lambda X: arrow_table(X, pa.string_view()),
    "Arrow, dictionaries by chunk": chunked_table,
    "Arrow, batch": lambda X: arrow_table(X).combine_chunks().to_batches()[0],
    "a stream of capsules": lambda X: OfferedStream(chunked_table(X)),
    "an array of capsules": lambda X: OfferedArray(arrow_table(X).combine_chunks().to_batches()[0]),
    "capsules of polars": lambda X: OfferedStream(polars_frame(X, pl.String)),
}


def outputs_of(model, table):
    return model.predict_proba(table) if is_classifier(model) else model.predict(table)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_all_forms_of_a_table_give_the_bits_of_the_array(model):
    of_array = clone(model).set_params(categorical_features=[3, 4]).fit(ARRAY, Y)
    expected = outputs_of(of_array, ARRAY)
    assert len(np.unique(expected)) > 10
    for name, make in FORMS.items():
        fitted = clone(model).fit(make(ARRAY), Y)
        found = outputs_of(fitted, make(ARRAY))
        np.testing.assert_array_equal(found, expected, err_msg=name)
        for rows in (slice(0, 1), slice(3, 8), slice(0, 400)):  # few are looked up otherwise
            some = outputs_of(fitted, make(ARRAY[rows]))
            np.testing.assert_array_equal(some, expected[rows], err_msg=name)


def test_a_model_predicts_any_form_whatever_it_was_fitted_on():
    model = nonet.HistGradientBoostingClassifier(max_iter=10).fit(FORMS["Arrow"](ARRAY), Y)
    expected = model.predict_proba(FORMS["Arrow"](ARRAY))
    for name, make in FORMS.items():
        np.testing.assert_array_equal(model.predict_proba(make(ARRAY)), expected, err_msg=name)


NUMERIC_FORMS = {
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES[:3]),
    "pandas, mixed": lambda X: pd.DataFrame(X, columns=NAMES[:3]).astype({"year": "int16"}),
    "pandas, nullable": lambda X: pd.DataFrame(X, columns=NAMES[:3]).astype(
        {"height": "Float64", "weight": "double[pyarrow]", "year": "UInt8"}
    ),
    "polars": lambda X: pl.DataFrame(X.copy(), schema=NAMES[:3]),
    "Arrow": lambda X: pa.table({name: X[:, j] for j, name in enumerate(NAMES[:3])}),
    "capsules": lambda X: OfferedStream(pl.DataFrame(X.copy(), schema=NAMES[:3])),
}


@pytest.mark.parametrize("model", NUMERIC_MODELS, ids=lambda model: type(model).__name__)
def test_numeric_forms_give_the_bits_of_the_array(model):
    X = np.column_stack([NUMBERS, WHOLE + 5])
    expected = outputs_of(clone(model).fit(X, Y), X)
    for name, make in NUMERIC_FORMS.items():
        fitted = clone(model).fit(make(X), Y)
        np.testing.assert_array_equal(outputs_of(fitted, make(X)), expected, err_msg=name)
        np.testing.assert_array_equal(outputs_of(fitted, make(X[:1])), expected[:1], err_msg=name)


def test_single_precision_stays_single_in_every_form():
    X = NUMBERS.astype(np.float32)
    model = nonet.RandomForestRegressor(5, random_state=0)
    expected = model.fit(X, Y).predict(X)
    frames = [
        pd.DataFrame(X, columns=["a", "b"]),
        pl.DataFrame(X.copy(), schema=["a", "b"]),
        pa.table({"a": X[:, 0], "b": X[:, 1]}),
    ]
    for frame in frames:
        np.testing.assert_array_equal(model.fit(frame, Y).predict(frame), expected)
        assert model._check_rows(frame).dtype == np.float32


# ---- No copies, no imports ----------------------------------------------------------------------


def test_numbers_are_read_where_they_lie():
    values = np.arange(5.0)
    frames = [pd.DataFrame({"a": values}), pl.DataFrame({"a": values}), pa.table({"a": values})]
    for frame in frames:
        first, again = open_frame(frame).numbers(0), open_frame(frame).numbers(0)
        assert np.shares_memory(first, again), type(frame)
    together = pd.DataFrame(np.ones((4, 3)))
    assert np.shares_memory(open_frame(together).matrix(), together.to_numpy())


def test_columns_of_pandas_without_its_private_function(monkeypatch):
    frame = pandas_frame(ARRAY, "str").assign(flag=pd.Series([None, True, "x"] * 500, dtype=object))
    quick = frame_columns._pandas_columns(frame)
    monkeypatch.delattr(pd.DataFrame, "_get_column_array")
    for one, other in zip(quick, frame_columns._pandas_columns(frame), strict=True):
        assert type(one) is type(other)
        pd.testing.assert_series_equal(pd.Series(one), pd.Series(other))


def run_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_polars_is_not_imported_for_other_tables():
    code = (
        "import sys, pandas as pd, nonet\n"
        "frame = pd.DataFrame({'x': range(40), 'city': ['a', 'b'] * 20})\n"
        "for X in (frame, frame[['x']].to_numpy()):\n"
        "    nonet.RandomForestClassifier(2).fit(X, frame['x'] > 20).predict(X)\n"
        "print('polars' in sys.modules)"
    )
    assert run_python(code) == "False"


def test_frames_of_pandas_and_polars_need_no_pyarrow():
    code = (
        "import sys\n"
        "class NoArrow:\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name.startswith('pyarrow'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, NoArrow)\n"
        "import pandas as pd, polars as pl, nonet\n"
        "columns = {'x': [*range(39), None], 'city': ['a', 'b', 'c', None] * 500}\n"
        "columns['x'] = columns['x'] * 50\n"
        "y = [city == 'b' for city in columns['city']]\n"
        "for X in (pd.DataFrame(columns), pl.DataFrame(columns)):\n"
        "    model = nonet.HistGradientBoostingClassifier(max_iter=20).fit(X, y)\n"
        "    print(model.score(X, y), model.predict(X[:2]).tolist())"
    )
    assert run_python(code).splitlines() == ["1.0 [False, True]"] * 2


def test_capsules_without_pyarrow_name_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TypeError, match="OfferedStream, .* needs pyarrow: pip install pyarrow"):
        as_frame(OfferedStream(None))


def test_capsules_that_are_no_table_are_refused():
    column = OfferedStream(pa.chunked_array([NUMBERS[:, 0]]))
    with pytest.raises(TypeError, match="OfferedStream, which offers no table of columns"):
        nonet.RandomForestClassifier(2).fit(column, Y)


# ---- Bad tables in fit --------------------------------------------------------------------------


def beside_numbers(column):
    return pa.table({"x": NUMBERS[:4, 0], "odd": column})


def dictionary(values):
    return pa.DictionaryArray.from_arrays(pa.array([0, 1, 1, 0]), values)


ODD_COLUMNS = {
    "lists": (
        pa.array([[1]] * 4),
        r"column 'odd' of X holds the value .*1.* in one cell .*, so give each part a column\.$",
    ),
    "structs": (pa.array([{"a": 1}] * 4), "column 'odd' of X holds the value"),
    "maps": (
        pa.array([[("a", 1)]] * 4, pa.map_(pa.string(), pa.int64())),
        "column 'odd' of X holds the value",
    ),
    "bytes": (pa.array([b"a", b"b"] * 2), "column 'odd' of X holds the string"),
    "dates": (pa.array([datetime.date(2020, 1, 1)] * 4), "holds dates or times"),
    "moments": (pa.array([datetime.datetime(2020, 1, 1)] * 4), "holds dates or times"),
    "durations": (pa.array([datetime.timedelta(1)] * 4), "holds dates or times"),
    "times": (pa.array([datetime.time(1)] * 4), "holds dates or times"),
    "a dictionary of lists": (
        dictionary(pa.array([[1], [2]])),
        r"Category column 'odd' holds \[1\], but a category argument .* give each part of it",
    ),
    "a dictionary with infinity": (
        dictionary(pa.array([1.0, np.inf])),
        "Category column 'odd' contains infinity",
    ),
}


@pytest.mark.parametrize("kind", [nonet.RandomForestClassifier, nonet.BoostedTreesClassifier])
@pytest.mark.parametrize("name", ODD_COLUMNS)
def test_types_that_are_neither_numbers_nor_categories_are_named(kind, name):
    column, sentence = ODD_COLUMNS[name]
    for table in (beside_numbers(column), OfferedStream(beside_numbers(column))):
        with pytest.raises((ValueError, TypeError), match=sentence):
            kind(n_estimators=2).fit(table, [0, 1, 0, 1])


def test_structs_of_polars_are_named():
    frame = pl.DataFrame({"x": [1.0, 2.0], "odd": [{"a": 1}, {"a": 2}]})
    with pytest.raises(ValueError, match="column 'odd' of X holds the value"):
        nonet.RandomForestClassifier(2).fit(frame, [0, 1])


@pytest.mark.parametrize(
    "table",
    [
        pa.table([NUMBERS[:4, 0]] * 2, names=["a", "a"]),
        pd.DataFrame(NUMBERS[:4], columns=["a", "a"]),
        OfferedStream(pa.table([NUMBERS[:4, 0]] * 2, names=["a", "a"])),
    ],
)
def test_two_columns_of_one_name_are_refused(table):
    with pytest.raises(ValueError, match="must have different names, but 'a' is repeated"):
        nonet.HistGradientBoostingClassifier().fit(table, [0, 1, 0, 1])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_tables_without_rows_or_columns_are_refused(make):
    model = nonet.HistGradientBoostingClassifier()
    with pytest.raises(ValueError, match="Found array with 0"):
        model.fit(make({}), [])
    with pytest.raises(ValueError, match="Found array with 0"):
        model.fit(make({"a": [1.0]})[:0], [])
    model.fit(make({"a": [1.0, 2.0] * 20}), [0, 1] * 20)
    with pytest.raises(ValueError, match="Found array with 0"):
        model.predict(make({"a": [1.0]})[:0])


@pytest.mark.parametrize("dtype", [pa.null(), pa.string(), pa.int32(), pa.float64(), pa.bool_()])
def test_a_column_without_values_is_refused_by_forests_and_ignored_by_boosters(dtype):
    table = pa.table({"x": NUMBERS[:40, 0], "none": pa.array([None] * 40, dtype)})
    with pytest.raises(ValueError, match="column 'none' of X is missing in every row"):
        nonet.RandomForestClassifier(2).fit(table, Y[:40])
    model = nonet.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3)
    found = model.fit(table, Y[:40]).predict_proba(table)
    alone = table.select(["x"])
    np.testing.assert_array_equal(found, model.fit(alone, Y[:40]).predict_proba(alone))


COLUMNS_OF_NUMBERS = {
    "booleans": ([True, False, None, True] * 10, pa.bool_()),
    "whole numbers": ([1, 5, None, 2] * 10, pa.uint8()),
    "decimals": ([decimal.Decimal("0.5"), decimal.Decimal("2.25"), None, None] * 10, None),
    "halves": (np.array([0.5, 2.0, np.nan, 3.0] * 10, dtype=np.float16), pa.float16()),
}


@pytest.mark.parametrize("name", COLUMNS_OF_NUMBERS)
def test_numbers_of_odd_types_with_gaps_are_numbers(name):
    values, dtype = COLUMNS_OF_NUMBERS[name]
    table = pa.table({"x": pa.array(values, dtype)})
    plain = np.array([np.nan if value is None else float(value) for value in values])[:, np.newaxis]
    model = nonet.HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=3)
    expected = model.fit(plain, Y[:40]).predict_proba(plain)
    np.testing.assert_array_equal(model.fit(table, Y[:40]).predict_proba(table), expected)
    if name != "halves":  # polars has none
        frame = pl.from_arrow(table)
        np.testing.assert_array_equal(model.fit(frame, Y[:40]).predict_proba(frame), expected)


def test_a_dictionary_with_a_null_value_has_a_missing_category():
    values = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2] * 40, pa.uint8()), pa.array(["a", None, "c"])
    )
    text = pd.DataFrame({"x": ["a", None, "c"] * 40})
    y = [0, 1, 0] * 40
    model = nonet.HistGradientBoostingClassifier(max_iter=3)
    expected = model.fit(text, y).predict_proba(text)
    table = pa.table({"x": values})
    np.testing.assert_array_equal(model.fit(table, y).predict_proba(table), expected)


# ---- Other columns at predict -------------------------------------------------------------------

FITTED = {
    kind: kind(random_state=0).fit(pandas_frame(ARRAY, "category"), Y)
    for kind in (nonet.HistGradientBoostingClassifier, nonet.RandomForestClassifier)
}
every_model = pytest.mark.parametrize("model", FITTED.values(), ids=lambda m: type(m).__name__)
CHANGES = {
    "columns in another order": (lambda f: f[NAMES[::-1]], "names should match"),
    "a column too few": (lambda f: f[NAMES[:-1]], "names should match"),
    "a column too many": (lambda f: f.assign(more=1.0), "names should match"),
    "another name": (lambda f: f.rename(columns={"city": "town"}), "names should match"),
    "a name twice": (lambda f: f.set_axis([*NAMES[:4], "size"], axis=1), "different names"),
    "numbers for names": (lambda f: f.assign(city=1), "has the category 1, but fit saw"),
    "categories of numbers": (
        lambda f: f.assign(city=pd.Categorical([7] * len(f))),
        "has the category 7, but fit saw",
    ),
    "names for numbers": (lambda f: f.assign(year="long ago"), "column 'year' of X holds the str"),
    "dates for numbers": (
        lambda f: f.assign(year=pd.Timestamp("2020-01-01")),
        "column 'year' of X holds dates",
    ),
    "dates for numbers, in Arrow": (
        lambda f: f.assign(year=pd.Series([datetime.date(2020, 1, 1)] * len(f)).astype(
            pd.ArrowDtype(pa.date32())
        ).to_numpy()),
        "column 'year' of X holds dates",
    ),
    "complex numbers": (lambda f: f.assign(year=1j), "Complex data not supported"),
    "lists for names": (lambda f: f.assign(city=[["a"]] * len(f)), "Category column 'city'|column"),
    "infinity among categories": (
        lambda f: f.assign(city=np.inf),
        "Category column 'city' contains infinity",
    ),
}  # fmt: skip


@every_model
@pytest.mark.parametrize("n_rows", [1, 5, 1200])
@pytest.mark.parametrize("name", CHANGES)
def test_columns_that_are_not_those_of_fit_are_refused(model, name, n_rows):
    change, sentence = CHANGES[name]
    frame = change(pandas_frame(ARRAY[:n_rows], "str"))
    with pytest.raises((ValueError, TypeError), match=sentence):
        model.predict(frame)
    if name not in ("a name twice", "complex numbers", "lists for names"):  # no such Arrow tables
        with pytest.raises((ValueError, TypeError), match=sentence):
            model.predict(pa.Table.from_pandas(frame, preserve_index=False))


def test_infinity_is_refused_by_forests_in_any_form():
    model = FITTED[nonet.RandomForestClassifier]
    frame = pandas_frame(ARRAY, "str").assign(weight=np.inf)
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        with pytest.raises(ValueError, match="contains infinity .* in column 'weight'"):
            model.predict(table)
    booster = FITTED[nonet.HistGradientBoostingClassifier]
    assert np.isfinite(booster.predict_proba(frame)).all()


@every_model
@pytest.mark.parametrize("dtype", [object, "str", "category"])
def test_unknown_categories_are_missing_ones(model, dtype):
    unknown = pandas_frame(ARRAY, object).assign(city="somewhere").astype({"city": dtype})
    missing = pandas_frame(ARRAY, object).assign(city=None)
    expected = model.predict_proba(missing)
    np.testing.assert_array_equal(model.predict_proba(unknown), expected)
    np.testing.assert_array_equal(model.predict_proba(unknown[:1]), expected[:1])
    np.testing.assert_array_equal(model.predict_proba(pl.from_pandas(unknown)), expected)


def test_numbers_and_strings_in_one_column_keep_their_categories():
    values = ["a", 1, None, 2.5, "b", True] * 40
    frame = pd.DataFrame({"mixed": pd.Series(values, dtype=object)})
    y = [0, 1, 0, 1, 0, 1] * 40
    model = nonet.DecisionTreeClassifier().fit(frame, y)
    assert model.score(frame, y) == 1
    np.testing.assert_array_equal(
        model.predict(frame), np.concatenate([model.predict(frame[i : i + 1]) for i in range(240)])
    )


def test_codes_of_named_columns_are_the_same_by_search_and_by_position():
    """Whole numbers of a small range are looked up by position, others by binary search."""
    near = RNG.integers(-3, 40, N_ROWS).astype(float)
    far = np.where(near == 7, 1e12, near)
    odd = np.where(near == 7, 0.5, near)
    for column in (near, far, odd, near.astype(np.int8), near > 3):
        column = np.asarray(column)
        model = nonet.RandomForestClassifier(3, categorical_features=[0], random_state=0)
        strange = np.concatenate([column, [100, 0.25, np.nan, -1e15]]).astype(float)
        model.fit(column[:, np.newaxis], Y)
        known = dict(zip(np.unique(column).tolist(), range(99), strict=False))
        expected = [known.get(value, np.nan) for value in strange.tolist()]
        found = model._check_rows(strange[:, np.newaxis])[:, 0]
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "ensemble",
    [
        nonet.VotingClassifier(
            [("tree", nonet.DecisionTreeClassifier(max_depth=3))], voting="soft"
        ),
        nonet.BaggingClassifier(nonet.DecisionTreeClassifier(max_depth=3), 3, random_state=0),
        nonet.AdaBoostClassifier(n_estimators=3, random_state=0),
        nonet.StackingClassifier([("forest", nonet.RandomForestClassifier(3, random_state=0))]),
        nonet.RandomForestClassifier(4, decide=nonet.decide.Argmax(tie="random"), random_state=0),
    ],
    ids=lambda ensemble: type(ensemble).__name__,
)
def test_ensembles_take_tables_of_capsules(ensemble):
    table = arrow_table(ARRAY)
    expected = clone(ensemble).fit(table, Y).predict(table)
    offered = OfferedStream(table)
    np.testing.assert_array_equal(clone(ensemble).fit(offered, Y).predict(offered), expected)
