"""Run exported graphs, and rows that are hard for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonet

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
helper = pytest.importorskip("onnx", reason="onnx is not installed").helper

_ELEMENTS = {np.dtype(np.float32): 1, np.dtype(np.int64): 7, np.dtype(np.float64): 11}


def outputs_of(graph: Any, table: Any) -> dict[str, np.ndarray]:
    """Run a graph on an array, or on a frame whose columns are the inputs."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
    feed = {one.name: _fed(table, one) for one in session.get_inputs()}
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(names, feed), strict=True))


def _fed(table: Any, one: Any) -> np.ndarray:
    if not hasattr(table, "columns"):
        return np.asarray(table, dtype=_NUMBERS[one.type])
    column = table[one.name].to_numpy()[:, np.newaxis]
    if one.type != "tensor(string)":
        return column.astype(_NUMBERS[one.type])
    return np.where(column == column, column, "").astype(object)  # None and NaN: no category


_NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(bool)": bool,
}


def run_tensor(graph: Any, tensor: str, values: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
    """Return a tensor of a graph that is no model's and reads values as its input "X"."""
    kind = _ELEMENTS[values.dtype]
    inputs = [helper.make_tensor_value_info("X", kind, [None, *values.shape[1:]])]
    outputs = [helper.make_tensor_value_info(tensor, _ELEMENTS[np.dtype(dtype)], None)]
    nodes, constants = graph.used([tensor])
    body = helper.make_graph(nodes, "part", inputs, outputs, constants)
    opsets = [helper.make_opsetid(*pair) for pair in graph.opsets.items()]
    made = helper.make_model(body, opset_imports=opsets, ir_version=9)
    session = onnxruntime.InferenceSession(made.SerializeToString())
    return session.run(None, {"X": values})[0]


def export_and_run(model: Any, table: Any, **options: Any) -> dict[str, np.ndarray]:
    return outputs_of(nonet.to_onnx(model, **options), table)


def thresholds_of(trees: list[Any], column: int) -> np.ndarray:
    """Return the thresholds of a column in single precision, and the numbers next to them."""
    found = [tree.arrays() for tree in trees]
    chosen = [a["threshold"][(a["left"] >= 0) & (a["column"] == column)] for a in found]
    finite = np.concatenate(chosen)
    finite = finite[np.isfinite(finite)]  # an infinite one parts missing values from all others
    exact = np.append(np.unique(finite), 0.0).astype(np.float32)
    low, high = np.float32(-np.inf), np.float32(np.inf)
    return np.concatenate([exact, np.nextafter(exact, low), np.nextafter(exact, high)])


def hard_rows(
    trees: list[Any], X: np.ndarray, n_rows: int, categories: tuple[int, ...] = (), *, inf=False
) -> np.ndarray:
    """Return rows of training values, of values on thresholds or beside them, and of none."""
    rng = np.random.default_rng(0)
    rows = np.empty((n_rows, X.shape[1]), dtype=np.float32)
    for j in range(X.shape[1]):
        known = X[:, j].astype(np.float32)
        special = np.array([np.nan, *([np.inf, -np.inf] if inf else [])], dtype=np.float32)
        if j in categories:
            others = np.array([-3, 0.5, 999], dtype=np.float32)  # that fit did not see
            special = special[:1]
        else:
            others = thresholds_of(trees, j)
        kind = rng.choice(3, n_rows, p=[0.4, 0.5, 0.1])
        drawn = [rng.choice(values, n_rows) for values in (known, others, special)]
        rows[:, j] = np.choose(kind, drawn)
    return rows
