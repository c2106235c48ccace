"""Fits on bins files: the same models, bit for bit, as in memory."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import nonet

N_ROWS = 3000


def _trees(model):
    if hasattr(model, "_booster"):
        return [tree for trees in model._booster.rounds for tree in trees]
    return model._trees.trees if hasattr(model, "_trees") else [model.tree_._native]


def assert_same(one, other):
    """Raise unless two models have the same trees."""
    pairs = list(zip(_trees(one), _trees(other), strict=True))
    assert pairs
    for a, b in pairs:
        first, second = a.arrays(), b.arrays()
        for name in first:
            np.testing.assert_array_equal(first[name], second[name])


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 9))
    X[rng.random(X.shape) < 0.05] = np.nan
    X[:, 3] = rng.integers(0, 12, N_ROWS)  # categories
    score = np.nan_to_num(X[:, 0]) + np.sin(X[:, 3]) + 0.5 * rng.normal(size=N_ROWS)
    weights = rng.integers(0, 3, N_ROWS) + rng.random(N_ROWS).round(2)
    return X, score, weights


def _target(kind, score):
    return {
        "numbers": score,
        "counts": np.floor(np.exp(np.clip(score, -1, 2))),
        "two": score > 0,
        "text": np.where(score > 0, "yes", "no"),
        "three": np.digitize(score, [-0.7, 0.7]),
    }[kind]


CASES = [
    ("numbers", nonet.HistGradientBoostingRegressor(max_iter=5), {}),
    ("numbers", nonet.HistGradientBoostingRegressor(loss="absolute_error", max_iter=3), {}),
    ("numbers", nonet.HistGradientBoostingRegressor(loss="quantile", quantile=0.7, max_iter=3), {}),
    ("counts", nonet.HistGradientBoostingRegressor(loss="poisson", max_iter=5), {}),
    ("two", nonet.HistGradientBoostingClassifier(max_iter=5), {}),
    ("text", nonet.HistGradientBoostingClassifier(max_iter=5, class_weight="balanced"), {}),
    ("three", nonet.HistGradientBoostingClassifier(max_iter=3, max_features=0.5), {}),
    ("two", nonet.HistGradientBoostingClassifier(max_iter=5, early_stopping=True), {}),
    ("two", nonet.BoostedTreesClassifier(n_estimators=6, subsample=0.6, colsample_bytree=0.5), {}),
    ("three", nonet.BoostedTreesClassifier(n_estimators=3, multi_strategy="multi_output_tree"), {}),
    ("numbers", nonet.BoostedTreesRegressor(n_estimators=6, early_stopping_rounds=2), {}),
    ("numbers", nonet.BoostedTreesRegressor(n_estimators=8, drop_rate=0.3), {}),
    ("two", nonet.RandomForestClassifier(n_estimators=4), {}),
    ("numbers", nonet.RandomForestRegressor(n_estimators=3, max_features=0.4), {}),
    ("three", nonet.ExtraTreesClassifier(n_estimators=4), {}),
    ("numbers", nonet.ExtraTreesRegressor(n_estimators=3, bootstrap=True), {}),
]


@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("case", range(len(CASES)))
def test_model_of_a_file_against_that_of_memory(table, tmp_path, case, has_weights):
    kind, model, _ = CASES[case]
    X, score, weights = table
    y, w = _target(kind, score), weights if has_weights else None
    bins = nonet.make_bins(
        X, tmp_path / "rows.bins", target=y, weights=w, categorical_features=[3], verbose=0
    )
    model.set_params(random_state=0, categorical_features=[3])
    out_of_core = _clone(model)
    with nonet.limit_threads(1 + case % 3):
        out_of_core.fit(bins, None)
    with nonet.share_bins(X, sample_weight=w):  # whose edges are those of all rows, as in the file
        in_memory = _clone(model).fit(X, y, sample_weight=w)
    assert_same(out_of_core, in_memory)
    np.testing.assert_array_equal(out_of_core.predict(X), in_memory.predict(X))
    if hasattr(model, "classes_"):
        np.testing.assert_array_equal(out_of_core.classes_, in_memory.classes_)


def _clone(model):
    from sklearn.base import clone

    return clone(model)


def test_single_tree_is_that_of_a_forest_without_draws(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=score, verbose=0)
    tree = nonet.DecisionTreeRegressor(max_depth=4, random_state=0).fit(bins, None)
    settings = {"n_estimators": 1, "bootstrap": False, "max_features": None, "max_depth": 4}
    forest = nonet.RandomForestRegressor(**settings, random_state=0).fit(X, score)
    np.testing.assert_allclose(tree.predict(X), forest.predict(X))


def test_more_rounds_are_added_as_in_memory(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=score, verbose=0)
    models = []
    for data in ((bins, None), (X, score)):
        model = nonet.HistGradientBoostingRegressor(
            max_iter=3, warm_start=True, random_state=0, early_stopping=False
        ).fit(*data)
        models.append(model.set_params(max_iter=6).fit(*data))
    assert_same(*models)


def test_rows_to_stop_by_are_given_as_values(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X[:2000], tmp_path / "rows.bins", target=score[:2000], verbose=0)
    model = nonet.HistGradientBoostingRegressor(max_iter=30, random_state=0, early_stopping=True)
    given = {"X_val": X[2000:], "y_val": score[2000:]}
    out_of_core = _clone(model).fit(bins, None, **given)
    in_memory = _clone(model).fit(X[:2000], score[:2000], **given)
    assert_same(out_of_core, in_memory)
    np.testing.assert_array_equal(out_of_core.validation_score_, in_memory.validation_score_)


def test_pages_may_be_dropped_at_any_time(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=score, verbose=0)
    model = nonet.HistGradientBoostingRegressor(max_iter=20, random_state=0)
    expected, done = _clone(model).fit(bins, None), threading.Event()

    def drop():
        while not done.wait(0.001):
            bins.drop_pages()

    dropper = threading.Thread(target=drop)
    dropper.start()
    try:
        assert_same(_clone(model).fit(bins, None), expected)
    finally:
        done.set()
        dropper.join()


def test_fit_that_does_not_fit_into_memory_is_refused_before_it_begins(bins, monkeypatch):
    monkeypatch.setattr("nonet.trees.binned_table.available_bytes", lambda: 47 * N_ROWS)
    with pytest.raises(ValueError, match="keeps 48 bytes per row"):
        nonet.HistGradientBoostingClassifier(early_stopping=False).fit(bins, None)


def test_more_than_255_bins(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=score, max_bins=1000, verbose=0)
    model = nonet.RandomForestRegressor(n_estimators=2, max_bins=1000, random_state=0)
    assert bins.dataset.bytes_per_bin == 2
    assert_same(_clone(model).fit(bins, None), _clone(model).fit(X, score))


def test_booster_of_many_rows_against_memory(tmp_path):
    # More rows than edges are found from: the sample is that of the booster's random_state.
    rng = np.random.default_rng(1)
    X = rng.normal(size=(210_000, 3)).astype(np.float32)
    y = X[:, 0] * X[:, 1] > 0
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=y, random_state=5, verbose=0)
    model = nonet.HistGradientBoostingClassifier(max_iter=3, random_state=5, early_stopping=False)
    assert_same(_clone(model).fit(bins, None), _clone(model).fit(X, y))


def test_rows_of_a_file_are_held_out_as_folds(table, tmp_path):
    X, score, _ = table
    bins = nonet.make_bins(X, tmp_path / "rows.bins", target=score, verbose=0)
    rows = np.arange(0, N_ROWS, 3)
    model = nonet.HistGradientBoostingRegressor(max_iter=3, random_state=0)
    with nonet.share_bins(X):
        in_memory = _clone(model).fit(X[rows], score[rows])
    assert_same(_clone(model).fit(bins[rows], None), in_memory)
    assert bins[rows][::2].shape == (500, 9)


@pytest.mark.parametrize("kind", ["numbers", "three"])
def test_cross_validated_rounds_against_memory(table, tmp_path, kind):
    X, score, weights = table
    y = _target(kind, score)
    bins = nonet.make_bins(
        X, tmp_path / "rows.bins", target=y, weights=weights, categorical_features=[3], verbose=0
    )
    estimator = "Regressor" if kind == "numbers" else "Classifier"
    model = getattr(nonet, f"HistGradientBoosting{estimator}")(
        max_iter=4, random_state=0, categorical_features=[3]
    )
    of_file = nonet.boost_cv(model, bins, None, cv=3, refit="best")
    in_memory = nonet.boost_cv(model, X, y, sample_weight=weights, cv=3, refit="best")
    np.testing.assert_array_equal(of_file.scores, in_memory.scores)
    np.testing.assert_allclose(of_file.predictions, in_memory.predictions, rtol=1e-12)
    assert_same(of_file.model, in_memory.model)


MEASURED = """
import sys, numpy as np, nonet
def anonymous():
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * int(next(l for l in lines if l.startswith("RssAnon")).split()[1])
bins = nonet.open_bins(sys.argv[1])
model = nonet.HistGradientBoostingClassifier(max_iter=2, max_leaf_nodes=31, early_stopping=False)
small = bins[np.arange(2000)]
model.fit(small, None)  # what is loaded and kept whatever the number of rows
before, peak = anonymous(), 0
def watch():
    global peak
    peak = max(peak, anonymous())
