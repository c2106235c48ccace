"""Fits on a GPU, and what they share with the processor: the stage, its steps, and refusals."""

import json

import numpy as np
import pytest

import nonet
from contracts.model_digests import FILE, gpu_digests
from nonet import _core
from nonet._native import device
from nonet._native.grow import GrowParams
from nonet._native.loss import add_leaf_values, fill_class_gradients, fill_gradients
from nonet._native.partitions import PartGrower
from nonet.boosting.gradient import device_stage

HAS_GPU = _core.n_cuda_devices() > 0
needs_gpu = pytest.mark.skipif(not HAS_GPU, reason="there is no GPU, or no code for it")


class RowsOfTheProcessor:
    """The steps of `DeviceRows` by the C++ reference, `TreeOfPart`."""

    def __init__(self, dataset, target, weights, scores):
        self.grower, self.target, self.weights = PartGrower(dataset), target, weights
        self.scores = scores.copy()
        self.gradients, self.hessians = np.empty_like(scores), np.ones_like(scores)
        self.found = np.empty(scores.shape, dtype=np.int32)
        self.trees = {}
        self.cells = np.zeros(1 << 18, dtype=np.int64)

    def find_gradients(self, name, shape):
        if self.target.dtype == np.int32:
            fill_class_gradients(self.target, self.scores, self.gradients, self.hessians)
        else:
            fill_gradients(
                name, shape, self.target, self.scores[0], self.gradients[0], self.hessians[0]
            )

    def sizes(self, k):
        given = self.gradients[k], self.hessians[k], self.weights
        self.trees[k] = self.grower.tree(*given, GrowParams())
        return self.trees[k].sizes

    def totals(self, k, sizes):
        return self.trees[k].totals(sizes)

    def count_light(self, k, kind, everywhere):
        return self.trees[k].count_light(kind, everywhere)

    def start(self, k, kind, everywhere):
        return self.until_the_next_call(self.trees[k].start(kind, everywhere))

    def split(self, k, orders, n_counted):
        return self.until_the_next_call(self.trees[k].split(orders, n_counted))

    def until_the_next_call(self, cells):
        self.cells.resize(max(len(cells), len(self.cells)), refcheck=False)
        self.cells[: len(cells)] = cells
        return self.cells[: len(cells)]

    def sum_leaves(self, k, leaf_of_node, n_leaves, sizes):
        self.trees[k].find_leaves(leaf_of_node, self.found[k])
        return self.trees[k].sum_leaves(leaf_of_node, n_leaves)

    def add(self, k, values):
        add_leaf_values(self.found[k], np.ascontiguousarray(values), self.scores[k])

    def leaves(self, k):
        return self.found[k]

    def copy_scores(self, scores):
        scores[...] = self.scores


@pytest.fixture
def reference(monkeypatch):
    """Let 'cuda' be the reference on the processor."""
    monkeypatch.setattr(device_stage, "DeviceRows", RowsOfTheProcessor)
    monkeypatch.setattr(device, "_check_devices", lambda n_devices: None)


def draw(n_rows, n_classes):
    rng = np.random.default_rng(n_rows + n_classes)
    X = rng.random((n_rows, 6))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 5] = rng.integers(0, 9, n_rows)
    signal = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + 0.3 * (X[:, 5] % 2) + rng.random(n_rows)
    return X, np.digitize(signal, np.linspace(0.8, 1.6, n_classes - 1)), rng.random(n_rows) + 0.3


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize(
    ("n_rows", "n_classes", "settings"),
    [
        (1_200, 2, {}),
        (34_000, 2, {}),
        (1_200, 4, {}),
        (1_200, 2, {"early_stopping": True, "n_iter_no_change": 2, "max_iter": 30}),
        (1_200, 2, {"learning_rate": 1.0, "min_samples_leaf": 2, "max_iter": 3}),  # shortened steps
        (1_200, 2, {"monotonic_cst": [1, 0, -1, 0, 0, 0], "max_leaf_nodes": None, "max_depth": 4}),
    ],
)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_stage_gives_the_bits_of_one_process(n_rows, n_classes, settings, is_weighted):
    X, y, weights = draw(n_rows, n_classes)
    given = {"max_iter": 5, "early_stopping": False, "random_state": 0, "categorical_features": [5]}
    weights = weights if is_weighted else None
    model = nonet.HistGradientBoostingClassifier(**(given | settings))
    expected = model.fit(X, y, sample_weight=weights).decision_function(X)
    with nonet.use_device("cuda"):
        model.fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model.decision_function(X), expected)


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("objective", ["squared_error", "poisson", "gamma"])
def test_boosted_trees_of_numbers_have_the_bits_of_one_process(objective):
    X, codes, weights = draw(1_500, 5)
    y = codes + 0.5
    model = nonet.BoostedTreesRegressor(n_estimators=6, objective=objective, random_state=0)
    model.fit(X, y, sample_weight=weights, eval_set=[(X, y)])
    expected, results = model.predict(X), model.evals_result_
    with nonet.use_device("cuda"):
        model.fit(X, y, sample_weight=weights, eval_set=[(X, y)])
    np.testing.assert_array_equal(model.predict(X), expected)
    assert model.evals_result_ == results


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize(
    "model",
    [
        nonet.RandomForestClassifier(n_estimators=2),
        nonet.DecisionTreeClassifier(),
        nonet.GradientBoostingClassifier(n_estimators=2),
        nonet.BoostedTreesClassifier(n_estimators=2, subsample=0.5),
        nonet.BoostedTreesClassifier(n_estimators=2, colsample_bytree=0.5),
        nonet.HistGradientBoostingRegressor(loss="absolute_error", max_iter=2),
        nonet.HistGradientBoostingRegressor(loss="quantile", quantile=0.3, max_iter=2),
    ],
    ids=str,
)
def test_what_a_gpu_cannot_do_is_refused_and_never_done_elsewhere(model):
    X, y, _ = draw(200, 2)
    with nonet.use_device("cuda"), pytest.raises(ValueError, match="GPU yet"):
        model.fit(np.nan_to_num(X), y)
    assert not hasattr(model, "n_features_in_")


def test_unknown_device_is_refused():
    with (
        pytest.raises(ValueError, match="'cpu' or 'cuda', got 'tpu'"),
        nonet.use_device("tpu"),
    ):
        pass


@pytest.mark.parametrize(("n_devices", "said"), [(-1, "NONET_CUDA=ON"), (0, "found no GPU")])
def test_missing_gpu_or_code_is_one_sentence_with_a_way_out(monkeypatch, n_devices, said):
    monkeypatch.setattr(_core, "n_cuda_devices", lambda: n_devices)
    with pytest.raises(ValueError, match=said), nonet.use_device("cuda"):
        pass
    assert device.current_device() == "cpu"


def test_block_ends_with_the_device_of_before():
    with nonet.use_device("cpu"):
        assert device.current_device() == "cpu"
    assert device.current_device() == "cpu"


@needs_gpu
def test_models_of_a_gpu_have_known_bits():
    known = json.loads(FILE.read_text())
    found = gpu_digests()
    assert found
    assert found == {name: known[name] for name in found}
