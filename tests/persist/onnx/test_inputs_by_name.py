"""The inputs of a graph are the columns of the fit, whatever the order of the rows in X=."""

import numpy as np
import pytest

import nonet

pd = pytest.importorskip("pandas")
ort = pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.normal(size=400),
            "income": rng.normal(size=400),
            "rooms": rng.integers(1, 6, 400),
            "city": pd.Categorical(rng.choice(["Bern", "Oslo", "Rome"], 400)),
        }
    )


def labels_of(table):
    return np.where(table.iloc[:, 0] + 0.3 * table["rooms"] > 0.9, "yes", "no")


def label_by_graph(content, table):
    kinds = {"tensor(float)": "f4", "tensor(double)": "f8", "tensor(int64)": "i8"}
    session = ort.InferenceSession(content)
    feed = {}
    for given in session.get_inputs():
        column = table[given.name]
        kind = kinds.get(given.type)
        values = column.astype(str).to_numpy(object) if kind is None else column.to_numpy(kind)
        feed[given.name] = values[:, np.newaxis]
    return session.run(["label"], feed)[0].ravel()


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 1, 0, 3], [3, 2, 1, 0]])
def test_columns_of_given_rows_are_found_by_name(table, order):
    model = nonet.BoostedTreesClassifier(n_estimators=8).fit(table, labels_of(table))
    rows = table.iloc[:5, order].assign(further=1.0)
    content = nonet.to_onnx(model, X=rows, double=True).SerializeToString()
    np.testing.assert_array_equal(label_by_graph(content, table), model.predict(table))


@pytest.mark.parametrize(
    ("take", "said"),
    [
        (lambda table: table[["age", "city"]], "lacks 'income', 'rooms'; give X= with all"),
        (lambda table: np.zeros((3, 4)), "fitted on named columns, of which X= lacks 'age'"),
        (lambda table: {"a": 1}, "needs rows of a table in X=; give a frame"),
    ],
)
def test_rows_without_the_columns_of_the_fit_are_refused(table, take, said):
    model = nonet.BoostedTreesClassifier(n_estimators=3).fit(table, labels_of(table))
    with pytest.raises(ValueError, match=said):
        nonet.to_onnx(model, X=take(table))


def test_rows_of_another_width_are_refused(table):
    X = table[["age", "income"]].to_numpy()
    model = nonet.RandomForestClassifier(n_estimators=3).fit(X, labels_of(table))
    with pytest.raises(ValueError, match="fitted on 2 columns, but X= has 3"):
        nonet.to_onnx(model, X=np.zeros((4, 3)))


@pytest.mark.parametrize("name", ["cast_1", "constant_3", "identity_2", "X", "a b/c é"])
def test_columns_may_have_the_names_of_inner_tensors(table, name):
    renamed = table.rename(columns={"age": name})
    model = nonet.BoostedTreesClassifier(n_estimators=5).fit(renamed, labels_of(renamed))
    content = nonet.to_onnx(model, double=True).SerializeToString()
    np.testing.assert_array_equal(label_by_graph(content, renamed), model.predict(renamed))


@pytest.mark.parametrize("name", ["label", "probabilities", ""])
def test_columns_with_names_of_outputs_are_refused(table, name):
    renamed = table.rename(columns={"age": name})
    model = nonet.BoostedTreesClassifier(n_estimators=3).fit(renamed, labels_of(renamed))
    with pytest.raises(ValueError, match="rename the column before the fit"):
        nonet.to_onnx(model)
