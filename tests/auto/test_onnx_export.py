"""The auto-ensembler's model as an ONNX graph, with the preparation of its table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import nonet
from nonet.auto.onnx_parts import _prepared
from nonet.auto.preparation import FitRows, prepare
from nonet.persist.onnx.graph import Graph
from persist.onnx_sessions import export_and_run, run_tensor

RNG = np.random.default_rng(0)
N = 240


def make_table(n, colours):
    table = pd.DataFrame(
        {
            "height": RNG.normal(size=n).astype(np.float32),
            "floor": RNG.integers(0, 40, n),
            "colour": RNG.choice(np.array(colours, dtype=object), n),
            "new": RNG.choice(["yes", "no"], n),
            "rooms": RNG.choice([1, 2, 3, 4], n),
        }
    )
    table.loc[RNG.random(n) < 0.1, "height"] = np.nan
    return table


TABLE = make_table(N, ["red", "green", "blue", None])
NEW = make_table(500, ["red", "green", "violet", None])
PRICE = np.nan_to_num(TABLE["height"]) * 2 + (TABLE["colour"] == "red") + TABLE["floor"] * 0.05
TABLE["price"] = PRICE + (TABLE["new"] == "yes")
CLASSES = TABLE.assign(price=np.digitize(TABLE["price"], [0.5, 1.5]))
SETTINGS = {"time_limit": None, "cv": 2, "random_state": 0, "n_jobs": 1}


def run_of(table, families, max_tasks=4):
    return nonet.fit_table(table, "price", families=families, max_tasks=max_tasks, **SETTINGS)


@pytest.mark.parametrize("family", ["extra_trees", "linear", "neighbors", "network"])
@pytest.mark.parametrize("table", [TABLE, CLASSES], ids=["numbers", "classes"])
def test_predicts_as_the_run(family, table):
    run = run_of(table, [family])
    found = export_and_run(run, NEW, X=NEW, double=True)
    if "label" in found:
        assert np.array_equal(found["label"], run.model.predict(NEW))
        expected = run.model.predict_proba(NEW)
        np.testing.assert_allclose(found["probabilities"], expected, rtol=1e-9, atol=1e-11)
    else:
        expected = run.model.predict(NEW)
        np.testing.assert_allclose(found["variable"][:, 0], expected, rtol=1e-9, atol=1e-11)


def test_boosters_without_rows_as_example():
    run = run_of(TABLE, ["boosted_trees"], max_tasks=2)
    graph = nonet.to_onnx(run)
    kinds = {one.name: one.type.tensor_type.elem_type for one in graph.graph.input}
    assert kinds == {"height": 1, "floor": 1, "colour": 8, "new": 8, "rooms": 1}
    found = export_and_run(run, NEW)["variable"][:, 0]
    np.testing.assert_allclose(found, run.model.predict(NEW), rtol=1e-5, atol=1e-6)


def test_prepared_columns_against_their_own_computation():
    X = np.column_stack([RNG.uniform(1, 9, (400, 3)), RNG.integers(0, 5, (400, 2))])
    X[RNG.random(X.shape) < 0.05] = np.nan
    known = np.nan_to_num(X)
    y = known[:, 0] / (1 + known[:, 2]) + known[:, 3] * known[:, 4] + known[:, 1] * known[:, 3]
    is_code = np.array([False, False, False, True, True])
    rows = FitRows(X, np.arange(5), y, is_code, 0, None, seed=0)
    columns = prepare(rows, ["arithmetic", "groups", "encodings"], 20)
    assert columns.arithmetic.n_features
    assert columns.groups or columns.encodings
    graph = Graph("Columns", double=True)
    tensor = graph.concat(_prepared(graph, columns, "X"))
    other = np.vstack([X, [[0, 1, 2, 9, 1], [np.inf, 1, 0, 1, np.nan]]])
    found = run_tensor(graph, tensor, other)
    np.testing.assert_allclose(found, columns.compute(other), rtol=1e-13)


def test_text_and_dates_are_refused_by_their_column():
    dated = TABLE.assign(when=pd.date_range("2020-01-01", periods=N, freq="17h"))
    with pytest.raises(ValueError, match="column 'when' of AutoEnsembleRegressor holds dates"):
        nonet.to_onnx(run_of(dated, ["extra_trees"], max_tasks=2))
    words = ["a small red house near the lake", "no garden", "a garden with trees", "very old"]
    told = TABLE.assign(story=[f"{RNG.choice(words)} {RNG.choice(words)} {i}" for i in range(N)])
    run = nonet.fit_table(
        told, "price", families=["extra_trees"], max_tasks=2, kinds={"story": "text"}, **SETTINGS
    )
    with pytest.raises(ValueError, match="reads text in column 'story'"):
        nonet.to_onnx(run)
