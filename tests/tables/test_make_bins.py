"""Bins files from every kind of source, interrupted, continued and appended to."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest

import nonet
from nonet.tables.bins_writer import part_of

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    n = 2000
    return pd.DataFrame(
        {
            "size": rng.normal(size=n).round(4),
            "city": rng.choice(["Oslo", "Rome", "Lima"], n),
            "count": rng.integers(0, 9, n),
            "label": rng.choice(["no", "yes"], n),
            "weight": rng.random(n).round(3),
        }
    )


def _contents(bins):
    d = bins.dataset
    arrays = [d.column_bytes(), d.row_bytes(), *d.all_edges().arrays]
    return [*arrays, np.asarray(bins.y), bins.weights, *bins.codes.known.values()]


def _assert_same(one, other):
    for a, b in zip(_contents(one), _contents(other), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def expected(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("expected") / "rows.bins"
    return nonet.make_bins(frame, path, target="label", weights="weight", verbose=0)


def test_file_against_the_frame(frame, expected):
    X = frame[["size", "city", "count"]]
    model = nonet.HistGradientBoostingClassifier(max_iter=5, random_state=0)
    in_memory = nonet.HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(
        X, frame["label"], sample_weight=frame["weight"]
    )
    model.fit(expected, None)
    assert expected.names == ["size", "city", "count"]
    np.testing.assert_array_equal(model.feature_names_in_, in_memory.feature_names_in_)
    np.testing.assert_array_equal(model.predict_proba(X), in_memory.predict_proba(X))


SOURCES = [
    "csv",
    "gz",
    "parquet",
    "arrow",
    "folder",
    "list of files",
    "frames",
    "polars",
    "callable",
]


@pytest.mark.parametrize("kind", SOURCES)
def test_sources_give_the_same_file(frame, expected, tmp_path, kind):
    parts = [frame[:700], frame[700:701], frame[701:]]
    folder = tmp_path / "parts"
    folder.mkdir()
    if kind == "csv":
        source = tmp_path / "rows.csv"
        frame.to_csv(source, index=False)
    elif kind == "gz":
        source = tmp_path / "rows.csv.gz"
        frame.to_csv(source, index=False)
    elif kind == "parquet":
        source = tmp_path / "rows.parquet"
        frame.to_parquet(source, row_group_size=300)
    elif kind == "arrow":
        source = tmp_path / "rows.arrow"
        frame.to_feather(source)
    elif kind in ("folder", "list of files"):
        files = [folder / f"part-{i}.csv" for i in range(3)]
        for part, file in zip(parts, files, strict=True):
            part.to_csv(file, index=False)
        source = str(folder) if kind == "folder" else files
    elif kind == "frames":
        source = parts
    elif kind == "polars":
        source = [pl.from_pandas(part) for part in parts]
    else:
        source = lambda: iter(parts)  # noqa: E731
    bins = nonet.make_bins(
        source, tmp_path / "rows.bins", target="label", weights="weight", verbose=0
    )
    _assert_same(bins, expected)
    _assert_same(nonet.open_bins(bins.path), expected)


def test_mapped_arrays_with_a_column_of_targets(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70_000, 4)).astype(np.float32)
    np.save(tmp_path / "rows.npy", X)
    of_file = nonet.make_bins(tmp_path / "rows.npy", tmp_path / "a.bins", target=-1, verbose=0)
    in_memory = nonet.make_bins(X[:, :3], tmp_path / "b.bins", target=X[:, 3], verbose=0)
    _assert_same(of_file, in_memory)


def test_estimate_is_printed_before_the_work_and_is_about_right(frame, tmp_path, capfd):
    frame.to_parquet(tmp_path / "rows.parquet")
    bins = nonet.make_bins(tmp_path / "rows.parquet", tmp_path / "rows.bins", target="label")
    first = capfd.readouterr().err.splitlines()[0]
    assert "2,000 rows of 4 columns" in first
    assert "MB of disk" in first
    assert bins.estimate.n_rows == 2000
    assert bins.estimate.disk_bytes <= bins.path.stat().st_size


# ---- Interrupted and continued -------------------------------------------------------------------

WORK = """
import sys, nonet
from nonet.tables import bins_writer
bins_writer._BLOCKS_PER_SYNC = 1
nonet.make_bins(sys.argv[1], sys.argv[2], target=0)
"""


def test_killed_work_goes_on_where_it_ended(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_300_000, 6)).astype(np.float32)
    source, path = tmp_path / "rows.npy", tmp_path / "rows.bins"
    np.save(source, X)
    work = subprocess.Popen(
        [sys.executable, "-c", WORK, str(source), str(path)], stderr=subprocess.DEVNULL
    )
    n_done = _wait_for_blocks(work, path)
    work.send_signal(signal.SIGKILL)
    work.wait()
    assert not path.exists()
    written = []
    original = nonet.tables.bins_writer.BinsWriter.write_rows

    def count(self, rows, *rest):
        written.append(rows)
        return original(self, rows, *rest)

    monkeypatch.setattr(nonet.tables.bins_writer.BinsWriter, "write_rows", count)
    bins = nonet.make_bins(source, path, target=0, verbose=0)
    assert n_done >= 1
    assert written[0].start >= 65_536 * n_done  # of 20 blocks
    assert not part_of(path).exists()
    _assert_same(nonet.open_bins(path), bins)
    _assert_same(nonet.make_bins(X, tmp_path / "whole.bins", target=0, verbose=0), bins)


def _wait_for_blocks(work, path):
    """Return the number of blocks that are logged, once there are two."""
    from nonet.tables.bins_writer import read_part

    while work.poll() is None:
        header = read_part(path)
        if header is not None:
            begin, size = header.sections["checksums"]
            with part_of(path).open("rb") as file:
                file.seek(begin)
                n_done = int(np.count_nonzero(np.frombuffer(file.read(size), "<u8")))
            if n_done >= 2:
                return n_done
        time.sleep(0.002)
    raise AssertionError("the work was over before it could be killed")


@pytest.mark.parametrize("change", ["source", "parameters", "header", "frames"])
def test_other_work_is_begun_anew_with_a_sentence(frame, tmp_path, change):
    source, path = tmp_path / "rows.csv", tmp_path / "rows.bins"
    frame.to_csv(source, index=False)
    given = {"target": "label", "weights": "weight", "verbose": 0}
    made = nonet.make_bins(source, path, **given)
    os.replace(path, part_of(path))
    if change == "source":
        os.utime(source, ns=(1, 1))
    elif change == "parameters":
        given["max_bins"] = 100
    elif change == "header":
        part_of(path).write_bytes(b"NONETBIN" + bytes(100))
    else:
        source = frame
    with pytest.warns(UserWarning, match=r"rows\.bins was begun before, but .* begun anew"):
        again = nonet.make_bins(source, path, **given)
    if change != "parameters":
        _assert_same(again, made)


def test_sources_that_change_between_passes_are_refused(tmp_path):
    calls = []

    def read():
        calls.append(1)
        yield np.ones((100 - 3 * (len(calls) == 3), 2))  # the estimate reads once

    with pytest.raises(ValueError, match=r"the same rows each time .* 100 at first and 97"):
        nonet.make_bins(read, tmp_path / "rows.bins", verbose=0)
    assert not (tmp_path / "rows.bins").exists()


# ---- More rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_first", [10, 65_536, 70_001])
def test_appended_rows_are_on_the_first_edges(tmp_path, n_first):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(140_000, 3))
    X[:, 1] = rng.integers(0, 5, len(X))
    X[:n_first][np.isnan(X[:n_first])] = 0
    X[n_first + 5, 0] = np.nan
    y = X[:, 1] - X[:, 2]
    path = tmp_path / "rows.bins"
    first = nonet.make_bins(X[:n_first], path, target=y[:n_first], verbose=0)
    edges = first.header.edges
    bins = nonet.make_bins(X[n_first:], path, target=y[n_first:], append=True, verbose=0)
    assert bins.shape == X.shape
    assert bins.header.n_edge_rows == n_first
    expected = nonet._native.data.BinnedDataset.on_edges(X, edges)
    np.testing.assert_array_equal(bins.dataset.column_bytes(), expected.column_bytes())
    np.testing.assert_array_equal(bins.y.numbers, y)
    np.testing.assert_array_equal(bins.dataset.all_edges().has_missing, [1, 0, 0])
    assert nonet.open_bins(path).shape == X.shape  # checksums are right


# ---- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "given", "sentence"),
    [
        (3, {}, "source must be a path"),
        ("nowhere.csv", {}, "nowhere.csv"),
        (np.ones((3, 2)), {"target": 2}, "target=2 is no column"),
        (np.ones((3, 2)), {"target": [1, 2]}, "one value per row, 3 in all"),
        (np.ones((3, 2)), {"target": [1, np.nan, 2]}, "row 1"),
        (np.ones((3, 2)), {"weights": [1, -1, 2]}, "sample_weight|weights"),
        (np.ones((0, 2)), {}, "no rows"),
        (np.ones(3), {}, "2 dimensions"),
        (np.ones((3, 2)), {"max_bins": 1}, "max_bins"),
        (lambda: iter([np.ones((3, 2)), np.ones((3, 1))]), {}, "same columns"),
        (lambda: iter([(np.ones((3, 2)), np.ones(3)), np.ones((3, 2))]), {}, "target"),
        (lambda: iter([(np.ones((3, 2)), np.ones(2))]), {}, "shape"),
        (np.array([["a", 1], ["b", 2]], dtype=object), {}, "number|string|convert"),
    ],
)
def test_bad_sources_are_refused_in_one_sentence(tmp_path, source, given, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence) as caught:
        nonet.make_bins(source, tmp_path / "rows.bins", **given, verbose=0)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "rows.bins").exists()


def test_text_among_numbers_of_later_rows_is_refused(tmp_path):
    path = tmp_path / "rows.csv"
    lines = ["a,b"] + [f"{i},{i % 7}" for i in range(100_000)] + ["1,word"]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match="column 'b'|'word'"):
        nonet.make_bins(path, tmp_path / "rows.bins", target="a", verbose=0)


# ---- Predictions in blocks -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "parquet", "frames", "callable"])
def test_predictions_in_blocks_against_those_of_the_whole_table(frame, tmp_path, kind):
    X = frame[["size", "city", "count"]]
    model = nonet.HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(X, frame["label"])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    sources = {
        "csv": tmp_path / "rows.csv",
        "parquet": tmp_path / "rows.parquet",
        "frames": [frame[:100], pl.from_pandas(frame[100:])],
        "callable": lambda: iter([(frame[:500], frame["label"][:500]), frame[500:]]),
    }
    blocks = nonet.predict_blocks(model, sources[kind], method="predict_proba")
    np.testing.assert_array_equal(np.concatenate(list(blocks)), model.predict_proba(X))


def test_predictions_of_rows_that_lack_a_column_are_refused(frame):
    model = nonet.DecisionTreeRegressor().fit(frame[["size", "count"]], frame["weight"])
    with pytest.raises(ValueError, match="reads the column 'count'"):
        list(nonet.predict_blocks(model, frame[["size", "city"]]))
    with pytest.raises(ValueError, match="no method 'transform'"):
        nonet.predict_blocks(model, frame, method="transform")
