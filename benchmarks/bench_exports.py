"""Speed of predictions where trees can go: nonet, onnxruntime, treelite, compilers, the originals.

Boosters of 500 trees of 31 leaves, by LightGBM and by XGBoost, and a forest of 100 full trees by
scikit-learn. nonet reads them, and writes ONNX graphs and models of treelite of what it has read,
so that everyone walks the same trees; their probabilities are compared first. Single rows come one
after another, each another row: with the same row again the processor would know all branches by
heart. Batches have 100,000 rows of 28 float32 columns. TL2cgen and lleaves are compilers, beside
the interpreters that nonet is compared with; they get LightGBM's booster alone, because a forest of
half a million nodes would compile for hours. lleaves takes part where an llvmlite is installed that
it can use (before 0.46, which numba, and so shap, no longer is content with).

    python benchmarks/bench_exports.py            about ten minutes, some of them compiling
    python benchmarks/bench_exports.py --quick    a smoke test on small models
    python benchmarks/bench_exports.py --write    also puts the tables into docs/benchmarks.md
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import tl2cgen
import treelite
import xgboost
from sklearn.ensemble import RandomForestClassifier

import nonet
from command_line import make_parser, publish
from drawn_tables import draw_table
from harness import Contender, Timing, machine, markdown_table, race, timing_rows
from nonet._native.runtime import get_num_threads

Predict = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Sizes:
    """How many rows and trees, and how often each contender runs."""

    n_rows: int
    n_training_rows: int
    n_rounds: int
    n_trees: int
    n_single_rows: int
    n_repeats: int


FULL = Sizes(100_000, 30_000, 500, 100, 500, 5)
QUICK = Sizes(200, 200, 3, 2, 3, 1)


@dataclass(frozen=True)
class Entry:
    """One way to compute probabilities of the second class: by all threads, and by one."""

    name: str
    of_table: Predict
    of_row: Predict
    seconds: float = 0.0  # of compiling


# ---- The originals -------------------------------------------------------------------------------


def boost_lightgbm(X: np.ndarray, y: np.ndarray, n_rounds: int) -> tuple[Any, Entry]:
    model = lightgbm.LGBMClassifier(n_estimators=n_rounds, num_leaves=31, verbose=-1).fit(X, y)
    predict = model.booster_.predict
    threads = [partial(predict, num_threads=n) for n in (get_num_threads(), 1)]
    return model, Entry("LightGBM", *threads)


def boost_xgboost(X: np.ndarray, y: np.ndarray, n_rounds: int) -> tuple[Any, Entry]:
    model = xgboost.XGBClassifier(
        n_estimators=n_rounds,
        max_leaves=31,
        max_depth=0,
        grow_policy="lossguide",
        n_jobs=get_num_threads(),
    ).fit(X, y)
    alone = model.get_booster().copy()
    alone.set_param({"nthread": 1})
    return model, Entry("XGBoost", model.get_booster().inplace_predict, alone.inplace_predict)


def grow_sklearn(X: np.ndarray, y: np.ndarray, n_trees: int) -> tuple[Any, Entry]:
    model = RandomForestClassifier(n_trees, n_jobs=get_num_threads(), random_state=0).fit(X, y)
    return model, Entry("scikit-learn", *(partial(predict_sklearn, model, n) for n in (None, 1)))


def predict_sklearn(model: Any, n_threads: int | None, X: np.ndarray) -> np.ndarray:
    model.n_jobs = n_threads or get_num_threads()
    return second(model.predict_proba(X))


def second(probabilities: np.ndarray) -> np.ndarray:
    """Return the last column: models of treelite and boosters may have no other."""
    return probabilities.reshape(len(probabilities), -1)[:, -1]


# ---- Where trees can go --------------------------------------------------------------------------


def nonet_entry(model: Any) -> Entry:
    # A single row is predicted by one thread, however many there are.
    return Entry("nonet", *[lambda X: second(model.predict_proba(X))] * 2)


def onnx_entries(model: Any) -> list[Entry]:
    if not hasattr(nonet, "to_onnx"):
        return []
    graph = nonet.to_onnx(model).SerializeToString()
    both = [partial(predict_onnx, open_onnx(graph, n)) for n in (get_num_threads(), 1)]
    return [Entry("onnxruntime", *both)]


def open_onnx(graph: bytes, n_threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def predict_onnx(session: onnxruntime.InferenceSession, X: np.ndarray) -> np.ndarray:
    return second(session.run(["probabilities"], {"X": X})[0])


def treelite_entry(model: Any) -> Entry:
    made = nonet.to_treelite(model)
    predict = treelite.gtil.predict
    both = [
        lambda X, n=n: second(predict(made, X, nthread=n).reshape(len(X), -1))
        for n in (get_num_threads(), 1)
    ]
    return Entry("treelite, GTIL", *both)


def tl2cgen_entry(model: Any, folder: Path) -> Entry:
    path, made = folder / "booster.so", nonet.to_treelite(model, dtype="float32")
    start = time.perf_counter()
    parts = {"parallel_comp": get_num_threads()}
    tl2cgen.export_lib(made, toolchain="gcc", libpath=path, params=parts, nthread=get_num_threads())
    seconds = time.perf_counter() - start
    both = [tl2cgen.Predictor(path, nthread=n) for n in (get_num_threads(), 1)]
    return Entry("TL2cgen", *(partial(predict_tl2cgen, one) for one in both), seconds)


def predict_tl2cgen(predictor: tl2cgen.Predictor, X: np.ndarray) -> np.ndarray:
    return second(predictor.predict(tl2cgen.DMatrix(X, dtype="float32")).reshape(len(X), -1))


def lleaves_entries(original: Any, folder: Path) -> list[Entry]:
    path = folder / "booster.txt"
    original.booster_.save_model(path)
    start = time.perf_counter()
    try:
        import lleaves

        model = lleaves.Model(model_file=str(path))
        model.compile()
    except (ImportError, AttributeError):  # not installed, or an llvmlite that it cannot use
        return []
    seconds = time.perf_counter() - start
    both = [partial(model.predict, n_jobs=n) for n in (get_num_threads(), 1)]
    return [Entry("lleaves", *both, seconds)]


# ---- Races ---------------------------------------------------------------------------------------


def check_equal(entries: list[Entry], X: np.ndarray) -> None:
    expected = entries[0].of_table(X)
    for entry in entries[1:]:
        np.testing.assert_allclose(entry.of_table(X), expected, atol=1e-5, err_msg=entry.name)


def race_model(what: str, entries: list[Entry], sizes: Sizes, X: np.ndarray) -> dict[str, Any]:
    check_equal(entries, X[:1000])
    rows = [X[i : i + 1].copy() for i in range(sizes.n_single_rows)]
    batch = [Contender(entry.name, partial(entry.of_table, X)) for entry in entries]
    single = [Contender(entry.name, partial(one_by_one, entry.of_row, rows)) for entry in entries]
    return {
        f"{what}, {len(rows)} times one row": race(single, sizes.n_repeats, patience=20),
        f"{what}, {len(X):,} rows": race(batch, sizes.n_repeats, patience=20),
    }


def one_by_one(predict: Predict, rows: list[np.ndarray]) -> None:
    for row in rows:
        predict(row)


def report(sizes: Sizes) -> Iterator[str]:
    X, signal = draw_table(sizes.n_rows)
    part, y = X[: sizes.n_training_rows], (signal > 0).astype(int)[: sizes.n_training_rows]
    packages = ["lightgbm", "xgboost", "scikit-learn", "onnxruntime", "treelite", "tl2cgen"]
    yield f"Measured on {machine(packages)}, {get_num_threads()} threads."
    with TemporaryDirectory() as folder:
        races: dict[str, list[Timing]] = {}
        original, entry = boost_lightgbm(part, y, sizes.n_rounds)
        ours = nonet.from_lightgbm(original)
        compiled = [
            tl2cgen_entry(ours, Path(folder)),
            *lleaves_entries(original, Path(folder)),
        ]
        entries = [*interpreters(ours), entry, *compiled]
        races |= race_model(f"{sizes.n_rounds} trees of LightGBM", entries, sizes, X)
    original, entry = boost_xgboost(part, y, sizes.n_rounds)
    entries = [*interpreters(nonet.from_xgboost(original)), entry]
    races |= race_model(f"{sizes.n_rounds} trees of XGBoost", entries, sizes, X)
    original, entry = grow_sklearn(part, y, sizes.n_trees)
    entries = [*interpreters(nonet.from_sklearn(original)), entry]
    races |= race_model(f"{sizes.n_trees} trees of scikit-learn", entries, sizes, X)
    header = ("what", "by", "wall ms", "processor ms", "times nonet's wall", "and processor time")
    yield markdown_table(header, timing_rows(races, digits=1, ratio_digits=2), n_labels=2)
    yield markdown_table(
        ("compiler", "seconds for the booster"),
        [(one.name, f"{one.seconds:.1f}") for one in compiled],
    )


def interpreters(model: Any) -> list[Entry]:
    return [nonet_entry(model), *onnx_entries(model), treelite_entry(model)]


def main() -> None:
    options = make_parser(__doc__).parse_args()
    publish("exports", report(QUICK if options.quick else FULL), options)


if __name__ == "__main__":
    main()