import threading
done = threading.Event()
thread = threading.Thread(target=lambda: [watch() for _ in iter(lambda: done.wait(0.002), True)])
thread.start()
model.fit(bins, None)
done.set(); thread.join()
print(peak - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs Linux's /proc")
def test_fit_keeps_48_bytes_per_row(tmp_path):
    n_rows, n_columns = 1_500_000, 28
    rng = np.random.default_rng(0)

    def read():
        for seed in range(15):
            rng = np.random.default_rng(seed)
            X = rng.integers(0, 200, (n_rows // 15, n_columns)).astype(np.float32)
            yield X, X[:, 0] + X[:, 1] > rng.normal(200, 50, len(X))

    del rng
    path = tmp_path / "rows.bins"
    nonet.make_bins(read, path, verbose=0)
    command = [sys.executable, "-c", MEASURED, str(path)]
    kept = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    histograms = 35 * 4160 * n_columns  # of open nodes, whatever the number of rows
    assert 20 * n_rows < kept < 48 * n_rows + 2 * histograms


# ---- What needs the values of rows ---------------------------------------------------------------


@pytest.fixture(scope="module")
def bins(table, tmp_path_factory):
    X, score, _ = table
    path = tmp_path_factory.mktemp("bins") / "rows.bins"
    return nonet.make_bins(X, path, target=score > 0, verbose=0)


@pytest.mark.parametrize(
    ("fit", "sentence"),
    [
        (lambda b: nonet.HistGradientBoostingClassifier().fit(b, None).predict(b), "prediction"),
        (lambda b: nonet.RandomForestClassifier(oob_score=True).fit(b, None), "out-of-bag"),
        (
            lambda b: nonet.HistGradientBoostingClassifier(decide="tuned").fit(b, None),
            "tuned|decide",
        ),
        (lambda b: nonet.BoostedTreesClassifier().fit(b, None), "n_estimators"),
        (lambda b: nonet.AdaBoostClassifier().fit(b, b.y), "values of the rows"),
        (lambda b: nonet.HistGradientBoostingRegressor().fit(b, None), "labels"),
        (lambda b: nonet.RandomForestClassifier(max_bins=64).fit(b, None), "max_bins"),
        (
            lambda b: nonet.HistGradientBoostingClassifier(categorical_features=[1]).fit(b, None),
            "categorical_features",
        ),
    ],
)
def test_what_needs_values_is_refused_in_one_sentence(bins, fit, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence) as caught:
        fit(bins)
    assert "\n" not in str(caught.value)


# ---- Damaged files -------------------------------------------------------------------------------


def test_damaged_files_are_refused_and_never_crash(bins, tmp_path):
    rng = np.random.default_rng(0)
    good = bins.path.read_bytes()
    header = bins.header.sections["columns"][0]
    path = tmp_path / "damaged.bins"
    n_refused = 0
    for trial in range(400):
        content = bytearray(good)
        kind = trial % 4
        if kind == 0:
            content[int(rng.integers(header))] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            content[int(rng.integers(len(good)))] ^= 1 << int(rng.integers(8))
        elif kind == 2:
            del content[int(rng.integers(len(good))) :]
        else:
            begin = int(rng.integers(len(good) - 64))
            content[begin : begin + 64] = rng.bytes(64)
        path.write_bytes(content)
        opened, sentence = _try_to_open(path)
        n_refused += opened is None
        assert opened is not None or ("damaged.bins" in sentence and "\n" not in sentence)
        if opened is not None:  # the change is between two sections
            model = nonet.HistGradientBoostingClassifier(max_iter=1, early_stopping=False)
            model.fit(opened, None)
    assert n_refused > 150


def _try_to_open(path):
    try:
        return nonet.open_bins(path), ""
    except ValueError as why:
        return None, str(why)


def test_damage_with_right_checksums_is_refused(bins, tmp_path):
    from nonet.trees.binned_table import checksum

    header, content = bins.header, np.frombuffer(bins.path.read_bytes(), np.uint8).copy()
    content[header.sections["columns"][0] + 5] = 255
    rows = header.rows_of(0)
    crc = checksum(content[at : at + n] for at, n in header.positions_of(rows))
    begin = header.sections["checksums"][0]
    content[begin : begin + 8].view("<u8")[0] = crc
    path = tmp_path / "forged.bins"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="row 5 has bins that there are not"):
        nonet.open_bins(path)


@pytest.mark.parametrize("content", [b"", b"NONETBIN", b"PK\x03\x04" + bytes(5000), None])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "other.bins"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=r"other\.bins"):
        nonet.open_bins(path)
